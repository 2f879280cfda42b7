import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { fakeApi } from '../../test/fake-api.ts';
import { runCli } from '../../test/run-cli.ts';

it.each([
  [() => ({ body: { status: 'ok' } }), 0, { live: true, ready: true }],
  [
    ({ path }: { path: string }) =>
      path === '/readyz' ? { status: 503, body: { status: 'unavailable' } } : { body: { status: 'ok' } },
    9,
    { live: true, ready: false },
  ],
  // Another server, which answers every request.
  [() => ({ body: {} }), 9, { live: false, ready: false }],
  [() => ({ text: '<h1>Welcome</h1>' }), 9, { live: false, ready: false }],
] as const)(
  'server status reports whether a server is live and ready, without a key (%#)',
  async (answer, code, said) => {
    const api = await fakeApi(answer);
    const { HUBLINE_BASE_URL } = api.env;
    const finished = await runCli(['server', 'status', '--json=live,ready'], { env: { HUBLINE_BASE_URL } });
    expect({ code: finished.code, said: JSON.parse(finished.out) as unknown }).toEqual({ code, said });
    if (said.live && !said.ready) expect(finished.err).toContain('because the disk is full');
    expect(api.received.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  },
);

it('server status says so when nothing listens there', async () => {
  const env = { HUBLINE_BASE_URL: 'http://127.0.0.1:1' };
  expect(await runCli(['server', 'status', '--json=live'], { env })).toMatchObject({
    code: 9,
    out: '{"live":false}\n',
  });
  expect(await runCli(['server', 'status'], { env })).toEqual({
    code: 9,
    out: '● http://127.0.0.1:1: no Hubline server responds\n',
    err: 'Error: Nothing responds at http://127.0.0.1:1.\nIs the server running? Start it in its own directory, or with --data <dir>: hubline server start --port 1\n',
  });
});

it.each([
  [['server', 'status'], 9],
  [['doctor'], 9],
  [['open'], 7],
  [['auth', 'login', '--with-key'], 7],
])('%j waits as long as --timeout says for a server that is silent, and no longer', async (line, exit) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => {
    silent.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const env = { HUBLINE_BASE_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` };
  const began = Date.now();
  const { code, out, err } = await runCli([...line, '--timeout=100ms'], { env, stdin: 'hl_x' });
  expect(code).toBe(exit);
  expect(out + err).toContain('did not respond in time');
  // The default is 30 s.
  expect(Date.now() - began).toBeLessThan(20_000);
});
