import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createNodeServer } from './node-server.ts';

const LARGE = Buffer.alloc(8 * 1024 * 1024);
// A read of Node has at most 64 KB: 64 of them.
const REQUEST = `GET / HTTP/1.1\r\nHost: x\r\nX-Padding: ${'x'.repeat(950)}\r\n\r\n`;

it('a connection with many requests without a response stays unread, also when its client reads what was written', async () => {
  const unanswered: ServerResponse[] = [];
  let first: Socket | undefined;
  const server = createNodeServer({
    tls: null,
    accept(incoming, outgoing) {
      if (first) return void unanswered.push(outgoing);
      first = incoming.socket;
      outgoing.writeHead(200, { 'Content-Length': String(LARGE.length) }).end(LARGE);
    },
    refuse: async () => ({ status: 400, headers: {}, body: '' }),
    onError: () => {},
  });
  const { port } = await server.listen('127.0.0.1', 0);
  const client = connect(port, '127.0.0.1').pause();
  onTestFinished(async () => {
    client.destroy();
    await server.close();
  });
  client.write(REQUEST.repeat(40));
  await expect.poll(() => unanswered.length).toBeGreaterThanOrEqual(16);
  await expect.poll(() => first?.isPaused()).toBe(true);
  let read = 0;
  client.on('data', (chunk) => (read += chunk.length));
  client.resume();
  await expect.poll(() => read).toBeGreaterThan(LARGE.length);
  client.write(REQUEST.repeat(1_500));
  // Those that the system hands over at once may still be parsed.
  await expect.poll(() => client.writableLength).toBe(0);
  expect(first?.isPaused()).toBe(true);
  expect(unanswered.length).toBeLessThan(200);
});
