import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import type { Refusal, RefuseBytes } from './frames.ts';
import { listenAt } from '../ports/listen-at.ts';
import { countRequest, limitPipelining } from './pipelining.ts';

/** The times that parts of a connection may take, in milliseconds. */
export interface HttpTimeouts {
  headersTimeout: number;
  requestTimeout: number;
}

/** A key and a certificate. */
export type KeyPair = Pick<TlsOptions, 'cert' | 'key'>;

export interface NodeServerOptions {
  /** Key and certificate of a server that speaks TLS; both may come later, by `swapCertificate`. */
  tls: Pick<TlsOptions, 'cert' | 'key' | 'ALPNCallback'> | null;
  timeouts?: Partial<HttpTimeouts> | undefined;
  accept: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  refuse: RefuseBytes;
  /** Called with an error that no request can report to its client. */
  onError: (error: unknown, what: string) => void;
}

/** A server of Node, with its port and its connections. */
export interface NodeServer {
  /** Listens on a port. Of several addresses of a name, takes the first that this machine has. */
  listen(host: string, port: number): Promise<AddressInfo>;
  /** Serves another certificate to new connections; those that are open continue. */
  swapCertificate(pair: KeyPair): void;
  /** Accepts nothing more, lets the requests under way end, then closes the connections. */
  close(): Promise<void>;
  /** The time for which their thread has worked, in milliseconds. Absent if they have none. */
  busyMs?(): number;
}

export const MAX_HEADER_BYTES = 16 * 1024;

// Slow or endless requests must not hold a connection: Node's own limits are a minute and five.
const LIMITS = {
  maxHeaderSize: MAX_HEADER_BYTES,
  // With the time until the next check and the time to read the response, nobody keeps a connection without a
  // request for more than 10 s.
  headersTimeout: 9_000,
  // Longer than a body may take: the body reader refuses it with 408 before that.
  requestTimeout: 90_000,
  keepAliveTimeout: 65_000,
  // The period at which Node checks for connections that are too slow; its own 30 s would turn 10 s into 40.
  connectionsCheckingInterval: 500,
  // Node's own response to a request without `Host` has no body: the application refuses it instead.
  requireHostHeader: false,
};
/** Requests under way get this long to end by themselves when the server stops. */
export const DRAIN_MS = 5_000;
const IDLE_CHECK_MS = 100;
// Browsers keep connections ready on which they have sent nothing. When the server stops, a first request has this long to arrive.
const UNUSED_MS = 500;

// A TLS handshake is a few hundred milliseconds of work; Node waits for two minutes.
const HANDSHAKE_TIMEOUT_MS = 10_000;
// A client that was refused gets this long to read the reason and to close its side. One that was too slow
// gets less.
const LINGER_MS = 2_000;
const LINGER_SLOW_MS = 500;
// A client that has closed its side gets the response if it ends within this time.
const HALF_CLOSED_MS = 500;

/** Makes a server that speaks HTTP, or HTTPS, with hardened limits. */
export function createNodeServer({ tls, timeouts, accept, refuse, onError }: NodeServerOptions): NodeServer {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (!latest.has(incoming.socket)) endWithReader(incoming.socket);
    latest.set(incoming.socket, outgoing);
    countRequest(incoming, outgoing);
    if (!server.listening) outgoing.setHeader('Connection', 'close');
    accept(incoming, outgoing);
  };
  /** Closes the connection of a client that has closed its side: most have gone, but some wait for a response that has not begun. */
  const endWithReader = (socket: Socket): void =>
    void socket.once('end', () => {
      const response = latest.get(socket);
      if (!response || response.writableEnded) return;
      if (response.headersSent) return void socket.destroy();
      const deadline = setTimeout(() => socket.destroy(), HALF_CLOSED_MS);
      socket.once('close', () => clearTimeout(deadline));
    });
  const limits = { ...LIMITS, ...timeouts };
  const server: Server = tls
    ? createTlsServer({ ...limits, ...tls, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, handle)
    : createServer(limits, handle);
  /** TCP connections whose TLS handshake is not done, by their client. */
  const shaking = new Map<string, Socket>();
  if (tls)
    server.on('connection', (socket: Socket) => {
      const client = clientOf(socket);
      shaking.set(client, socket);
      socket.once('close', () => shaking.delete(client));
    });
  const open = new Set<Socket>();
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    shaking.delete(clientOf(socket));
    open.add(socket);
    limitPipelining(socket);
    socket.once('close', () => open.delete(socket));
  });
  // Node 22 leaves out all headers after the first thousand, such as a second one of a name, or what a proxy has added; newer versions call
  // them too long. Their bytes are limited already.
  server.maxHeadersCount = 0;
  // `nc -N` and `socat` close their side after the request. Node would drop a response that is not written at once.
  Object.assign(server, { httpAllowHalfOpen: true });

  // The application tells the client to continue, once it knows who the request is for, and refuses other expectations.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);

  // Bytes that Node's parser does not accept never become a request: the response is written by hand.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const write = async () => {
      const reply = await refuse((socket as Socket).remoteAddress, error.code);
      socket.end(toBytes(reply));
      // Otherwise a client that never closes keeps half a connection forever.
      const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
      const destroy = setTimeout(() => socket.destroy(), isSlow ? LINGER_SLOW_MS : LINGER_MS);
      socket.once('close', () => clearTimeout(destroy));
    };
    // Earlier requests on the connection get their responses first: this response must not be taken for one of theirs.
    const before = latest.get(socket);
    if (!before?.req.complete || before.writableFinished) void write();
    else before.once('finish', () => void write());
  });

  return {
    async listen(host, port) {
      await listenAt(server, host, port);
      // From now on, an error is one connection that cannot be accepted, for lack of file descriptors: the
      // others continue.
      server.on('error', (error) => onError(error, 'a connection could not be accepted'));
      return server.address() as AddressInfo;
    },
    swapCertificate(pair) {
      if (server instanceof TlsServer) server.setSecureContext(pair);
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      // Otherwise a proxy would send its next request on the connection while it is being closed.
      for (const socket of open) {
        const response = latest.get(socket);
        if (response?.headersSent === false) response.setHeader('Connection', 'close');
      }
      // Otherwise, connections whose last request ends meanwhile would be kept alive.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      // Node does not count these as idle, and waits ten seconds for the handshake of a client that says nothing.
      const unused = setTimeout(() => {
        for (const socket of shaking.values()) socket.destroy();
        for (const socket of open) if (!latest.has(socket)) socket.destroy();
      }, UNUSED_MS);
      const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearInterval(idle);
      clearTimeout(unused);
      clearTimeout(deadline);
    },
  };
}

const clientOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

function toBytes({ status, headers, body }: Refusal): string {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
