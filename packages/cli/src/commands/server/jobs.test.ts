import { startTestServer } from '@hubline/server/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runCli } from '../../test/run-cli.ts';

interface Listed {
  id: number;
  kind: string;
  state: string;
  attempts: number;
  last_error: string | null;
}

it('jobs shows what waits and why, and retry-job lets it begin anew', async () => {
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
  const mail = await vi.waitUntil(async () => (await jobs('--state=retrying'))[0], 20_000);
  expect(mail).toMatchObject({
    kind: 'mail',
    attempts: 1,
    last_error: expect.stringContaining('nothing listens there'),
  });
  expect(JSON.stringify(mail)).not.toContain('li@example.com');

  const retried = await runCli(['server', 'retry-job', `${mail.id}`, `--data=${server.data}`, '--json']);
  expect(retried).toMatchObject({ code: 0, out: `{"id":${mail.id}}\n` });
  expect(await jobs('--kind=mail')).toMatchObject([{ id: mail.id }]);

  const unknown = await runCli(['server', 'retry-job', '4711', `--data=${server.data}`]);
  expect(unknown).toMatchObject({ code: 4, out: '' });
  expect(unknown.err).toContain('There is no job 4711');
  expect((await runCli(['server', 'jobs', '--state=lost'])).code).toBe(2);
});
