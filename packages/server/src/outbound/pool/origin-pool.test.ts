import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, it, vi } from 'vitest';
import { makeCertificate } from '../certificate.fixture.ts';
import { exchange } from '../exchange.ts';
import { answers, clientFor, listen } from '../receiver.fixture.ts';
import type { PoolOptions } from './connection-pool.ts';

const PATIENT = { timeout: 10_000 };
const CALLS = 20;
const certificate = makeCertificate('receiver.test', [2020, 2100]);

/**
 * A pool, and a function that calls a port through it. Each call returns the body, or the kind of the
 * failure.
 */
function poolTo(port: number, options: Partial<PoolOptions> = {}) {
  const pool = clientFor({
    policy: { allowHttpLocalhost: true },
    resolve: answers('127.0.0.1'),
    ca: certificate.cert,
    ...options,
  });
  const call = async (timeoutMs = 10_000): Promise<string> => {
    const result = await exchange(pool, {
      method: 'POST',
      url: `https://receiver.test:${port}/`,
      headers: {},
      body: Buffer.from('{}'),
      timeoutMs,
      readBytes: 1_000,
      keepBytes: 1_000,
    });
    return 'response' in result ? result.response.body.toString() : result.failure.kind;
  };
  const calls = (count: number, timeoutMs?: number) =>
    Promise.all(Array.from({ length: count }, () => call(timeoutMs)));
  return { pool, call, calls };
}

const all = (text: string, count = CALLS) => Array.from({ length: count }, () => text);
const quick = (): Server => createServer(certificate, (_request, response) => void response.end('hello'));

it('a burst to a receiver that responds at once does not make a connection for each call', async () => {
  const receiver = await listen(quick());
  const { calls } = poolTo(receiver.port);
  expect(await calls(CALLS)).toEqual(all('hello'));
  // The number depends on the duration of a handshake.
  expect(receiver.connections()).toBeLessThan(CALLS);
});

it('a slow receiver gets as many connections as calls are under way', async () => {
  const open: (() => void)[] = [];
  const server = createServer(
    certificate,
    (_request, response) => void open.push(() => response.end('late')),
  );
  const receiver = await listen(server);
  const { calls } = poolTo(receiver.port);
  const called = calls(CALLS);
  // The receiver responds to none before all have arrived.
  await vi.waitFor(() => expect(open).toHaveLength(CALLS), PATIENT);
  for (const respond of open) respond();
  expect(await called).toEqual(all('late'));
  expect(receiver.connections()).toBe(CALLS);
});

it('calls that wait go on when connections end with their response', async () => {
  const server = createServer(certificate, (_request, response) => {
    response.setHeader('Connection', 'close').end('bye');
  });
  const { calls } = poolTo((await listen(server)).port);
  expect(await calls(CALLS)).toEqual(all('bye'));
});

// Each call finds a connection that looks alive and is not, and then must not get another such.
it('calls succeed when each connection ends after its first response without a word', async () => {
  const server = createTlsServer(certificate, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbye'));
  });
  const { calls } = poolTo((await listen(server)).port, { connectionsPerOrigin: 4 });
  expect(await calls(5 * CALLS)).toEqual(all('bye', 5 * CALLS));
});

// The connection was made for a call that gave up, and has waited for another since.
it('a call succeeds although the idle connection that it gets is dead', async () => {
  const connected: Socket[] = [];
  const server = createTlsServer(certificate, (socket) => {
    const isDead = connected.push(socket) === 1;
    socket.on('error', () => undefined);
    socket.once('data', () =>
      isDead ? socket.destroy() : socket.end('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbye'),
    );
  });
  const { port } = await listen(server);
  const addresses = Promise.withResolvers<{ address: string; family: number }[]>();
  const { call } = poolTo(port, { resolve: () => addresses.promise });
  expect(await call(50)).toBe('timeout');
  addresses.resolve([{ address: '127.0.0.1', family: 4 }]);
  await vi.waitFor(() => expect(connected).toHaveLength(1), PATIENT);
  expect(await call()).toBe('bye');
});

it('calls that wait for a connection which cannot be made fail with it', async () => {
  const server = createTcpServer((socket) => socket.destroy());
  const { calls } = poolTo((await listen(server)).port);
  expect(await calls(5)).toEqual(all('connect', 5));
});

it('calls go on when the machine that got the first connection never says a word', async () => {
  const secure = quick();
  const silent: Socket[] = [];
  // Hands all connections but the first to the server.
  const balancer = createTcpServer((socket) => {
    if (silent.length === 0) silent.push(socket);
    else secure.emit('connection', socket);
  });
  const { calls } = poolTo((await listen(balancer)).port);
  expect(await calls(CALLS)).toEqual(all('hello'));
  silent[0]?.destroy();
});

it('a call whose deadline has passed while it waited makes no connection', async () => {
  const sockets: Socket[] = [];
  const silent = await listen(createTcpServer((socket) => void sockets.push(socket.resume())));
  const { calls } = poolTo(silent.port);
  expect(await calls(5, 200)).toEqual(all('timeout', 5));
  const [first] = sockets;
  first?.destroy();
  if (first) await once(first, 'close');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(silent.connections()).toBe(1);
});

it('the end of the pool leaves no call waiting forever', async () => {
  const receiver = await listen(quick());
  const { pool, calls } = poolTo(receiver.port);
  const called = calls(CALLS);
  await vi.waitFor(() => expect(receiver.connections()).toBeGreaterThan(0), PATIENT);
  pool.destroy();
  expect(await called).toHaveLength(CALLS);
});
