import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { listenAt } from './listen-at.ts';

const BURST = 1_000;

// The system itself may have a lower limit.
const systemLimit = (): number => {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
};

/** Opens connections in a thread, which counts the open ones in `opened` while the main thread is busy. */
const OPEN_CONNECTIONS = `
  const { connect } = require('node:net');
  const { workerData: { port, burst, opened } } = require('node:worker_threads');
  for (let index = 0; index < burst; index += 1)
    connect(port, '127.0.0.1', () => {
      if (Atomics.add(opened, 0, 1) + 1 === burst) Atomics.store(opened, 1, 1), Atomics.notify(opened, 1);
    }).on('error', () => {});
`;

it.runIf(systemLimit() >= 2 * BURST)('lets a burst of connections in while the loop is busy', async () => {
  const server = createServer((socket) => socket.on('error', () => {}));
  await listenAt(server, '127.0.0.1', 0);
  const { port } = server.address() as AddressInfo;
  const opened = new Int32Array(new SharedArrayBuffer(8));
  const clients = new Worker(OPEN_CONNECTIONS, { eval: true, workerData: { port, burst: BURST, opened } });
  try {
    await once(clients, 'online');
    // Blocks the loop. A connection that the system drops is not open before it is tried again, long after the end of this wait or never.
    Atomics.wait(opened, 1, 0, 10_000);
    expect(opened[0]).toBe(BURST);
  } finally {
    await clients.terminate();
    server.close();
  }
});
