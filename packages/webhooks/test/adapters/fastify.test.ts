import { Readable } from 'node:stream';
import Fastify, { type FastifyRequest } from 'fastify';
import { expect, it, vi } from 'vitest';
import { describeAdapter } from '../adapter-suite.ts';
import { BODY, ENVELOPE, SECRET, signed } from '../samples.ts';
import { webhook } from '../../src/adapters/fastify.ts';

describeAdapter('Fastify', async (options, handler) => {
  const app = Fastify({ forceCloseConnections: true });
  await app.register(webhook(options, handler), { prefix: '/hooks' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: `${app.listeningOrigin}/hooks`, stop: () => app.close() };
});

it('leaves the parsers of the rest of the application as they are', async () => {
  const app = Fastify();
  await app.register(
    webhook({ secret: SECRET }, () => undefined),
    { prefix: '/hooks' },
  );
  app.post('/echo', (request) => request.body);
  const response = await app.inject({ method: 'POST', url: '/echo', payload: { parsed: true } });
  expect(response.json()).toEqual({ parsed: true });
  await app.close();
});

it('works with inject, and gives the Fastify request to the handler', async () => {
  const handler = vi.fn();
  const app = Fastify();
  await app.register(
    webhook({ secret: SECRET }, (event, request: FastifyRequest) => handler(event, request.url)),
    { prefix: '/hooks' },
  );
  const { headers } = await signed();
  const response = await app.inject({ method: 'POST', url: '/hooks', headers, payload: BODY });
  expect(response.statusCode).toBe(200);
  expect(handler.mock.calls).toEqual([[ENVELOPE, '/hooks']]);
  await app.close();
});

it('reads the stream that a preParsing hook has put in place of the request', async () => {
  const app = Fastify();
  app.addHook('preParsing', async (_request, _reply, payload) => Readable.from(await payload.toArray()));
  await app.register(
    webhook({ secret: SECRET }, () => undefined),
    { prefix: '/hooks' },
  );
  const { headers } = await signed();
  const call = {
    method: 'POST',
    url: '/hooks',
    headers: { ...headers, 'content-type': 'application/json' },
  } as const;
  expect((await app.inject({ ...call, payload: BODY })).statusCode).toBe(200);
  await app.close();
});
