import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nextTurn } from '../../clock/timer.ts';
import { makeCertificate } from '../../outbound/certificate.fixture.ts';
import { answers, clientFor, listen, listenRaw } from '../../outbound/receiver.fixture.ts';
import type { HttpClient } from '../../outbound/http-client.ts';
import type { TargetPolicy } from '../../outbound/target.ts';
import { parseRetryAfter } from '../../outbound/retry-after.ts';
import type { CallResult } from './call.ts';
import { post as postOnce } from './make-call.ts';

const LOCAL: TargetPolicy = { allowHttpLocalhost: true };
const NOW = new Date('2026-01-02T03:04:05.000Z');
const BODY = Buffer.from('{"id":"dlv_01"}');
// The deadline for receivers that never respond. Those that do have more time.
const SHORT_MS = 300;
const LONG_MS = 20_000;
const LONGER_THAN_A_ROUND_TRIP_MS = 1_001;

/** Posts with time enough for everything. */
const send = (
  client: HttpClient,
  request: Omit<Parameters<typeof postOnce>[1], 'timeoutMs'> & { timeoutMs?: number },
) => postOnce(client, { timeoutMs: LONG_MS, ...request });

function post(port: number, timeoutMs: number, client = clientFor({ policy: LOCAL })): Promise<CallResult> {
  const url = `http://127.0.0.1:${port}/hook?a=b`;
  return send(client, { url, headers: { 'x-test': '1' }, body: BODY, timeoutMs });
}

function flood(socket: Socket, chunk: Buffer): void {
  const pump = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pump);
  pump();
}

const status = (line: string, ...headers: string[]) => ['HTTP/1.1 ' + line, ...headers, '', ''].join('\r\n');

// The table of hostile receivers is in test/hostile. It runs against the whole server.
describe('a hostile receiver', () => {
  it('is cut off soon after the first 64 KiB', async () => {
    let sent: Socket | undefined;
    const receiver = await listenRaw((socket) => {
      sent = socket;
      socket.write(status('200 OK'));
      flood(socket, Buffer.alloc(65_536));
    });
    expect(await post(receiver.port, LONG_MS)).toMatchObject({ ok: true, response: { status: 200 } });
    await vi.waitFor(() => expect(sent?.destroyed).toBe(true), { timeout: 10_000 });
    // As much as the kernel's buffers on both sides take, not the endless body.
    expect(sent?.bytesWritten).toBeLessThan(32 * 1024 * 1024);
  });

  it('cannot respond to the next request in advance', async () => {
    const receiver = await listenRaw((socket) =>
      socket.write(
        status('200 OK', 'content-length: 1') + '1' + status('200 OK', 'content-length: 6') + 'forged',
      ),
    );
    const client = clientFor({ policy: LOCAL });
    for (let index = 0; index < 3; index += 1) {
      expect((await post(receiver.port, LONG_MS, client)).response?.body).toBe('1');
    }
  });

  it('cannot reach into objects with header names', async () => {
    const names = ['__proto__: x', 'constructor: x', 'prototype: x', 'toString: x', 'hasOwnProperty: x'];
    const receiver = await listenRaw((socket) => socket.end(status('200 OK', ...names, 'content-length: 0')));
    const { response } = await post(receiver.port, LONG_MS);
    expect(Object.getOwnPropertyNames(response?.headers)).toEqual([
      'constructor',
      'prototype',
      'tostring',
      'hasownproperty',
      'content-length',
    ]);
    // As a program might copy what the API returns.
    expect(Object.getPrototypeOf(Object.assign({}, JSON.parse(JSON.stringify(response?.headers))))).toBe(
      Object.prototype,
    );
  });
});

describe('the part of a response that is kept', () => {
  it('is bounded in number and size, and holds no cookie', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `x-${index}: ${'v'.repeat(100)}`);
    const receiver = await listenRaw((socket) =>
      socket.end(
        status(
          '200 OK',
          'set-cookie: session=hunter2',
          'set-cookie: b=hunter3',
          'x-two: 1',
          'x-two: 2',
          ...many,
        ),
      ),
    );
    const { response } = await post(receiver.port, LONG_MS);
    expect(response?.headers).toMatchObject({
      'set-cookie': '[redacted]',
      'x-two': '1, 2',
      'x-0': 'v'.repeat(100),
    });
    expect(Object.keys(response?.headers ?? {}).length).toBeLessThanOrEqual(64);
    expect(JSON.stringify(response)).not.toContain('hunter');

    const large = await listenRaw((socket) =>
      socket.end(status('200 OK', ...['a', 'b', 'c'].map((name) => `x-${name}: ${'v'.repeat(4_000)}`))),
    );
    expect(Object.keys((await post(large.port, LONG_MS)).response?.headers ?? {})).toEqual(['x-a', 'x-b']);
  });

  it('tells nothing of the connection', async () => {
    const ofConnection = ['Connection: Keep-Alive', 'Keep-Alive: timeout=5', 'Transfer-Encoding: chunked'];
    const receiver = await listenRaw((socket) =>
      socket.end(`${status('200 OK', 'x-request-id: 7', ...ofConnection)}0\r\n\r\n`),
    );
    expect((await post(receiver.port, LONG_MS)).response?.headers).toEqual({ 'x-request-id': '7' });
  });

  it('is text: bad UTF-8 is replaced, NUL is dropped, and a character is never cut in half', async () => {
    const bodies = [
      Buffer.from('a\0b\xff', 'latin1'),
      Buffer.from('é'.repeat(3_000)),
      Buffer.from('x' + '😀'.repeat(2_000)),
    ];
    const receiver = await listenRaw((socket) =>
      socket.end(Buffer.concat([Buffer.from(status('200 OK')), bodies.shift() ?? Buffer.of()])),
    );
    expect((await post(receiver.port, LONG_MS)).response?.body).toBe('ab\uFFFD');
    expect((await post(receiver.port, LONG_MS)).response?.body).toBe('é'.repeat(2_048));
    expect((await post(receiver.port, LONG_MS)).response?.body).toBe('x' + '😀'.repeat(1_023));
  });
});

describe('the request', () => {
  it('arrives byte for byte, without an offer to compress the response', async () => {
    const seen = vi.fn();
    const receiver = await listen(
      createHttpServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          seen(request.method, request.url, request.headers, Buffer.concat(chunks).toString('hex'));
          response.end();
        });
      }),
    );
    const client = clientFor({ policy: LOCAL });
    const url = `http://localhost:${receiver.port}/a%20b/?q=1&q=%F0%9F%98%80`;
    const body = Buffer.from('fffe0080', 'hex');
    const outcome = await send(client, { url, headers: { 'x-service-signature': 'ab' }, body });
    expect(outcome).toMatchObject({ ok: true });
    const [method, path, headers, hex] = seen.mock.calls[0] ?? [];
    expect([method, path, hex]).toEqual(['POST', '/a%20b/?q=1&q=%F0%9F%98%80', 'fffe0080']);
    expect(headers).toMatchObject({
      'x-service-signature': 'ab',
      'content-length': '4',
      host: `localhost:${receiver.port}`,
    });
    expect(headers).not.toHaveProperty('accept-encoding');
    expect(headers).not.toHaveProperty('expect');
  });

  it.each([
    ['a line break in a header', { 'x-a': 'b\r\nx-evil: 1' }],
    ['NUL in a header', { 'x-a': 'b\0' }],
    ['an emoji in a header', { 'x-a': '😀' }],
    ['a header name with a space', { 'x a': 'b' }],
    ['a transfer-encoding of its own', { 'transfer-encoding': 'chunked' }],
  ])('with %s fails without being sent', async (_what, headers) => {
    const receiver = await listenRaw((socket) => socket.end(status('200 OK')));
    const request = { url: `http://127.0.0.1:${receiver.port}/`, headers, body: BODY };
    const outcome = await send(clientFor({ policy: LOCAL }), request);
    expect(outcome).toMatchObject({ ok: false, response: null, error: { kind: 'protocol' } });
    expect(receiver.connections()).toBe(0);
  });

  it.each(['', 'nonsense', 'file:///etc/passwd', 'https://user:hunter2@example.com/'])(
    'to %j fails without being sent',
    async (url) => {
      const outcome = await send(clientFor({ policy: LOCAL }), { url, headers: {}, body: BODY });
      expect(outcome).toMatchObject({ ok: false, error: { kind: 'protocol' } });
      expect(JSON.stringify(outcome)).not.toContain('hunter2');
    },
  );

  it('to a blocked target says so and nothing about what is there', async () => {
    const receiver = await listenRaw((socket) => socket.end(status('200 OK')));
    const client = clientFor({
      policy: { allowHttpLocalhost: false },
      resolve: answers('127.0.0.1'),
    });
    for (const host of ['127.0.0.1', 'receiver.test', '[::1]']) {
      const request = { url: `https://${host}:${receiver.port}/`, headers: {}, body: BODY };
      expect((await send(client, request)).error).toEqual({
        kind: 'blocked',
        message: 'blocked address',
      });
    }
    expect(receiver.connections()).toBe(0);
  });
});

describe('a connection that cannot be made', () => {
  it('fails as refused', async () => {
    const closed = await new Promise<number>((resolve) => {
      const server = createHttpServer().listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
      });
    });
    expect((await post(closed, LONG_MS)).error).toEqual({ kind: 'connect', message: 'connection refused' });
  });

  it('fails when the name does not resolve', async () => {
    const client = clientFor({
      policy: LOCAL,
      resolve: () =>
        Promise.reject(Object.assign(new Error('queryA ENOTFOUND secret.host'), { code: 'ENOTFOUND' })),
    });
    const request = { url: 'https://nowhere.test/', headers: {}, body: BODY };
    const outcome = await send(client, request);
    expect(outcome.error).toEqual({ kind: 'dns', message: 'the host name does not resolve' });
  });

  it('fails in time when the name server never responds, and sends nothing afterward', async () => {
    const receiver = await listenRaw((socket) => socket.end(status('200 OK')));
    let found: (() => void) | undefined;
    const late = new Promise<void>((resolve) => (found = resolve));
    const client = clientFor({
      policy: LOCAL,
      resolve: () => late.then(() => [{ address: '127.0.0.1', family: 4 }]),
    });
    const url = `http://late.localhost:${receiver.port}/`;
    const outcome = await send(client, { url, headers: {}, body: BODY, timeoutMs: SHORT_MS });
    expect(outcome.error).toEqual({ kind: 'timeout', message: 'no connection within 0.3 s' });
    found?.();
    // The next request of the same origin goes out; the one that was given up does not.
    expect((await send(client, { url, headers: {}, body: BODY, timeoutMs: LONG_MS })).ok).toBe(true);
  });

  const good = makeCertificate('receiver.test', [2020, 2100]);
  const expired = makeCertificate('receiver.test', [2001, 2002]);
  const wrong = makeCertificate('somebody-else.test', [2020, 2100]);
  it.each([
    ['is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)', good, undefined],
    ['has expired (CERT_HAS_EXPIRED)', expired, expired.cert],
    ['is for another name (ERR_TLS_CERT_ALTNAME_INVALID)', wrong, wrong.cert],
  ])('fails when the certificate %s', async (reason, certificate, ca) => {
    const requests = vi.fn();
    const receiver = await listen(createTlsServer(certificate, requests));
    const client = clientFor({
      policy: LOCAL,
      resolve: answers('127.0.0.1'),
      ...(ca ? { ca } : {}),
    });
    const request = { url: `https://receiver.test:${receiver.port}/`, headers: {}, body: BODY };
    const outcome = await send(client, request);
    expect(outcome).toMatchObject({
      ok: false,
      error: { kind: 'tls', message: `the certificate ${reason}` },
    });
    expect(requests).not.toHaveBeenCalled();
  });

  it('succeeds when the certificate is right, and fails when there is none', async () => {
    const receiver = await listen(createTlsServer(good, (_request, response) => void response.end()));
    const plain = await listen(createHttpServer((_request, response) => void response.end()));
    const client = clientFor({ policy: LOCAL, resolve: answers('127.0.0.1'), ca: good.cert });
    const to = (port: number) =>
      send(client, { url: `https://receiver.test:${port}/`, headers: {}, body: BODY });
    expect((await to(receiver.port)).ok).toBe(true);
    expect((await to(plain.port)).error).toMatchObject({
      kind: 'tls',
      message: expect.stringMatching(/^the port does not speak TLS \(ERR_SSL_[A-Z_]+\)$/),
    });
  });
});

describe('a connection from the pool', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['closed', (socket) => void socket.end()],
    ['reset', (socket) => void socket.resetAndDestroy()],
  ])('that the receiver has %s is replaced once, silently', async (_what, hangUp) => {
    const receiver = await listenRaw((socket, count) =>
      count === 1 ? socket.write(status('200 OK', 'content-length: 0')) : hangUp(socket),
    );
    const client = clientFor({ policy: LOCAL, connectionsPerOrigin: 1 });
    for (let index = 1; index <= 3; index += 1) {
      expect((await post(receiver.port, LONG_MS, client)).ok).toBe(true);
      await nextTurn();
    }
    expect(receiver.connections()).toBe(3);
  });

  it('that the receiver closes after it has worked for a while is not replaced: the attempt has failed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const receiver = await listenRaw((socket, count) => {
      if (count === 1) return socket.write(status('200 OK', 'content-length: 0'));
      vi.advanceTimersByTime(LONGER_THAN_A_ROUND_TRIP_MS);
      return socket.end();
    });
    const client = clientFor({ policy: LOCAL, connectionsPerOrigin: 1 });
    expect((await post(receiver.port, LONG_MS, client)).ok).toBe(true);
    await nextTurn();
    expect((await post(receiver.port, LONG_MS, client)).error?.kind).toBe('reset');
    expect(receiver.connections()).toBe(1);
  });

  it('that began a response is not replaced', async () => {
    const receiver = await listenRaw((socket, count) =>
      count === 1 ? socket.write(status('200 OK', 'content-length: 0')) : socket.end('HTTP/1.1 2'),
    );
    const client = clientFor({ policy: LOCAL, connectionsPerOrigin: 1 });
    expect((await post(receiver.port, LONG_MS, client)).ok).toBe(true);
    await nextTurn();
    expect((await post(receiver.port, LONG_MS, client)).error?.kind).toBe('reset');
    expect(receiver.connections()).toBe(1);
  });

  it('that comes free too late fails the waiting attempts in time, and they are never sent', async () => {
    const bodies: number[] = [];
    let first: Socket | undefined;
    const receiver = await listenRaw((socket, count) => {
      bodies.push(count);
      if (first) socket.write(status('200 OK', 'content-length: 0'));
      first ??= socket;
    });
    const client = clientFor({ policy: LOCAL, connectionsPerOrigin: 1 });
    const running = post(receiver.port, LONG_MS, client);
    const waiting = await Promise.all([1, 2].map(() => post(receiver.port, SHORT_MS, client)));
    expect(waiting.map((outcome) => outcome.error?.kind)).toEqual(['timeout', 'timeout']);
    first?.write(status('200 OK', 'content-length: 0'));
    expect((await running).ok).toBe(true);
    // Those that were given up would be sent before this one.
    expect((await post(receiver.port, LONG_MS, client)).ok).toBe(true);
    expect(bodies).toEqual([1, 2]);
  });

  it('that this server closes is not the receiver’s fault', async () => {
    const receiver = await listenRaw(() => undefined);
    const client = clientFor({ policy: LOCAL });
    const running = post(receiver.port, LONG_MS, client);
    await vi.waitFor(() => expect(receiver.connections()).toBe(1), { timeout: 10_000 });
    client.destroy();
    expect(await running).toMatchObject({ ok: false, localFailure: true });
    expect(await post(receiver.port, LONG_MS, client)).toMatchObject({ ok: false, localFailure: true });
  });
});

describe('Retry-After', () => {
  it.each([
    ['429 Slow down', '7', 7_000],
    ['503 Busy', '0', 0],
    ['503 Busy', 'Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
    ['503 Busy', 'Fri, 02 Jan 2026 03:00:00 GMT', 0],
    ['429 Slow down', '99999999999999999999', 3_600_000],
    ['429 Slow down', 'Fri, 02 Jan 2099 03:05:05 GMT', 3_600_000],
    ['429 Slow down', '-1', null],
    ['429 Slow down', '1.5', null],
    ['429 Slow down', '1e3', null],
    ['429 Slow down', 'tomorrow', null],
    ['429 Slow down', '2026-01-02T03:05:05Z', null],
    ['429 Slow down', 'Fri, 02 Foo 2026 03:05:05 GMT', null],
    ['500 Oops', '7', null],
    ['200 OK', '7', null],
  ])('of %s: %s is read as %s ms', async (line, value, expected) => {
    const receiver = await listenRaw((socket) => socket.end(status(line, `retry-after: ${value}`)));
    const { retryAfter } = await post(receiver.port, LONG_MS);
    expect(retryAfter === null ? null : parseRetryAfter(retryAfter, NOW)).toBe(expected);
  });
});
