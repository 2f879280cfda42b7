import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { describeAdapter } from '../adapter-suite.ts';
import { listen } from '../listen.ts';
import { BODY, ENVELOPE, SECRET, signed } from '../samples.ts';
import { webhook } from '../../src/adapters/node.ts';

describeAdapter('node:http', (options, handler) =>
  Promise.resolve().then(() => listen(webhook(options, handler))),
);

it('gives the request to the handler', async () => {
  const urls: (string | undefined)[] = [];
  const server = await listen(webhook({ secret: SECRET }, (_event, request) => urls.push(request.url)));
  await fetch(server.url, { method: 'POST', ...((await signed()) as RequestInit) });
  expect(urls).toEqual(['/hooks']);
  await server.stop();
});

it.each([
  ['rawBody as bytes', { rawBody: Buffer.from(BODY), body: ENVELOPE }],
  ['rawBody as text', { rawBody: BODY, body: ENVELOPE }],
  ['body as bytes', { body: Buffer.from(BODY) }],
  ['body as text', { body: BODY }],
])('accepts a %s that a parser has kept', async (_name, kept) => {
  const handler = vi.fn();
  const receive = webhook({ secret: SECRET }, handler);
  const server = await listen(async (request, response) => {
    await request.toArray();
    await receive(Object.assign(request, kept), response);
  });
  const response = await fetch(server.url, { method: 'POST', ...((await signed()) as RequestInit) });
  expect(response.status).toBe(200);
  expect(handler.mock.calls[0]?.[0]).toEqual(ENVELOPE);
  await server.stop();
});

it.each([
  ['read to its end', async (request: IncomingMessage) => void (await request.toArray())],
  [
    'read in part',
    (request: IncomingMessage) =>
      new Promise((resolve) => request.once('readable', () => resolve(request.read(4)))),
  ],
])('responds with 400 at once, and says why, when the stream was %s before', async (_name, read) => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  const receive = webhook({ secret: SECRET }, () => undefined);
  const server = await listen(async (request, response) => {
    await read(request);
    await receive(request, response);
  });
  const response = await fetch(server.url, { method: 'POST', ...((await signed()) as RequestInit) });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: 'body_already_parsed', message: /express\.raw\(\)/ });
  expect(printed.mock.lastCall?.[0]).toMatchObject({ reason: 'body_already_parsed' });
  printed.mockRestore();
  await server.stop();
});

it('prints errors that the receiver has to fix, but no refused calls, unless onError is set', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  const failure = new Error('down');
  const server = await listen(webhook({ secret: SECRET }, () => Promise.reject(failure)));
  await fetch(server.url, { method: 'POST', body: BODY });
  expect(printed).not.toHaveBeenCalled();
  await fetch(server.url, { method: 'POST', ...((await signed()) as RequestInit) });
  expect(printed.mock.calls).toEqual([[failure]]);
  printed.mockRestore();
  await server.stop();
});

describe('the response', () => {
  const timedOut = (response: ServerResponse) => response.writeHead(503).end('timed out');

  it('is not sent after a middleware has responded while the handler ran', async () => {
    const { promise: handled, resolve } = Promise.withResolvers<void>();
    const onError = vi.fn();
    const receive = webhook({ secret: SECRET, onError }, () => handled);
    const server = await listen(async (request, response) => {
      const received = receive(request, response);
      timedOut(response);
      resolve();
      await expect(received).resolves.toBeUndefined();
    });
    const response = await fetch(server.url, { method: 'POST', ...((await signed()) as RequestInit) });
    expect([response.status, await response.text()]).toEqual([503, 'timed out']);
    expect(onError).not.toHaveBeenCalled();
    await server.stop();
  });

  it('is not sent if the connection is gone before the handler is done', async () => {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const { promise: received, resolve: settle } = Promise.withResolvers<unknown>();
    const receive = webhook({ secret: SECRET }, () => gone);
    const server = await listen((request, response) => {
      response.on('close', resolve);
      settle(receive(request, response));
      response.destroy();
    });
    await expect(
      fetch(server.url, { method: 'POST', ...((await signed()) as RequestInit) }),
    ).rejects.toThrow();
    await expect(received).resolves.toBeUndefined();
    await server.stop();
  });

  it('ends the connection, and calls onError, if the response itself throws', async () => {
    const onError = vi.fn();
    const broken = new Error('a middleware wraps writeHead');
    const receive = webhook({ secret: SECRET, onError }, () => undefined);
    const server = await listen(async (request, response) => {
      vi.spyOn(response, 'writeHead').mockImplementation(() => {
        throw broken;
      });
      await expect(receive(request, response)).resolves.toBeUndefined();
    });
    await expect(
      fetch(server.url, { method: 'POST', ...((await signed()) as RequestInit) }),
    ).rejects.toThrow();
    expect(onError.mock.calls).toEqual([[broken]]);
    await server.stop();
  });
});

it('responds with 500 when a getter for the body throws, and calls onError', async () => {
  const onError = vi.fn();
  const broken = new Error('no body for you');
  const receive = webhook({ secret: SECRET, onError }, () => undefined);
  const server = await listen((request, response) => {
    Object.defineProperty(request, 'body', {
      get: () => {
        throw broken;
      },
    });
    return receive(request, response);
  });
  const response = await fetch(server.url, { method: 'POST', ...((await signed()) as RequestInit) });
  expect(response.status).toBe(500);
  expect(onError.mock.calls).toEqual([[broken]]);
  await server.stop();
});

it('measures a body that is kept as text by its UTF-8 bytes', async () => {
  const body = JSON.stringify({ ...ENVELOPE, data: { text: '€'.repeat(1_000) } });
  const size = Buffer.byteLength(body);
  for (const [maxBodyBytes, status] of [
    [size, 200],
    [size - 1, 413],
  ] as const) {
    const receive = webhook({ secret: SECRET, maxBodyBytes, onError: () => undefined }, () => undefined);
    const server = await listen(async (request, response) => {
      await request.toArray();
      await receive(Object.assign(request, { rawBody: body }), response);
    });
    const call = (await signed(body)) as RequestInit;
    expect((await fetch(server.url, { method: 'POST', ...call })).status).toBe(status);
    await server.stop();
  }
});
