import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Running } from './adapter-suite.ts';

/** A real HTTP server on a free port. */
export async function listen(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<Running> {
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
