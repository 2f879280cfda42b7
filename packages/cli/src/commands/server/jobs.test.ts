import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startTestServer } from '@hubline/server/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { PATIENT, spawnCli } from '../../../test/support/spawn-cli.ts';
import { runCli, temporaryDirectory } from '../../test/run-cli.ts';

interface Listed {
  id: number;
  kind: string;
  state: string;
  attempts: number;
  last_error: string | null;
}

it('jobs shows what waits and why, and retry-job lets it start over', async () => {
  // Nobody listens there.
  const server = await startTestServer({ env: { HUBLINE_SMTP_URL: 'smtp://127.0.0.1:1' } });
  onTestFinished(() => server.stop());
  const jobs = async (...line: string[]): Promise<Listed[]> => {
    const { code, out } = await runCli(['server', 'jobs', `--data=${server.data}`, '--json', ...line]);
    expect(code).toBe(0);
    return JSON.parse(out) as Listed[];
  };
  expect(await jobs('--kind=mail')).toEqual([]);
  const scheduled = { state: 'scheduled', last_error: null };
  expect(await jobs()).toMatchObject([
    { kind: 'note_alive', ...scheduled },
    { kind: 'housekeeping', ...scheduled },
  ]);

  const invited = await runCli(['member', 'invite', 'li@example.com', '--role=member'], {
    env: { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey },
  });
  expect(invited.code).toBe(0);
  const mail = await vi.waitUntil(async () => (await jobs('--state=retrying'))[0], PATIENT);
  expect(mail).toMatchObject({
    kind: 'mail',
    attempts: 1,
    last_error:
      'The invitation to l…@example.com: The mail server of HUBLINE_SMTP_URL did not respond: nothing listens there',
  });
  expect(JSON.stringify(mail)).not.toContain('li@example.com');

  const retried = await runCli(['server', 'retry-job', `${mail.id}`, `--data=${server.data}`, '--json']);
  expect(retried).toMatchObject({ code: 0, out: `{"id":${mail.id}}\n` });
  expect(await jobs('--kind=mail')).toMatchObject([{ id: mail.id }]);

  const unknown = await runCli(['server', 'retry-job', '4711', `--data=${server.data}`]);
  expect(unknown).toMatchObject({ code: 4, out: '' });
  expect(unknown.err).toContain('There is no job 4711');
  for (const id of ['mail', '0', '1.5']) {
    const refused = await runCli(['server', 'retry-job', id, `--data=${server.data}`]);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain(`${id} is not the ID of a job`);
  }
  expect((await runCli(['server', 'jobs', '--state=lost'])).code).toBe(2);
});

it('jobs refuses an unknown kind, and takes one that another version has stored', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const jobs = (kind: string, ...line: string[]) =>
    runCli(['server', 'jobs', `--data=${server.data}`, `--kind=${kind}`, '--json', ...line]);
  expect(await jobs('maill')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(
      /--kind must be one of .*\bbackup, .*\bmail, .*; \\"maill\\" is not one\./,
    ) as string,
  });
  for (const kind of ['mail', 'backup']) expect(await jobs(kind)).toMatchObject({ code: 0, out: '[]\n' });

  const database = new DatabaseSync(join(server.data, 'hubline.db'));
  database.exec(
    `insert into jobs (kind, key, payload, due_at, lease_token, attempts, created_at) values ('older', 'x', '{}', 0, 0, 0, 0)`,
  );
  database.close();
  const listed = await jobs('older');
  expect(listed.code).toBe(0);
  expect(JSON.parse(listed.out)).toMatchObject([{ kind: 'older' }]);
  expect(await jobs('older', '--state=failed')).toMatchObject({ code: 0, out: '[]\n' });
});

it('the log says which email failed and hints at its recipient, without the address or the link', async () => {
  const data = join(await temporaryDirectory(), 'data');
  const owner = ['--email=ana@acme.test', '--name=Acme', '--slug=acme', '--yes', '--json'];
  const boot = await runCli(['server', 'bootstrap', `--data=${data}`, ...owner]);
  const { api_key: key = '' } = JSON.parse(boot.out) as Record<string, string>;
  const start = ['server', 'start', '--port=0', `--data=${data}`, '--log-format=json', '--json'];
  const { child, read, ended } = spawnCli(start, { HUBLINE_SMTP_URL: 'smtp://127.0.0.1:1' });
  await vi.waitUntil(() => read.out.includes('\n') || child.exitCode !== null, PATIENT);
  const { base_url: url = '' } = JSON.parse(read.out) as Record<string, string>;
  const env = { HUBLINE_BASE_URL: url, HUBLINE_API_KEY: key };
  expect(await runCli(['member', 'invite', 'li@example.com'], { env })).toMatchObject({ code: 0 });
  await vi.waitUntil(() => read.err.includes('a job failed') || child.exitCode !== null, PATIENT);
  child.kill('SIGTERM');
  const { err } = await ended;
  const entry = err.split('\n').find((each) => each.includes('a job failed')) ?? '{}';
  expect(JSON.parse(entry)).toMatchObject({
    kind: 'mail',
    reason: expect.stringMatching(/^The invitation to l…@example\.com: .*nothing listens there/) as string,
  });
  expect(err).not.toMatch(/li@example\.com|\/invite\?token/);
});
