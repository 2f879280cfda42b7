import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { asTyped } from '../src/as-typed.ts';
import { nouns } from '../src/commands/registry.ts';
import { parse } from '../src/parser/parse.ts';
import { programAnywhere, programName, type Started } from '../src/program-name.ts';
import { GLOBAL_FLAGS } from '../src/spec/global-flags.ts';
import { fakeApi, pageResponse } from '../src/test/fake-api.ts';
import { runCli, temporaryDirectory } from '../src/test/run-cli.ts';
import { allCommands } from '../src/test/tree.ts';
import { version } from '../src/about.ts';

const pathOf = async (line: string) => {
  const parsed = await parse(line.split(' '), { nouns, now: 0, width: 80 });
  return 'command' in parsed ? parsed.command.path : parsed.help.split('\n')[0];
};

describe('words that people try first', () => {
  it.each([
    ['login', 'auth login'],
    ['login 127.0.0.1:8787 --with-key', 'auth login'],
    ['logout', 'auth logout'],
    ['status', 'auth status'],
    ['logs --source github', 'event tail'],
    ['--json logs', 'event tail'],
    ['version', 'version'],
    ['login --help', 'Usage: hubline auth login [server] [flags]'],
    ['help logs', 'Usage: hubline event tail [flags]'],
    ['webhook view whk_1', 'webhook get'],
    ['context switch prod', 'context use'],
    ['member rm li@acme.test', 'member remove'],
    ['key rm key_1', 'key revoke'],
    ['workspace rm acme', 'workspace delete'],
  ])('hubline %s is %s', async (line, path) => {
    expect(await pathOf(line)).toBe(path);
  });

  it('hubline version prints what --version does', async () => {
    expect(await runCli(['version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
    expect(JSON.parse((await runCli(['version', '--json'])).out)).toMatchObject({ version });
  });
});

describe('--json', () => {
  const member = { user_id: 'usr_1', email: 'ana@acme.test', role: 'owner' };

  it.each([
    ['--json email,role'],
    ['--json=email,role'],
    ['--json email,role --all'],
    ['--all --json email,role'],
  ])('takes fields with a space or without: %s', async (flags) => {
    const api = await fakeApi(() => pageResponse([member]));
    expect(await runCli(['member', 'list', ...flags.split(' ')], { env: api.env })).toMatchObject({
      code: 0,
      out: '[{"email":"ana@acme.test","role":"owner"}]\n',
    });
  });

  it('leaves an argument after it alone, and names a field that is not there', async () => {
    const api = await fakeApi(({ path }) => ({ body: { id: path.split('/').at(-1) } }));
    expect((await runCli(['webhook', 'get', '--json', 'whk_1'], { env: api.env })).out).toBe(
      '{"id":"whk_1"}\n',
    );
    const { code, err } = await runCli(['member', 'list', '--json', 'email,rolle'], { env: api.env });
    expect({ code, said: err.includes('There is no field') }).toEqual({ code: 2, said: true });
  });
});

describe('a flag with one value', () => {
  it.each([
    [
      ['event', 'list', '--type', 'push', '--type=issue'],
      '--type takes one value, and was given 2: push, issue.',
    ],
    [['event', 'list', '-w', 'a', '--workspace', 'a'], '--workspace takes one value, and was given 2: a, a.'],
    [['--context=a', 'member', 'list', '--context=b'], '--context takes one value, and was given 2: a, b.'],
    [['member', 'list', '--json=a', '--json'], '--json takes one value, and was given 2: a, *.'],
    [['member', 'list', '-L', '1', '-L', '2'], '--limit takes one value, and was given 2: 1, 2.'],
  ])('is refused when it is repeated: %j', async (line, message) => {
    const api = await fakeApi(() => pageResponse([]));
    const { code, out, err } = await runCli(line, { env: api.env });
    expect({ code, out, requests: api.received.length }).toEqual({ code: 2, out: '', requests: 0 });
    expect(err).toContain(message);
  });
});

describe('hubline help flags', () => {
  it('lists every flag that every command takes', async () => {
    const { out } = await runCli(['help', 'flags'], { tty: true });
    expect(Object.keys(GLOBAL_FLAGS).filter((name) => !out.includes(`--${name}`))).toEqual([]);
    const rows = JSON.parse((await runCli(['help', 'flags', '--json=flag'])).out) as unknown[];
    expect(rows).toHaveLength(Object.keys(GLOBAL_FLAGS).length);
  });
});

describe('hints say what is to be typed here, the dashboard what works in any folder', () => {
  const clone = { npm_package_name: 'hubline-workspace', npm_lifecycle_event: 'start' };
  const fromClone = 'npx -y pnpm@12 --silent hubline';
  const source = '/home/ana/hub line/packages/cli/src/bin.ts';
  it.each<[Started, here: string, anywhere: string]>([
    [{ env: {}, script: '/usr/local/bin/hubline' }, 'hubline', 'hubline'],
    [{ env: {}, script: '/root/.npm/_npx/12ab/node_modules/.bin/hubline' }, 'npx hubline', 'npx -y hubline'],
    [{ env: clone, script: source }, fromClone, "npx -y pnpm@12 --silent -C '/home/ana/hub line' hubline"],
    [
      { env: { ...clone, npm_lifecycle_event: 'hubline' }, script: '/x/packages/cli/src/bin.ts' },
      fromClone,
      'npx -y pnpm@12 --silent -C /x hubline',
    ],
    [
      { env: { ...clone, INIT_CWD: '/home/ana/hub line' }, script: source },
      fromClone,
      "npx -y pnpm@12 --silent -C '/home/ana/hub line' hubline",
    ],
    // pnpm -C: the line was typed in another folder.
    [
      { env: { ...clone, INIT_CWD: '/tmp' }, script: source },
      "npx -y pnpm@12 --silent -C '/home/ana/hub line' hubline",
      "npx -y pnpm@12 --silent -C '/home/ana/hub line' hubline",
    ],
    // A script of somebody's own project, in which hubline is installed.
    [
      { env: { ...clone, npm_package_name: 'shop' }, script: '/shop/node_modules/.bin/hubline' },
      'hubline',
      '/shop/node_modules/.bin/hubline',
    ],
    [
      { env: {}, script: undefined, file: { typed: './hubline', path: '/opt/hubline' } },
      './hubline',
      '/opt/hubline',
    ],
    [
      { env: {}, script: undefined, file: { typed: 'hubline', path: '/usr/bin/hubline' } },
      'hubline',
      'hubline',
    ],
  ])('%j: %s, %s', (started, here, anywhere) => {
    expect([programName(started), programAnywhere(started)]).toEqual([here, anywhere]);
  });

  it('replaces commands, and no other mention of the name', () => {
    const text =
      'Run: hubline auth login. ~/.config/hubline config, @hubline/cli api, the workspace hubline with 3';
    expect(asTyped(text, { program: 'npx x' })).toBe(text.replace('hubline auth', 'npx x auth'));
  });

  it.each([
    [
      'Publish a test event: hubline trigger push',
      'hubline --base-url 127.0.0.1:1 --context a --workspace acme',
    ],
    ['Log in: hubline auth login http://127.0.0.1:1', 'hubline --context a --workspace acme'],
    ['Make it: hubline auth login --context b', 'hubline --base-url 127.0.0.1:1 --workspace acme'],
    ['hubline workspace use <slug>', 'hubline --base-url 127.0.0.1:1 --context a'],
    ['Start it with: hubline server start', 'hubline'],
    ['See: hubline event publish --help', 'hubline'],
  ])('they name the server and the workspace that the line named: %s', (text, start) => {
    const globals = { baseUrl: '127.0.0.1:1', context: 'a', workspace: 'acme' };
    expect(asTyped(text, { program: 'hubline', globals })).toBe(text.replace('hubline', start));
  });

  it.each([
    ['Start it: hubline server start. Then log in: hubline auth login', ' start'],
    ['or make one: hubline backup create --out x', ' create'],
    ['hubline server restore FILE --data y --force'],
    ['Is it up? hubline server status'],
    ['See: hubline server jobs --help'],
  ])('they name the storage that the line named: %s', (text, verb = '\0') => {
    const storage = { data: "./ana's data", databaseUrl: 'postgres://ana:secret@db/hubline' };
    const flags = String.raw` --data './ana'\''s data' --database-url …`;
    expect(asTyped(text, { program: 'hubline', storage })).toBe(text.replace(verb, () => verb + flags));
  });

  it('every command on a server of this machine takes the flags that its hints get', async () => {
    const commands = await allCommands();
    const given = commands.filter(({ path }) =>
      asTyped(`hubline ${path}`, { program: 'hubline', storage: { data: 'x' } }).endsWith(' --data x'),
    );
    const taking = commands.filter(
      ({ path, flags = {} }) => 'database-url' in flags && /^(?:server|backup) /.test(path),
    );
    expect(given).toEqual(taking);
  });

  it('a line that is typed as the hint says works on the same data', async () => {
    const data = join(await temporaryDirectory(), 'my data');
    const owner = ['server', 'bootstrap', '--email=ana@example.com', '--data', data];
    expect((await runCli([...owner, '-q'])).code).toBe(0);
    const hintOf = async (...line: string[]) => (await runCli([...line, '--data', data])).err;
    const storage = `--data '${data}'`;
    expect(await hintOf('server', 'retry-job', 'x')).toContain(`List them: hubline server jobs ${storage}\n`);
    expect((await runCli(owner)).err).toContain(
      `hubline server bootstrap ${storage} --new-key --email ana@example.com\n`,
    );
    expect(await hintOf('server', 'setup-link')).toContain(`bootstrap ${storage} --new-key --email <email>`);
    // As JSON, too.
    const jsonHint = async (...line: string[]) => {
      const { err } = await runCli([...line, '--data', data, '--json']);
      return (JSON.parse(err) as { error: { hint: string } }).error.hint;
    };
    expect(await jsonHint(...owner.slice(0, 3))).toBe(
      `For another key: hubline server bootstrap ${storage} --new-key --email ana@example.com`,
    );
    expect(await jsonHint('server', 'retry-job', 'x')).toBe(`List them: hubline server jobs ${storage}`);
    expect(await jsonHint('server', 'setup-link')).toContain(
      `bootstrap ${storage} --new-key --email <email>`,
    );
  });

  it('they do so below the output, too', async () => {
    const { env } = await fakeApi(() => ({ body: { id: 'key_1', key: 'k' } }));
    const { HUBLINE_BASE_URL: server, HUBLINE_API_KEY } = env;
    const line = ['key', 'create', '--personal', '--name=ci', '--base-url', server];
    const { err } = await runCli(line, { env: { HUBLINE_API_KEY }, program: 'npx x' });
    expect(err).toContain(`Log in with it: npx x auth login ${server}.`);
  });

  it('never with a password', () => {
    const globals = { baseUrl: 'http://ana:secret@127.0.0.1:1' };
    expect(asTyped('hubline whoami', { program: 'hubline', globals })).toBe('hubline whoami');
  });

  it('in errors, notes and cures', async () => {
    const program = 'npx hubline';
    const env = { HUBLINE_BASE_URL: 'http://127.0.0.1:1' };
    expect((await runCli(['whoami'], { env, program })).err).toContain('Run: npx hubline auth login');
    expect((await runCli(['doctor'], { env, program })).out).toContain('npx hubline server start');
    expect((await runCli(['whoami', '--json'], { env, program })).err).toContain('"Run: hubline auth login');
  });
});
