import { readFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { PATIENT, spawnCli } from '../../../test/support/spawn-cli.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';
import { OF_SERVERS } from '../help/variables.ts';
import { SERVER_FLAGS } from './flags.ts';

interface Setting {
  setting: string;
  value: unknown;
}

async function check(env: Record<string, string>) {
  const data = await temporaryDirectory();
  const line = ['server', 'check-config', `--data=${data}`, '--json'];
  const { code, err, out } = await runCli(line, { env });
  return { code, err, settings: JSON.parse(out) as Setting[] };
}

const variableOf = (setting: string) => `HUBLINE_${setting.replaceAll('-', '_').toUpperCase()}`;

it('warns of variables that nothing reads, and of no others', async () => {
  const { code, err } = await check({
    HUBLINE_SENDER: '2',
    HUBLINE_GITHUBB_API_URL: 'https://github.test',
    HUBLINE_SENDERS: '2',
    HUBLINE_GITHUB_API_URL: 'https://github.test',
    HUBLINE_API_KEY: 'hl_x',
  });
  expect(code).toBe(0);
  expect(err).toContain('HUBLINE_SENDER is not a variable of Hubline, and has no effect.');
  expect(err).toContain('HUBLINE_GITHUBB_API_URL is not a variable of Hubline');
  expect(err.match(/is not a variable/g)).toHaveLength(2);
});

it('warns of settings of PostgreSQL that only psql follows, and of no others', async () => {
  const variables = {
    PGSSLROOTCERT: '/ca.pem',
    PGTARGETSESSIONATTRS: 'read-only',
  };
  const HUBLINE_DATABASE_URL = 'postgres://hub@127.0.0.1:1/hub';
  const { err } = await check({ ...variables, HUBLINE_DATABASE_URL });
  expect(err).toContain(
    'PGSSLROOTCERT has no effect. Name the file with sslrootcert=/path in --database-url',
  );
  expect(err).toContain(
    'PGTARGETSESSIONATTRS=read-only has no effect, because a server must be able to write.',
  );
  const named = await check({
    PGSSLCERT: '',
    HUBLINE_DATABASE_URL: `${HUBLINE_DATABASE_URL}?target_session_attrs=read-only`,
  });
  expect(named.err.match(/\S+ has no effect/g)).toEqual(['target_session_attrs=read-only has no effect']);
  const pooled = await check({
    HUBLINE_DATABASE_URL: `${HUBLINE_DATABASE_URL}?connection_limit=5&pgbouncer=true`,
  });
  expect(
    pooled.err.match(/(\S+) in --database-url .* has no effect\. Set the size of the pool with \S+/g),
  ).toEqual([
    'connection_limit in --database-url (or HUBLINE_DATABASE_URL) has no effect. Set the size of the pool with --database-connections',
  ]);
  for (const env of [
    variables,
    {
      PGTARGETSESSIONATTRS: 'read-only',
      HUBLINE_DATABASE_URL: `${HUBLINE_DATABASE_URL}?target_session_attrs=any`,
    },
  ])
    expect((await check(env)).err).not.toContain('has no effect');
});

it('says that TLS checks the certificate in place of channel binding', async () => {
  const HUBLINE_DATABASE_URL = 'postgres://hub@127.0.0.1:1/hub?sslmode=require';
  const says = 'channel_binding=require has no effect: TLS checks the certificate instead.';
  expect(
    (await check({ HUBLINE_DATABASE_URL: `${HUBLINE_DATABASE_URL}&channel_binding=require` })).err,
  ).toContain(says);
  expect((await check({ HUBLINE_DATABASE_URL, PGCHANNELBINDING: 'require' })).err).toContain(
    'PGCHANNELBINDING=require has',
  );
  expect((await check({ HUBLINE_DATABASE_URL })).err).not.toContain('has no effect');
});

it('a start logs the same warning', PATIENT, async () => {
  const line = ['server', 'start', '--port=0', `--data=${await temporaryDirectory()}`];
  const { child, read, ended } = spawnCli(line, { HUBLINE_SENDER: '2' });
  await vi.waitUntil(() => read.out.includes('\n') || child.exitCode !== null, PATIENT);
  child.kill();
  await ended;
  expect(read.err).toContain('HUBLINE_SENDER is not a variable of Hubline, and has no effect.');
});

it('ignores the variables that Kubernetes sets for a service named hubline', async () => {
  const { code, err, settings } = await check({
    HUBLINE_PORT: 'tcp://10.0.0.7:80',
    HUBLINE_PORT_80_TCP: 'tcp://10.0.0.7:80',
    HUBLINE_PORT_80_TCP_ADDR: '10.0.0.7',
    HUBLINE_SERVICE_HOST: '10.0.0.7',
    HUBLINE_SERVICE_PORT: '80',
    HUBLINE_SERVICE_PORT_HTTP: '80',
  });
  expect(code).toBe(0);
  expect(err).not.toContain('is not a variable');
  expect(settings).toContainEqual({ setting: 'port', value: 8787 });
});

it('the help and the README name the variable of each setting', async () => {
  const readme = await readFile(new URL('../../../../../README.md', import.meta.url), 'utf8');
  const { settings } = await check({});
  for (const { setting } of settings) {
    const variable = variableOf(setting);
    if (!Object.hasOwn(SERVER_FLAGS, setting)) expect(Object.keys(OF_SERVERS)).toContain(variable);
    // The README names one of the three variables of retention, with an ellipsis.
    if (!setting.startsWith('retain-')) expect(readme).toContain(`\`${variable}\``);
  }
});

it('the help has the defaults of a server without settings', async () => {
  // Only a server with a domain has a port for HTTPS.
  const checks = [await check({}), await check({ HUBLINE_DOMAIN: 'hub.example.com' })];
  const settings = checks.flatMap((each) => each.settings);
  const valueOf = (name: string) =>
    (settings.find(({ setting }) => setting === name)?.value ?? 'off') as string | number | boolean;
  const flags = Object.entries(SERVER_FLAGS).map(([name, { summary }]) => [name, summary] as const);
  const variables = Object.entries(OF_SERVERS).map(
    ([name, summary]) => [name.replace('HUBLINE_', '').toLowerCase().replaceAll('_', '-'), summary] as const,
  );
  const defaults = [...flags, ...variables].flatMap(([name, summary]) => {
    const [, said] = /(?:\(server default|default): ([^,)]+)/.exec(summary) ?? [];
    // The test gives these itself.
    return said === undefined || name === 'data' ? [] : [[name, said] as const];
  });
  expect(defaults.length).toBeGreaterThan(15);
  expect(defaults).toEqual(defaults.map(([name]) => [name, String(valueOf(name))]));
});
