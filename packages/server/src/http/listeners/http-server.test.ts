import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bindings } from '../handled-request.ts';
import { createHttpServer } from './http-server.ts';

const names = { host: '--host', port: '--port', httpsPort: '--https-port', httpPort: '--http-port' };
const SENT = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
const BODY_BYTES = 60_000;

/** A client that sends bytes as they are, and keeps what it reads. */
class Client {
  readonly socket: Socket;
  text = '';

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk) => (this.text += chunk.toString('latin1')));
  }

  /** The number of responses that it has read. */
  get responses(): number {
    return this.text.split('HTTP/1.1 200 OK').length - 1;
  }

  send(head: string, body = ''): void {
    this.socket.write(`${head}\r\n\r\n${body}`);
  }

  post(body: string, length = Buffer.byteLength(body)): void {
    this.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}`, body);
  }
}

describe.each([false, true])('an HTTP server whose sockets have their own thread: %s', (thread) => {
  let server: ReturnType<typeof createHttpServer>;
  let clients: Client[];
  let connectClient: () => Client;
  /** The application: what came, and what is done with it. */
  let came: Bindings[];
  let handle: (bindings: Bindings) => void;

  beforeEach(async () => {
    came = [];
    clients = [];
    handle = ({ outgoing }) => outgoing.writeHead(200, { 'Content-Length': '2' }).end('ok');
    server = createHttpServer({
      tls: null,
      thread,
      fetch(_, bindings) {
        came.push(bindings);
        handle(bindings);
        return SENT;
      },
      refuse: (_, { message }) => ({ status: 400, headers: {}, body: message }),
      onError: () => {},
    });
    const { port } = await server.listen({ host: '127.0.0.1', port: 0, setting: 'port', names });
    connectClient = () => {
      const client = new Client(port);
      clients.push(client);
      return client;
    };
  });

  afterEach(async () => {
    for (const { socket } of clients) socket.destroy();
    await server.close();
  });

  it('refuses an empty Host, also in the first request of a process', async () => {
    const statuses = [];
    for (const host of ['', 'x.example', '']) {
      const client = connectClient();
      client.send(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close`);
      await once(client.socket, 'close');
      statuses.push(client.text.slice(0, client.text.indexOf('\r\n')));
    }
    expect(statuses).toEqual(['HTTP/1.1 400 Bad Request', 'HTTP/1.1 200 OK', 'HTTP/1.1 400 Bad Request']);
  });

  it('hands over a short body with its request, byte for byte', async () => {
    const body = 'h\u00E9\u0000llo';
    connectClient().post(body);
    await expect.poll(() => came.length).toBe(1);
    expect(came[0]?.incoming.whole).toEqual(Buffer.from(body));
  });

  it('leaves a longer body in the network until the application reads it', async () => {
    let size = 0;
    handle = ({ incoming, outgoing }) => {
      incoming.on('data', (chunk: Buffer) => (size += chunk.length));
      incoming.on('end', () => outgoing.writeHead(200).end(String(size)));
    };
    const client = connectClient();
    client.post('x'.repeat(8_000_000));
    await expect.poll(() => came.length).toBe(1);
    const [{ incoming } = { incoming: undefined }] = came;
    expect([incoming?.whole, incoming?.complete, size]).toEqual([null, false, 0]);
    incoming?.read();
    await expect.poll(() => client.text).toMatch(/8000000\r/);
  });

  it('hands over no more than 8 MiB of bodies before they have a response', async () => {
    handle = () => {};
    for (let count = 0; count < 200; count += 1) connectClient().post('x'.repeat(BODY_BYTES));
    await expect.poll(() => came.length).toBe(200);
    const held = () => came.reduce((sum, { incoming }) => sum + (incoming.whole?.length ?? 0), 0);
    expect(held()).toBeGreaterThan(7 * 1024 * 1024);
    expect(held()).toBeLessThanOrEqual(8 * 1024 * 1024);
    // Responses make room again.
    for (const { outgoing } of came) outgoing.writeHead(200).end();
    await expect.poll(() => clients.every(({ responses }) => responses === 1)).toBe(true);
    came = [];
    clients[0]?.post('x'.repeat(BODY_BYTES));
    await expect.poll(() => came[0]?.incoming.whole?.length).toBe(BODY_BYTES);
  });

  it('hands over one request of a connection at a time, and responds to all in their order', async () => {
    handle = () => {};
    const client = connectClient();
    const count = 3_000;
    for (let number = 0; number < count; number += 1)
      client.send(`GET /${number}?${'x'.repeat(4_000)} HTTP/1.1\r\nHost: x`);
    await expect.poll(() => came.length).toBe(1);
    // Whoever comes later has a turn before the others of this client.
    const other = connectClient();
    other.send('GET /other HTTP/1.1\r\nHost: x');
    await expect.poll(() => came.length).toBe(2);
    const respond = ({ incoming, outgoing }: Bindings) => {
      const [, number = ''] = /^\/(\d+)/.exec(incoming.url) ?? [];
      outgoing.writeHead(200, { 'Content-Length': String(number.length) }).end(number);
    };
    handle = respond;
    for (const bindings of came.slice()) respond(bindings);
    await expect.poll(() => client.responses).toBe(count);
    const numbers = Array.from(client.text.matchAll(/\r\n\r\n(\d+)/g), ([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: count }, (_, number) => number));
  });

  // Between threads, the requests of several turns may come together.
  it.skipIf(thread)('hands over eight requests in a turn that came behind another', async () => {
    const turns: number[] = [];
    let inTurn = 0;
    handle = () => {
      inTurn += 1;
      if (inTurn > 1) return;
      queueMicrotask(() => {
        turns.push(inTurn);
        inTurn = 0;
      });
    };
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    for (let count = 0; count < 40; count += 1) connectClient().socket.write(request.repeat(2));
    await expect.poll(() => came.length).toBe(40);
    turns.length = 0;
    for (const { outgoing } of came.slice()) outgoing.writeHead(200, { 'Content-Length': '0' }).end();
    await expect.poll(() => came.length).toBe(80);
    expect(turns).toEqual([8, 8, 8, 8, 8]);
  });

  it('ends connections that send more and more requests, after the responses to those that it has read', async () => {
    handle = () => {};
    const flood = 'GET /0 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000);
    for (let count = 0; count < 20; count += 1) connectClient().socket.write(flood);
    await expect.poll(() => came.length).toBe(20);
    handle = ({ outgoing }) => outgoing.writeHead(200, { 'Content-Length': '2' }).end('ok');
    for (const { outgoing } of came.slice()) outgoing.writeHead(200, { 'Content-Length': '2' }).end('ok');
    const ended = () => clients.filter(({ socket }) => socket.readableEnded);
    const total = () => clients.reduce((sum, { responses }) => sum + responses, 0);
    // The first have all of their responses, and stay open.
    await expect
      .poll(() => clients.every(({ responses, socket }) => responses === 2_000 || socket.readableEnded))
      .toBe(true);
    expect(ended().length).toBeGreaterThan(10);
    expect(Math.min(...clients.map(({ responses }) => responses))).toBeGreaterThanOrEqual(16);
    expect(total()).toBeLessThan(3_000);
    // There is room again.
    const last = connectClient();
    last.socket.write(flood);
    await expect.poll(() => last.responses).toBe(2_000);
  });

  it('does not hand over what came behind a request whose response ends the connection', async () => {
    handle = ({ incoming, outgoing }) => {
      const end = incoming.url === '/last' ? { Connection: 'close' } : {};
      outgoing.writeHead(200, { ...end, 'Content-Length': '2' }).end('ok');
    };
    const client = connectClient();
    for (const path of ['/', '/last', '/behind', '/behind']) client.send(`GET ${path} HTTP/1.1\r\nHost: x`);
    await once(client.socket, 'close');
    const other = connectClient();
    other.send('GET /other HTTP/1.1\r\nHost: x');
    await expect.poll(() => other.responses).toBe(1);
    expect(client.responses).toBe(2);
    expect(came.map(({ incoming }) => incoming.url)).toEqual(['/', '/last', '/other']);
  });

  it('forgets the requests of a client that has gone', async () => {
    handle = () => {};
    const client = connectClient();
    for (let count = 0; count < 10; count += 1) client.send('GET / HTTP/1.1\r\nHost: x');
    await expect.poll(() => came.length).toBe(1);
    client.socket.destroy();
    await expect.poll(() => came[0]?.outgoing.closed).toBe(true);
    connectClient().send('GET /next HTTP/1.1\r\nHost: x');
    await expect.poll(() => came.at(-1)?.incoming.url).toBe('/next');
    expect(came).toHaveLength(2);
  });

  it('writes no faster than the client reads', async () => {
    let written = 0;
    let drained = 0;
    handle = ({ outgoing }) => {
      const piece = 'x'.repeat(10_000);
      outgoing.useChunkedEncodingByDefault = false;
      outgoing.writeHead(200);
      const write = () => {
        while (written < 30_000_000) {
          written += piece.length;
          if (!outgoing.write(piece)) return;
        }
        outgoing.end();
      };
      outgoing.on('drain', () => {
        drained += 1;
        write();
      });
      write();
    };
    const client = connectClient();
    client.socket.pause();
    client.send('GET / HTTP/1.1\r\nHost: x');
    await expect.poll(() => drained).toBeGreaterThan(0);
    let before = -1;
    await expect
      .poll(() => {
        const isStill = before === written;
        before = written;
        return isStill;
      })
      .toBe(true);
    expect(written).toBeLessThan(20_000_000);
    client.socket.resume();
    await once(client.socket, 'close');
    expect(client.text.length).toBeGreaterThan(30_000_000);
  });

  it('tells of a client that goes away, before and while its body is read', async () => {
    const told: string[] = [];
    handle = ({ incoming, outgoing }) => {
      incoming.on('aborted', () => told.push('aborted'));
      outgoing.once('close', () => told.push(`closed: ${outgoing.closed}`));
    };
    const [early, late, whole] = [connectClient(), connectClient(), connectClient()];
    early.post('x', BODY_BYTES);
    await expect.poll(() => came.length).toBe(1);
    early.socket.destroy();
    await expect.poll(() => told).toEqual(['aborted', 'closed: true']);
    // Too late to read it.
    came[0]?.incoming.read();
    expect(told).toEqual(['aborted', 'closed: true', 'aborted']);

    late.post('x', BODY_BYTES);
    await expect.poll(() => came.length).toBe(2);
    came[1]?.incoming.read();
    late.socket.destroy();
    await expect.poll(() => told.slice(3)).toEqual(['aborted', 'closed: true']);

    whole.post('x');
    await expect.poll(() => came.length).toBe(3);
    whole.socket.destroy();
    await expect.poll(() => told.slice(5)).toEqual(['closed: true']);
    // Whoever asks afterward is told, too.
    came[2]?.outgoing.once('close', () => told.push('over already'));
    expect(told).toHaveLength(6);
    await expect.poll(() => told.slice(6)).toEqual(['over already']);
  });

  it('responds to bytes that are not HTTP after the requests before them', async () => {
    handle = () => {};
    const client = connectClient();
    client.send('GET / HTTP/1.1\r\nHost: x');
    client.send('nonsense');
    await expect.poll(() => came.length).toBe(1);
    came[0]?.outgoing.writeHead(200, { 'Content-Length': '2' }).end('ok');
    await once(client.socket, 'close');
    expect(client.text).toMatch(/^HTTP\/1\.1 200 OK[^]*ok(?:HTTP\/1\.1 400 Bad Request[^]*)$/);
  });

  it('waits for the responses when it stops, and not for connections without a request', async () => {
    handle = () => {};
    const [busy, unused] = [connectClient(), connectClient()];
    busy.post('{}');
    await expect.poll(() => came.length).toBe(1);
    const closed = server.close();
    await once(unused.socket, 'close');
    expect(busy.socket.closed).toBe(false);
    came[0]?.outgoing.writeHead(200, { 'Content-Length': '2' }).end('ok');
    await closed;
    await expect.poll(() => busy.responses).toBe(1);
  });
});
