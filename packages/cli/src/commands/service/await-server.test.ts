import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../../test/run-cli.ts';
import { awaitServer, healthUrl, requirePorts } from './await-server.ts';
import { launchd } from './platforms/launchd.ts';
import { systemd } from './platforms/systemd/systemd.ts';
import { taskScheduler } from './platforms/task-scheduler.ts';

const options = { program: ['/usr/bin/hubline'], settings: {}, root: '', user: 'ana' } as const;
const NOT_YET = 'state = running\n\tlast exit code = (never exited)';
const PLANS = { systemd, launchd, taskScheduler };

/** A machine whose service managers report this, and whose services have this log. */
async function machine({ code = 0, report = NOT_YET, log = '' } = {}) {
  const bin = await temporaryDirectory();
  const calls = join(bin, 'calls');
  const script = async (name: string, text: string) =>
    writeFile(join(bin, name), `#!/bin/sh\necho >> ${calls}\ncat <<'END'\n${text}\nEND\nexit ${code}\n`, {
      mode: 0o755,
    });
  for (const manager of ['systemctl', 'launchctl', 'schtasks']) await script(manager, report);
  for (const reader of ['journalctl', 'tail', 'powershell']) await script(reader, log);
  return { calls, env: { PATH: `${bin}:${process.env['PATH']}` }, signal: new AbortController().signal };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

const plans = Object.entries(PLANS);
const failureOf = (waiting: Promise<void>): Promise<Error> =>
  waiting.then(
    () => expect.fail('The server did not fail.'),
    (error: Error) => error,
  );

it.each(plans)('%s: an installation waits for the server, which may start late', async (_, plan) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/livez`;
  const asked: unknown[] = [];
  const server = createServer(({ url: path }, response) => {
    asked.push(path);
    response.end('{"status":"ok"}');
  });
  onTestFinished(() => void server.close());
  const here = await machine();
  const waiting = awaitServer(here, { service: plan(options), url });
  // The first look finds nothing.
  await vi.waitUntil(async () => (await readFile(here.calls, 'utf8').catch(() => '')) !== '');
  server.listen(port, '127.0.0.1');
  await waiting;
  expect(asked).toEqual(['/livez']);
});

it.each(plans)('%s: a server that does not respond is reported, with the end of its log', async (_, plan) => {
  const log = Array.from({ length: 20 }, (_none, n) => `{"msg":"line ${n + 1}"}`).join('\n');
  const url = `http://127.0.0.1:${await freePort()}/livez`;
  const { message } = await failureOf(
    awaitServer(await machine({ log }), { service: plan(options), url, patienceMs: 0 }),
  );
  expect(message).toContain(`its server does not respond at ${url} after 0 s. Its log ends with:\n`);
  expect(message).toContain('{"msg":"line 16"}\n');
  expect(message).not.toContain('line 15');
});

it.each([
  ['systemd', { code: 3 }],
  ['launchd', { report: 'state = spawn scheduled\n\tlast exit code = 1' }],
  ['launchd', { report: 'state = spawn scheduled\n\tlast terminating signal = Killed: 9' }],
] as const)('%s: a server that has ended is not waited for: %j', async (name, state) => {
  const log = 'error: 28P01 password authentication failed';
  const waiting = awaitServer(await machine({ ...state, log }), {
    service: PLANS[name](options),
    url: `http://127.0.0.1:${await freePort()}/livez`,
  });
  expect(await failureOf(waiting)).toMatchObject({
    reason: 'unavailable',
    message: `The service is installed, but its server ended. Its log ends with:\n${log}`,
    hint: expect.stringContaining('hubline service logs'),
  });
});

it('a port that another program has is refused, unless the service runs', async () => {
  const { parseServerConfig } = await import('@hubline/server');
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const config = parseServerConfig({ port: (server.address() as AddressInfo).port }, {});
  const service = systemd(options);
  await requirePorts(await machine(), { service, config });
  await expect(requirePorts(await machine({ code: 4 }), { service, config })).rejects.toThrow('is in use');
});

it('a server is asked at its own address, without a certificate if it may have none yet', () => {
  const config = { host: '127.0.0.1', port: 8787, httpPort: 80, domain: undefined, tlsCert: undefined };
  expect(healthUrl(config)).toBe('http://127.0.0.1:8787/livez');
  expect(healthUrl({ ...config, host: '0.0.0.0', tlsCert: '/c.pem' })).toBe('https://localhost:8787/livez');
  expect(healthUrl({ ...config, host: '2001:db8::1' })).toBe('http://[2001:db8::1]:8787/livez');
  expect(healthUrl({ ...config, host: '::', domain: 'hub.example.com' })).toBe('http://localhost:80/livez');
  expect(healthUrl({ ...config, port: 0 })).toBe(null);
});
