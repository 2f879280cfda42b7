import { serve, type ServerType } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { describeAdapter } from '../adapter-suite.ts';
import { SECRET, signed } from '../samples.ts';
import { webhook } from '../../src/adapters/web.ts';

// The usual bridge from fetch handlers to Node. The tests below use Node's own Request instead.
describeAdapter('fetch', async (options, handler) => {
  const receive = webhook(options, handler);
  const server = await new Promise<ServerType>((resolve) => {
    const fetch = (request: Request) => receive(request);
    const starting = serve({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(starting));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
});

const call = async () =>
  new Request('https://app.example.com', { method: 'POST', ...((await signed()) as RequestInit) });

it('gives the request, and the further arguments of the framework, to the handler', async () => {
  const waited: unknown[] = [];
  const receive = webhook<[env: { TEAM: string }]>({ secret: SECRET }, (_event, request, env) => {
    waited.push(request.url, env.TEAM);
  });
  expect((await receive(await call(), { TEAM: 'blue' })).status).toBe(200);
  expect(waited).toEqual(['https://app.example.com/', 'blue']);
});

it.each([
  ['was read before', async (request: Request) => void (await request.text())],
  ['is being read', (request: Request) => void request.body?.getReader()],
])('responds with 400 at once when the body %s', async (_name, spoil) => {
  const receive = webhook({ secret: SECRET, onError: () => undefined }, () => undefined);
  const request = await call();
  await spoil(request);
  const response = await receive(request);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'body_already_parsed' });
});

it('stops reading a stream that has no end at maxBodyBytes', async () => {
  const receive = webhook({ secret: SECRET, maxBodyBytes: 1_000, onError: () => undefined }, () => undefined);
  let pulled = 0;
  const body = new ReadableStream({
    pull(controller) {
      pulled += 100;
      controller.enqueue(new Uint8Array(100));
    },
  });
  const { headers } = await signed();
  const request = new Request('https://x.example', {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  });
  expect((await receive(request)).status).toBe(413);
  expect(pulled).toBeLessThan(3_000);
});

it('treats a request without a body like one with an empty body', async () => {
  const receive = webhook({ secret: SECRET, onError: () => undefined }, () => undefined);
  const { headers } = await signed('');
  const response = await receive(new Request('https://x.example', { method: 'POST', headers }));
  expect(await response.json()).toMatchObject({ error: 'invalid_json' });
});
