import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { HEADERS } from '@hubline/contract';
import { ConfigError } from '../config.ts';
import type { Ids } from '../ids.ts';

interface HttpServerOptions {
  fetch: Parameters<typeof getRequestListener>[0];
  tls: { cert: string; key: string } | null;
  ids: Ids;
}

// Slow or endless requests must not hold a connection: Node's own limits are a minute and five.
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
};
// Requests under way get this long to end by themselves when the server stops.
const DRAIN_MS = 5_000;

/** A server socket for an application: hardened limits, errors of the parser in the API's own shape, a draining close. */
export function createHttpServer({ fetch, tls, ids }: HttpServerOptions) {
  const listener = getRequestListener(fetch, { overrideGlobalObjects: false });
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void listener(incoming, outgoing);
  const server: Server = tls ? createTlsServer({ ...LIMITS, ...tls }, handle) : createServer(LIMITS, handle);

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket, ids('request')));

  return {
    listen: (port: number, host: string) =>
      new Promise<AddressInfo>((resolve, reject) => {
        server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)));
        server.listen(port, host, () => resolve(server.address() as AddressInfo));
      }),

    /** Accepts nothing more, answers what was begun, then ends the connections. */
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** What Node's parser does not accept never becomes a request: the answer is written by hand. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const message =
    status === 431
      ? `The request headers must have at most ${LIMITS.maxHeaderSize} bytes.`
      : status === 408
        ? 'The request took too long to arrive.'
        : 'The request is not valid HTTP.';
  const body = JSON.stringify({ error: { code: 'invalid_request', message, request_id: requestId } });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json\r\n` +
      `${HEADERS.requestId}: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE') {
    return new ConfigError(
      `--port ${port} is in use on ${host}. Stop what uses it, or take another with --port.`,
    );
  }
  if (error.code === 'EACCES')
    return new ConfigError(`--port ${port} needs privileges. Take one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return new ConfigError(`--host ${host} is not an address of this machine.`);
  }
  return error;
}
