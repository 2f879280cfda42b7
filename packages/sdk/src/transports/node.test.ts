import { execFile } from 'node:child_process';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../test/client.ts';
import { scripted, type Step } from '../../test/scripted-server.ts';
import type { TransportRequest } from '../core/transport.ts';
import { readText } from '../run/body.ts';
import { nodeTransport } from './node.ts';

const ok: Step = { status: 200, body: { id: 'ws_1' } };

/** A transport with one kept connection, so that each request reuses that of the request before. */
function withOneConnection() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const transport = nodeTransport({ agent: () => agent });
  return async (url: string, more: Partial<TransportRequest> = {}) => {
    const signal = new AbortController().signal;
    const { status, body } = await transport({ method: 'GET', url, headers: {}, signal, ...more });
    await readText(body, 1_000);
    return status;
  };
}

describe('a kept connection that turns out to be dead before the response', () => {
  it.each<[string, Partial<TransportRequest>]>([
    ['a read', {}],
    ['a write with its key', { method: 'POST', headers: { 'idempotency-key': 'key_1' }, body: '{}' }],
  ])('is replaced at once for %s', async (_what, request) => {
    await using server = await scripted(ok, 'reset', ok);
    const send = withOneConnection();
    expect([await send(server.baseURL), await send(server.baseURL, request)]).toEqual([200, 200]);
    const { method = 'GET', headers = {}, body = '' } = request;
    expect(server.requests.slice(1)).toMatchObject([
      { method, headers, body },
      { method, headers, body },
    ]);
  });

  it('is not replaced for a write without a key, which may have happened', async () => {
    await using server = await scripted(ok, 'reset', ok);
    const send = withOneConnection();
    await send(server.baseURL);
    expect(await failureOf(send(server.baseURL, { method: 'POST', body: '{}' }))).toMatchObject({
      code: 'ECONNRESET',
    });
    expect(server.requests).toHaveLength(2);
  });

  it('is replaced by a new one, whose failure is final', async () => {
    await using server = await scripted(ok, 'reset', 'reset', ok);
    const send = withOneConnection();
    await send(server.baseURL);
    expect(await failureOf(send(server.baseURL))).toMatchObject({ code: 'ECONNRESET' });
    expect(server.requests).toHaveLength(3);
  });

  it('is not replaced after an abort, and the rejection is its reason, even null', async () => {
    const controller = new AbortController();
    await using server = await scripted(ok, (response) => {
      controller.abort(null);
      response.destroy();
    });
    const send = withOneConnection();
    await send(server.baseURL);
    expect(await failureOf(send(server.baseURL, { signal: controller.signal }))).toBeNull();
    expect(server.requests).toHaveLength(2);
  });
});

it('sends the length of a body, with every method', async () => {
  await using server = await scripted(ok);
  const send = withOneConnection();
  for (const method of ['POST', 'PATCH', 'DELETE']) await send(server.baseURL, { method, body: '{"ü":1}' });
  await send(server.baseURL, { method: 'POST' });
  expect(server.requests.map(({ headers }) => headers['content-length'])).toEqual(['8', '8', '8', '0']);
  expect(server.requests.map(({ body }) => body)).toEqual(['{"ü":1}', '{"ü":1}', '{"ü":1}', '']);
});

it('sends nothing once its signal has aborted', async () => {
  await using server = await scripted(ok);
  const signal = AbortSignal.abort(new Error('enough'));
  expect(await failureOf(withOneConnection()(server.baseURL, { signal }))).toMatchObject({
    message: 'enough',
  });
  expect(server.requests).toHaveLength(0);
});

it('leaves no listener on a signal that outlives the request', async () => {
  await using server = await scripted(ok);
  const { signal } = new AbortController();
  const listeners: string[] = [];
  signal.addEventListener = () => void listeners.push('added');
  signal.removeEventListener = () => void listeners.push('removed');
  const send = withOneConnection();
  await send(server.baseURL, { signal });
  await send(server.baseURL, { signal });
  expect(listeners.slice(0, 3)).toEqual(['added', 'removed', 'added']);
});

it('reads a gzip bomb no further than it is asked to', async () => {
  const bomb = gzipSync(Buffer.alloc(100_000_000));
  await using server = await scripted((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  const signal = new AbortController().signal;
  const { body } = await nodeTransport()({ method: 'GET', url: server.baseURL, headers: {}, signal });
  expect(await readText(body, 1_000_000)).toBeNull();
});

it.each(['zstd', 'gzip, br', '__proto__', 'toString'])('leaves a body in %s as it is', async (coding) => {
  await using server = await scripted({ status: 200, headers: { 'content-encoding': coding }, body: 'raw' });
  const signal = new AbortController().signal;
  const { body } = await nodeTransport()({ method: 'GET', url: server.baseURL, headers: {}, signal });
  expect(await readText(body, 1_000)).toBe('raw');
});

it('does not keep the process alive', async () => {
  await using server = await scripted(ok);
  const program = `
    import { Hubline } from ${JSON.stringify(new URL('../index.ts', import.meta.url).href)};
    const client = new Hubline({ apiKey: 'hl_test', baseURL: ${JSON.stringify(server.baseURL)} });
    await client.workspaces.get('ws_1');
    const start = performance.now();
    process.on('exit', () => console.log(performance.now() - start));
  `;
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd });
  // A kept connection is closed after 5 seconds at the latest. The process must not wait for that.
  expect(Number(stdout)).toBeLessThan(4_000);
});
