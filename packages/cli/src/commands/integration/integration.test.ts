import { startTestServer } from '@hubline/server/testing';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { runCli } from '../../test/run-cli.ts';

/** Gives these responses of GitHub's API, one after another; the last one repeats. */
async function startGithub(...responses: [status: number, body: string][]) {
  let calls = 0;
  const github = createServer((_request, response) => {
    const [status, body] = responses[Math.min(calls, responses.length - 1)] ?? [500, ''];
    calls += 1;
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end(body);
  });
  await new Promise<void>((resolve) => {
    github.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void github.close());
  return { url: `http://127.0.0.1:${(github.address() as AddressInfo).port}`, calls: () => calls };
}

async function start(github: { url: string }, flags: { publicUrl?: string } = {}) {
  const server = await startTestServer({ env: { HUBLINE_GITHUB_API_URL: github.url }, flags });
  onTestFinished(() => server.stop());
  const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
  return (line: string[], tty = false, columns = 200) =>
    runCli([...line, ...(tty ? ['--color=never'] : [])], { env, tty, stdin: 'ghp_x', columns });
}

const CONNECT = ['integration', 'connect', 'github', '--credential=token=-'];
const USER: [number, string] = [200, '{"login":"octocat"}'];

it('connects with one command although GitHub fails at first, and connects once', async () => {
  const github = await startGithub([502, '<html>Bad gateway</html>'], USER);
  const cli = await start(github);
  expect((await cli([...CONNECT, '--json=provider'])).out).toBe('{"provider":"github"}\n');
  expect(github.calls()).toBe(2);
  expect((await cli(['integration', 'list', '--json=status'])).out).toBe('[{"status":"connected"}]\n');
});

it('says how long a tool asks to wait', async () => {
  const cli = await start(await startGithub([429, '{"message":"Slow down"}']));
  const { code, err } = await cli([...CONNECT, '--retries=0']);
  expect({ code, err }).toEqual({
    code: 7,
    err: expect.stringMatching(
      /GitHub's API responded with 429\.[^]*\nTry again in 1 s\. Is the server itself unavailable\?/,
    ),
  });
});

it('shows no success before it happens: says what is left to do, and that nobody outside can call', async () => {
  const cli = await start(await startGithub(USER));
  const { out, err, code } = await cli(CONNECT, true);
  expect(code).toBe(0);
  const shown = out + err;
  expect(shown).toMatch(
    /! Connected github \(int_\w+\)\. No call from GitHub has arrived yet\. Set up the webhook there/,
  );
  expect(shown).not.toContain('✓');
  expect(shown).toMatch(
    /ingest\.instructions +Open your repository or organization, then Settings, Webhooks/,
  );
  expect(shown).toMatch(/ingest\.warning +Only programs on this machine can call 127\.0\.0\.1:\d+\./);

  // The detail stays if there is no room for every column.
  const listed = (await cli(['integration', 'list'], true, 80)).out;
  expect(listed).toMatch(/STATUS +DETAIL/);
  expect(listed).toMatch(/connected +awaiting_hook/);
  const id = /int_\w{26}/.exec(listed)?.[0] ?? '';
  expect((await cli(['integration', 'get', id], true)).out).toContain('"code": "awaiting_hook"');

  const doctor = await cli(['doctor'], true);
  expect(doctor.code).toBe(0);
  expect(doctor.out).toMatch(/! integrations +Only programs on this machine can call/);
});

it('finds with doctor what a provider refuses, and what it has not done yet', async () => {
  const refused: [number, string] = [401, '{"message":"Bad credentials"}'];
  const cli = await start(await startGithub(USER, refused), { publicUrl: 'https://hub.example.com' });
  const none = await cli(['doctor', '--ndjson', '--json=check,status,message']);
  expect(none.out).toContain('{"check":"integrations","status":"ok","message":"none is connected"}');

  const made = JSON.parse((await cli([...CONNECT, '--channel=octo/web', '--json=integration_id'])).out) as {
    integration_id: string;
  };
  const waiting = await cli(['doctor', '--ndjson', '--json=check,status,message']);
  expect([waiting.code, waiting.out]).toEqual([
    0,
    expect.stringMatching(
      /"integrations","status":"warning","message":"github \(int_\w+\): No call from GitHub/,
    ),
  ]);

  expect((await cli(['integration', 'test', made.integration_id])).code).toBe(9);
  const broken = await cli(['doctor', '--ndjson', '--json=check,status,message,cure']);
  expect([broken.code, broken.out]).toEqual([
    9,
    expect.stringMatching(
      /"integrations","status":"failed","message":"github .* Bad credentials\..*"cure":"Connect it again: hubline integration reconnect <id>"/,
    ),
  ]);
});

it('has a line for every step and credential in a pipe, named by its path', async () => {
  const cli = await start(await startGithub(USER));
  const made = await cli([...CONNECT, '--json=integration_id']);
  const { integration_id: id } = JSON.parse(made.out) as { integration_id: string };
  const lines = (await cli(['integration', 'get', id])).out.split('\n');
  expect(lines).toContain('status_detail.code\tawaiting_hook');
  expect(lines.filter((line) => line.startsWith('ingest.steps.'))).toEqual([
    expect.stringMatching(/^ingest\.steps\.0\tOpen your repository or organization/),
    expect.stringMatching(/^ingest\.steps\.1\tEnter the payload URL/),
    expect.stringMatching(/^ingest\.steps\.2\tChoose/),
  ]);
  expect((await cli(['provider', 'get', 'github'])).out).toMatch(
    /^methods\.0\.credentials\.0\.name\ttoken$/m,
  );
});

it('refuses a credential that is given twice, before anybody is asked', async () => {
  const github = await startGithub(USER);
  const cli = await start(github);
  const { code, err } = await cli([...CONNECT, '--credential=repository=a/b', '--credential=repository=a/c']);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('repository is given twice') });
  expect(github.calls()).toBe(0);
});

it('removes optional credentials by their names, and makes a new secret in place of one', async () => {
  const cli = await start(await startGithub(USER));
  const { out } = await cli([
    'integration',
    'connect',
    'custom',
    '--credential=source=heating',
    '--json=integration_id,ingest',
  ]);
  const { integration_id: id, ingest } = JSON.parse(out);
  const line = ['integration', 'reconnect', id, '--remove=secret', '--overlap=24h'];
  const { secret, previous_valid_until: until } = JSON.parse(
    (await cli([...line, '--json=ingest'])).out,
  ).ingest;
  expect(Date.parse(until)).toBeGreaterThan(Date.now() + 86_000_000);
  const again = await cli(line);
  expect(again).toMatchObject({
    code: 5,
    err: expect.stringContaining(`--overlap must be 0 until ${until},`),
  });
  const ended = await cli(['integration', 'reconnect', id, '--overlap=0s', '--json=ingest']);
  expect(JSON.parse(ended.out).ingest).not.toHaveProperty('previous_valid_until');
  const shown = await cli([...line, '--credential=source=cooling'], true);
  expect(shown.out + shown.err).toContain('calls with the old secret are still accepted');
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(secret).not.toBe(ingest.secret);
  const { code, err } = await cli(['integration', 'reconnect', id, '--remove=sorce']);
  expect({ code, err }).toEqual({
    code: 6,
    err: expect.stringContaining('--remove is not a known field; did you mean source?'),
  });
});
