import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createHttpClient, type HttpClient, type Resolve } from './http-client.ts';

/** A server on loopback that counts its connections, to prove "blocked" and "once". */
export interface Receiver {
  port: number;
  connections: () => number;
}

/** Starts a server for the length of one test; closes its connections at the end. */
export async function listen(server: Server): Promise<Receiver> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** A server on a raw socket: `onRequest` runs for each whole request of a connection. */
export function rawServer(onRequest: (socket: Socket, count: number) => void): Server {
  return createServer((socket) => {
    let received = '';
    let count = 0;
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (head < 0 || received.length < head + 4 + length) return;
      received = '';
      onRequest(socket, (count += 1));
    });
  });
}

/** A raw server for the length of one test. */
export function listenRaw(onRequest: (socket: Socket, count: number) => void): Promise<Receiver> {
  return listen(rawServer(onRequest));
}

/** A pool for the length of one test. */
export function clientFor(options: Parameters<typeof createHttpClient>[0]): HttpClient {
  const client = createHttpClient(options);
  onTestFinished(() => client.destroy());
  return client;
}

/** A resolver that answers every name with these addresses. */
export function answers(...addresses: string[]): Resolve {
  return () =>
    Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
}
