import type { IncomingMessage } from 'node:http';
import { expect, it, vi } from 'vitest';
import { describeAdapter } from '../../test/adapter-suite.ts';
import { listen } from '../../test/listen.ts';
import { BODY, ENVELOPE, SECRET, signed } from '../../test/samples.ts';
import { webhook } from './node.ts';

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
])('takes a %s that somebody has kept', async (_name, kept) => {
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
])('answers 400 at once, and says why, when the stream was %s before', async (_name, read) => {
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

it('prints what the receiver has to mend, and nothing about refused calls, unless onError is set', async () => {
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
