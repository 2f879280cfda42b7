import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeApi } from '../test/fake-api.ts';
import { runCli } from '../test/run-cli.ts';

/** A server that records its requests, and responds with `{}`, as Hubline never does. */
async function otherServer() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a proxy of the environment', () => {
  it.each(['HTTP_PROXY', 'http_proxy'])(
    '%s gets neither the key nor a request for this machine',
    async (name) => {
      const proxy = await otherServer();
      const api = await fakeApi(() => ({ body: { email: 'ana@acme.test', memberships: [] } }));
      const { code } = await runCli(['whoami', '--json'], { env: { ...api.env, [name]: proxy.origin } });
      expect({ code, asked: proxy.asked, received: api.received.length }).toEqual({
        code: 0,
        asked: [],
        received: 1,
      });
    },
  );

  it('is named when it cannot be reached', async () => {
    const env = {
      HUBLINE_BASE_URL: 'https://hub.example.com',
      HUBLINE_API_KEY: 'hl_x',
      HTTPS_PROXY: 'http://127.0.0.1:9',
    };
    const { code, err } = await runCli(['whoami', '--retries=0'], { env });
    expect(code).not.toBe(0);
    expect(err).toContain('The proxy 127.0.0.1:9 cannot be reached.');
    expect(err).toContain('NO_PROXY');
  });
});

it.each([
  [['whoami']],
  [['auth', 'status']],
  [['key', 'create', '--name=x', '--workspace=ws_06f8xw2b3c4d5e6f7g8h9j0kmn']],
])('%j says that another program responds, and shows nothing of its response', async (line) => {
  const other = await otherServer();
  const env = { HUBLINE_BASE_URL: other.origin, HUBLINE_API_KEY: 'hl_x' };
  const { code, out, err } = await runCli(line, { env });
  expect(code).not.toBe(0);
  expect(`${out}${err}`).toContain('is not Hubline');
  expect(`${out}${err}`).not.toMatch(/looks like a bug|undefined/);
});
