import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isLoopbackAddress } from './address.ts';
import { type Certificate, makeCertificate } from './certificate.fixture.ts';
import type { HttpClient, Resolve } from './http-client.ts';
import { exchange } from './exchange.ts';
import type { PendingExchange } from './pool/http-connection.ts';
import { answers, clientFor, listen } from './receiver.fixture.ts';
import type { TargetPolicy } from './target.ts';

const STRICT: TargetPolicy = { allowHttpLocalhost: false };
// Names that resolve to this machine can be called over TLS.
const LOCAL: TargetPolicy = { allowHttpLocalhost: true };

async function get(through: HttpClient, url: string): Promise<string> {
  const result = await exchange(through, {
    method: 'GET',
    url,
    headers: {},
    body: null,
    timeoutMs: 5_000,
    readBytes: 1_000,
    keepBytes: 1_000,
  });
  return 'response' in result
    ? `${result.response.status} ${result.response.body.toString()}`
    : result.failure.kind;
}

const callOf = (events: Partial<PendingExchange>): PendingExchange => ({
  method: 'GET',
  bytes: [Buffer.from('GET / HTTP/1.1\r\nHost: receiver\r\n\r\n')],
  isOver: false,
  needsNew: false,
  onStart: () => undefined,
  onHead: () => undefined,
  onBody: () => undefined,
  onEnd: () => undefined,
  onError: () => undefined,
  ...events,
});

const ok: RequestListener = (_request, response) => void response.end('hello');
describe('the guard at the moment of the connection', () => {
  let certificate: Certificate;
  let witness: { port: number; connections: () => number };

  beforeEach(async () => {
    certificate = makeCertificate('receiver.test', [2020, 2100]);
    witness = await listen(createTlsServer(certificate, ok));
  });

  it.each([
    ['a private answer', answers('127.0.0.1')],
    ['a mapped private answer', answers('::ffff:127.0.0.1')],
    ['a mixed answer, private last', answers('93.184.215.14', '127.0.0.1')],
    ['a mixed answer, private first', answers('127.0.0.1', '93.184.215.14')],
    ['a metadata answer', answers('169.254.169.254')],
    ['an answer that is not an address', answers('localhost')],
  ])('does not connect after %s', async (_what, resolve) => {
    const strict = clientFor({ policy: STRICT, resolve, ca: certificate.cert });
    expect(await get(strict, `https://receiver.test:${witness.port}/`)).toBe('blocked');
    expect(witness.connections()).toBe(0);
  });

  it.each(['127.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '2130706433', '0'])(
    'does not connect to the literal host %s',
    async (host) => {
      const strict = clientFor({ policy: STRICT });
      expect(await get(strict, `https://${host}:${witness.port}/`)).toBe('blocked');
      expect(witness.connections()).toBe(0);
    },
  );

  it('guards a literal address even if the URL was not checked before', async () => {
    const strict = clientFor({ policy: STRICT });
    const blocked = new Promise<Error>((resolve) => {
      strict.pool.send(new URL(`https://127.0.0.1:${witness.port}`), callOf({ onError: resolve }));
    });
    expect(await blocked).toMatchObject({ code: 'ERR_BLOCKED_TARGET' });
    expect(witness.connections()).toBe(0);
  });

  it('checks every connection again, so that a name that turns private later is refused', async () => {
    let address = '127.0.0.1';
    const resolve: Resolve = () => Promise.resolve([{ address, family: 4 }]);
    const local = clientFor({ policy: LOCAL, resolve, ca: certificate.cert });
    expect(await get(local, `https://receiver.test:${witness.port}/`)).toBe('200 hello');
    address = '10.0.0.1';
    const elsewhere = await listen(createTlsServer(certificate, ok));
    expect(await get(local, `https://receiver.test:${elsewhere.port}/`)).toBe('blocked');
    expect(elsewhere.connections()).toBe(0);
  });

  it('dials the address that was checked: a resolver whose second answer would differ is not asked again', async () => {
    const resolve = vi
      .fn<Resolve>()
      .mockImplementationOnce(answers('127.0.0.1'))
      .mockImplementation(answers('10.0.0.1'));
    const local = clientFor({ policy: LOCAL, resolve, ca: certificate.cert });
    expect(await get(local, `https://receiver.test:${witness.port}/`)).toBe('200 hello');
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it('lets http reach this machine and nothing else when that is allowed', async () => {
    const plain = await listen(createHttpServer(ok));
    const local = clientFor({ policy: LOCAL });
    expect(await get(local, `http://127.0.0.1:${plain.port}/`)).toBe('200 hello');
    expect(await get(local, `http://localhost:${plain.port}/`)).toBe('200 hello');
    const lied = clientFor({ policy: LOCAL, resolve: answers('10.0.0.1') });
    expect(await get(lied, `http://localhost:${plain.port}/`)).toBe('blocked');
    expect(plain.connections()).toBeLessThanOrEqual(2);
  });

  it('asks only the resolver about names without an address', async () => {
    const strict = clientFor({ policy: STRICT, resolve: answers() });
    expect(await get(strict, 'https://receiver.test/')).toBe('dns');
  });

  it('survives a resolver that fails', async () => {
    const strict = clientFor({
      policy: STRICT,
      resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' })),
    });
    expect(await get(strict, 'https://receiver.test/')).toBe('dns');
  });

  it('calls any URL that the operator configured when there is no policy', async () => {
    const plain = await listen(createHttpServer(ok));
    const trusted = clientFor({ policy: null });
    expect(await get(trusted, `http://127.0.0.1:${plain.port}/`)).toBe('200 hello');
    expect(await get(trusted, 'file:///etc/passwd')).toBe('protocol');
  });
});

describe('the environment', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is not asked for a proxy', async () => {
    const proxy = await listen(createHttpServer(ok));
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    const receiver = await listen(createHttpServer((_request, response) => void response.end('direct')));
    const local = clientFor({ policy: LOCAL });
    expect(await get(local, `http://127.0.0.1:${receiver.port}/`)).toBe('200 direct');
    expect(proxy.connections()).toBe(0);
  });

  it('cannot switch certificate checks off', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const receiver = await listen(createTlsServer(makeCertificate('receiver.test', [2020, 2100]), ok));
    const local = clientFor({ policy: LOCAL, resolve: answers('127.0.0.1') });
    expect(await get(local, `https://receiver.test:${receiver.port}/`)).toBe('tls');
  });
});

describe('the pool', () => {
  it('reuses a connection and says which requests are not the first on it', async () => {
    const receiver = await listen(createHttpServer(ok));
    const local = clientFor({ policy: LOCAL });
    const reused: boolean[] = [];
    const url = new URL(`http://127.0.0.1:${receiver.port}`);
    for (let index = 0; index < 3; index += 1) {
      await new Promise<void>((onEnd, onError) => {
        const onStart: PendingExchange['onStart'] = (_connection, isReused) => void reused.push(isReused);
        local.pool.send(url, callOf({ onStart, onEnd, onError }));
      });
    }
    expect(reused).toEqual([false, true, true]);
    expect(receiver.connections()).toBe(1);
  });

  it('opens no more connections to one origin than it may', async () => {
    const waiting: (() => void)[] = [];
    const receiver = await listen(
      createHttpServer((_request, response) => void waiting.push(() => response.end('late'))),
    );
    const local = clientFor({ policy: LOCAL, connectionsPerOrigin: 2 });
    const results = Promise.all(
      Array.from({ length: 5 }, () => get(local, `http://127.0.0.1:${receiver.port}/`)),
    );
    let responses = 0;
    while (responses < 5) {
      await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0), { timeout: 10_000 });
      waiting.shift()?.();
      responses += 1;
    }
    expect(await results).toEqual(Array.from({ length: 5 }, () => '200 late'));
    expect(receiver.connections()).toBe(2);
  });
});

describe('connections that are kept', () => {
  it('are limited over all origins: those to further origins are closed after their response', async () => {
    const closed: Promise<unknown>[] = [];
    const server = () =>
      createHttpServer(ok).on('connection', (socket) => void closed.push(once(socket, 'close')));
    const receivers = await Promise.all(Array.from({ length: 4 }, () => listen(server())));
    const local = clientFor({ policy: LOCAL, keptConnections: 2 });
    const callAll = async () => {
      for (const { port } of receivers)
        expect(await get(local, `http://127.0.0.1:${port}/`)).toBe('200 hello');
    };
    await callAll();
    await Promise.all(closed.slice(2));
    await callAll();
    expect(receivers.map(({ connections }) => connections())).toEqual([1, 1, 2, 2]);
  });

  it('are idle ones: calls under way do not count', async () => {
    const held: (() => void)[] = [];
    const slow = await listen(
      createHttpServer((_request, response) => void held.push(() => response.end('late'))),
    );
    const quick = await listen(createHttpServer(ok));
    const local = clientFor({ policy: LOCAL, keptConnections: 2 });
    const calls = Array.from({ length: 4 }, () => get(local, `http://127.0.0.1:${slow.port}/`));
    await vi.waitFor(() => expect(held).toHaveLength(4), { timeout: 10_000 });
    for (let call = 0; call < 3; call += 1)
      expect(await get(local, `http://127.0.0.1:${quick.port}/`)).toBe('200 hello');
    expect(quick.connections()).toBe(1);
    for (const respond of held) respond();
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 4 }, () => '200 late'));
  });

  it('are not needed to resume a TLS session, whose certificate was verified once', async () => {
    const resumed: boolean[] = [];
    const certificate = makeCertificate('receiver.test', [2020, 2100]);
    const server = createTlsServer(certificate, (_request, response) => {
      response.setHeader('connection', 'close').end('hello');
    });
    server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()));
    const receiver = await listen(server);
    const local = clientFor({ policy: LOCAL, resolve: answers('127.0.0.1'), ca: certificate.cert });
    for (let call = 0; call < 3; call += 1) {
      // Sessions must outlive a garbage collection.
      globalThis.gc?.();
      expect(await get(local, `https://receiver.test:${receiver.port}/`)).toBe('200 hello');
    }
    expect(resumed).toEqual([false, true, true]);
  });
});

it('closes a connection that is still being made when the pool is destroyed', async () => {
  const closed = vi.fn();
  const silent = await listen(createTcpServer((socket) => socket.on('close', closed).resume()));
  const local = clientFor({ policy: LOCAL, resolve: answers('127.0.0.1') });
  const result = get(local, `https://receiver.test:${silent.port}/`);
  await vi.waitFor(() => expect(silent.connections()).toBe(1), { timeout: 4_000 });
  local.destroy();
  expect(await result).toBe('connect');
  // Otherwise its handshake would continue for 30 s and keep the process alive.
  await vi.waitFor(() => expect(closed).toHaveBeenCalled(), { timeout: 10_000 });
});

it('recognizes loopback addresses in both families and in mapped form', () => {
  expect(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'].every(isLoopbackAddress)).toBe(true);
  expect(['128.0.0.1', '::2', '0.0.0.0', 'localhost'].some(isLoopbackAddress)).toBe(false);
});
