import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { HttpClient } from './http-client.ts';
import type { ProviderHttp } from './provider-http.ts';
import { OutboundError } from './outbound-error.ts';
import { createProviderHttp } from './provider-http.ts';
import { answers, clientFor, listen, listenRaw } from './receiver.fixture.ts';

function providerHttpFor(): ProviderHttp {
  return createProviderHttp({
    guarded: clientFor({ policy: { allowHttpLocalhost: false }, resolve: answers('127.0.0.1') }),
    trusted: clientFor({ policy: null }),
    userAgent: 'Hubline/test',
  });
}

async function serve(handler: RequestListener): Promise<string> {
  return `http://127.0.0.1:${(await listen(createServer(handler))).port}`;
}

describe('a provider call', () => {
  it('sends what it is given, with a user agent, and returns status, headers and body', async () => {
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        response.writeHead(418, { 'X-Two': ['a', 'b'] });
        response.end(`${request.method} ${request.url} ${request.headers['user-agent']} ${body}`);
      });
    });
    expect(
      await providerHttpFor()({ method: 'PUT', url: `${url}/a?b=c`, body: 'ü', trusted: true }),
    ).toMatchObject({
      status: 418,
      headers: { 'x-two': 'a, b' },
      body: 'PUT /a?b=c Hubline/test ü',
    });
  });

  it('does not follow redirects', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    expect(await providerHttpFor()({ method: 'GET', url, trusted: true })).toMatchObject({ status: 302 });
  });

  it.each(['https://127.0.0.1/', 'https://169.254.169.254/', 'https://provider.test/', 'https://[::1]/'])(
    'is blocked to %s unless the operator configured it',
    async (url) => {
      await expect(providerHttpFor()({ method: 'GET', url })).rejects.toMatchObject({
        name: 'OutboundError',
        kind: 'blocked',
        message: 'blocked address',
      });
    },
  );

  it('fails when the response does not end in time, is cut off, or is larger than 1 MiB', async () => {
    const hang = await listenRaw(() => undefined);
    const cut = await listenRaw((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart'));
    const large = await listenRaw((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1024 * 1024 + 1)}`),
    );
    const full = await listenRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1024 * 1024)}`));
    const providerHttp = providerHttpFor();
    const get = (port: number, timeoutMs = 20_000) =>
      providerHttp({ method: 'GET', url: `http://127.0.0.1:${port}/`, trusted: true, timeoutMs });
    await expect(get(hang.port, 200)).rejects.toMatchObject({ kind: 'timeout' });
    await expect(get(cut.port)).rejects.toMatchObject({ kind: 'protocol' });
    await expect(get(large.port)).rejects.toBeInstanceOf(OutboundError);
    expect((await get(full.port)).body).toHaveLength(1024 * 1024);
  });

  it('keeps a body of many small parts in little more memory than its size', async () => {
    let grown = 0;
    const parts: HttpClient = {
      check: (url) => ({ ok: true, url: new URL(url) }),
      pool: {
        send(_url, exchange) {
          const part = Buffer.from('x');
          exchange.onHead({ status: 200, isHttp10: false, headers: [] });
          const before = process.memoryUsage().heapUsed;
          for (let index = 0; index < 400_000; index += 1) exchange.onBody(part);
          grown = process.memoryUsage().heapUsed - before;
          exchange.onEnd();
        },
      },
      destroy() {},
    };
    const providerHttp = createProviderHttp({ guarded: parts, trusted: parts, userAgent: 'Hubline/test' });
    const { body } = await providerHttp({ method: 'GET', url: 'https://provider.test/' });
    expect(body).toBe('x'.repeat(400_000));
    expect(grown).toBeLessThan(16 * 1024 * 1024);
  });
});
