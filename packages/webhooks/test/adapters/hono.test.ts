import { serve, type ServerType } from '@hono/node-server';
import { Hono } from 'hono';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { describeAdapter } from '../adapter-suite.ts';
import { BODY, ENVELOPE, SECRET, signed } from '../samples.ts';
import { webhook } from '../../src/adapters/hono.ts';

async function start(app: Hono) {
  const server = await new Promise<ServerType>((resolve) => {
    const starting = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(starting));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

describeAdapter('Hono', (options, handler) =>
  Promise.resolve().then(() => start(new Hono().post('/hooks', webhook(options, handler)))),
);

it.each([
  ['json', (app: Hono) => app.use(async (c, next) => (await c.req.json(), next()))],
  ['text', (app: Hono) => app.use(async (c, next) => (await c.req.text(), next()))],
  ['arrayBuffer', (app: Hono) => app.use(async (c, next) => (await c.req.arrayBuffer(), next()))],
])('takes the raw body from the cache of Hono when a middleware has read it as %s', async (_name, read) => {
  const handler = vi.fn();
  const app = new Hono();
  read(app);
  app.post('/hooks', webhook({ secret: SECRET }, handler));
  const { headers } = await signed();
  expect((await app.request('/hooks', { method: 'POST', headers, body: BODY })).status).toBe(200);
  expect(handler.mock.calls[0]?.[0]).toEqual(ENVELOPE);
  const server = await start(app);
  expect((await fetch(server.url, { method: 'POST', headers, body: BODY })).status).toBe(200);
  await server.stop();
});

it('responds with 400 when a middleware has read the raw request, past the cache of Hono', async () => {
  const app = new Hono();
  app.use(async (c, next) => (await c.req.raw.text(), next()));
  app.post(
    '/hooks',
    webhook({ secret: SECRET, onError: () => undefined }, () => undefined),
  );
  const { headers } = await signed();
  const response = await app.request('/hooks', { method: 'POST', headers, body: BODY });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'body_already_parsed' });
});

it('gives the context of Hono, with its types, to the handler', async () => {
  const teams: string[] = [];
  const app = new Hono<{ Bindings: { TEAM: string } }>();
  app.post('/hooks', (c) =>
    webhook({ secret: SECRET }, (_event, context: typeof c) => teams.push(context.env.TEAM))(c),
  );
  const { headers } = await signed();
  await app.request('/hooks', { method: 'POST', headers, body: BODY }, { TEAM: 'blue' });
  expect(teams).toEqual(['blue']);
});
