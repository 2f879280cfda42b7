import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { type Behavior, head, type HostileReceiver, ignoreErrors, raw, says, serve } from '../behavior.ts';

const CLOSED = ['reset', 'connection closed before a response'] as const;
const RESET = ['reset', 'connection reset'] as const;
// The request may be on its way before the FIN is seen; the kernel then responds with a RST.
const CLOSED_OR_RESET = ['reset', /^connection (?:closed before a response|reset)$/] as const;

/** Receivers that hang up, never accept, or leave the connection open. */
export const CONNECTIONS: Behavior[] = [
  raw('never answers', 'short', () => undefined)({ error: ['timeout', 'no response within 3 s'] }),
  {
    name: 'never reads',
    patience: 'short',
    start: () => serve(createServer((socket) => socket.pause())),
    outcome: { error: ['timeout', 'no response within 3 s'] },
  },
  {
    name: 'never accepts a connection',
    patience: 'short',
    start: neverAccepting,
    outcome: { error: ['timeout', 'no connection within 3 s'], connections: 0 },
  },
  {
    name: 'refuses connections',
    patience: 'long',
    start: refusing,
    outcome: { error: ['connect', 'connection refused'], connections: 0 },
  },
  {
    name: 'hangs up before the request',
    patience: 'long',
    start: () => serve(createServer((socket) => ignoreErrors(socket).destroy())),
    outcome: { error: CLOSED_OR_RESET },
  },
  {
    name: 'answers before the request, and stays',
    patience: 'long',
    start: () =>
      serve(createServer((socket) => ignoreErrors(socket).write(head('200 OK', 'content-length: 0')))),
    outcome: { status: 200 },
  },
  raw('closes at once', 'long', (s) => s.end())({ error: CLOSED }),
  raw('resets at once', 'long', (s) => s.resetAndDestroy())({ error: RESET }),
  says('closes inside the status line', 'HTTP/1.1 2', { error: CLOSED }),
  says('closes inside the headers', 'HTTP/1.1 200 OK\r\ncontent-le', { error: CLOSED }),
  raw('resets inside the headers', 'long', (s) => resetAfter(s, 'HTTP/1.1 200 OK\r\ncontent-le'))({
    error: RESET,
  }),
  raw('resets inside the body', 'long', (s) => resetAfter(s, head('200 OK', 'content-length: 100') + 'part'))(
    {
      status: 200,
      body: /^(?:part)?$/,
    },
  ),
  raw('resets inside the body of a 503', 'long', (s) =>
    resetAfter(s, head('503 Busy', 'content-length: 100') + 'part'),
  )({
    status: 503,
    body: /^(?:part)?$/,
  }),
  raw('announces that it closes, and never does', 'long', (s) =>
    s.write(head('200 OK', 'connection: close', 'content-length: 0')),
  )({
    status: 200,
  }),
  raw('closes its side and keeps reading', 'long', (s) => {
    s.allowHalfOpen = true;
    s.end(head('200 OK') + 'bye');
  })({ status: 200, body: 'bye' }),
  raw('promises to keep the connection, and closes it', 'long', (s) =>
    s.end(head('200 OK', 'connection: keep-alive', 'keep-alive: timeout=600', 'content-length: 0')),
  )({
    status: 200,
  }),
];

function resetAfter(socket: Socket, text: string): void {
  // The delay lets the response leave first: a reset overtakes bytes that have not been sent.
  socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 50));
}

async function refusing(): Promise<HostileReceiver> {
  const server = createServer();
  const { url, connections, stop } = await serve(server);
  await stop();
  return { url, connections, stop: () => Promise.resolve() };
}

// Listens in a thread that then stands still: the kernel takes connections until its queue is full, and drops the rest.
const STANDSTILL = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const server = createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;
const QUEUE = 2;

async function neverAccepting(): Promise<HostileReceiver> {
  const thread = new Worker(STANDSTILL, { eval: true });
  const [port] = (await once(thread, 'message')) as [number];
  const fillers = Array.from({ length: QUEUE }, () => ignoreErrors(connect(port, '127.0.0.1')));
  await Promise.all(fillers.map((socket) => once(socket, 'connect')));
  return {
    url: `http://127.0.0.1:${port}/hook`,
    connections: () => 0,
    async stop() {
      for (const socket of fillers) socket.destroy();
      await thread.terminate();
    },
  };
}
