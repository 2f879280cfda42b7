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
import type { getRequestListener } from '@hono/node-server';
import { Fault } from '../../domain/faults/fault.ts';
import { closeGently, leavesBody } from '../answer/linger.ts';
import type { TextReply } from '../answer/reply.ts';
import { isAuthority, readTarget } from '../request/request-target.ts';
import { listen } from './listen.ts';
import type { Place } from './listen-error.ts';
import { HttpFault } from '../answer/http-fault.ts';
import { faultOfRepeated } from '../request/single-headers.ts';

/** Makes the answer to what does not reach the application: a request, or bytes that are not one. */
export type Refuse = (from: IncomingMessage | { address: string | undefined }, fault: Fault) => TextReply;

export interface HttpServerOptions {
  fetch: Parameters<typeof getRequestListener>[0];
  /** Key and certificate of a server that speaks TLS; both may come later, by `swap`. */
  tls: Pick<TlsOptions, 'cert' | 'key' | 'ALPNCallback'> | null;
  /** Sent with every answer. */
  headers?: Readonly<Record<string, string>>;
  refuse: Refuse;
  /** Called with an error outside any request that could be answered. */
  onError: (error: unknown, what: string) => void;
  timeouts?: Partial<HttpTimeouts>;
}

/** The times that parts of a connection may take, in milliseconds. */
export interface HttpTimeouts {
  headersTimeout: number;
  requestTimeout: number;
}

// Slow or endless requests must not hold a connection: Node's own limits are a minute and five.
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  // With the time until the next check and the time to read the answer, nobody keeps a connection without a
  // request for more than 10 s.
  headersTimeout: 9_000,
  // Longer than a body may take: the body reader answers 408 before that.
  requestTimeout: 90_000,
  keepAliveTimeout: 65_000,
  // The period at which Node checks for connections that are too slow; its own 30 s would turn 10 s into 40.
  connectionsCheckingInterval: 500,
  // Node's own answer to a request without `Host` has no body: `faultOf` refuses it instead.
  requireHostHeader: false,
};
// Requests under way get this long to end by themselves when the server stops.
const DRAIN_MS = 5_000;
const IDLE_CHECK_MS = 100;

// A TLS handshake is a few hundred milliseconds of work; Node waits for two minutes.
const HANDSHAKE_TIMEOUT_MS = 10_000;
// A client that was refused gets this long to read the reason and to close its side. One that was too slow
// gets less.
const LINGER_MS = 2_000;
const LINGER_SLOW_MS = 500;

/** A server socket for an application: hardened limits, errors of the parser in the API's own shape, a draining close. */
export function createHttpServer({ fetch, tls, headers = {}, refuse, onError, timeouts }: HttpServerOptions) {
  let listener: ReturnType<typeof getRequestListener> | undefined;
  /** Imported with the first request: it brings Node's `fetch`, which would take a tenth of the startup time. */
  const loadListener = async () => {
    const node = await import('@hono/node-server');
    // `reply.ts` handles the rest of a body whose request is answered.
    return node.getRequestListener(fetch, { overrideGlobalObjects: false, autoCleanupIncoming: false });
  };
  const latest = new WeakMap<Duplex, ServerResponse>();
  const always = Object.entries(headers);

  const handle = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    latest.set(incoming.socket, outgoing);
    if (!server.listening) outgoing.setHeader('Connection', 'close');
    for (const [name, value] of always) outgoing.setHeader(name, value);
    const fault = faultOf(incoming);
    if (fault) return answer(incoming, outgoing, refuse(incoming, fault));
    // A fixed host cannot spoil the URL that the listener builds. Routes and links do not depend on it.
    incoming.headers.host = 'hub';
    serve(incoming, outgoing).catch((error: unknown) => {
      onError(error, 'a response could not be written');
      outgoing.destroy();
    });
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    listener ??= await loadListener();
    return listener(incoming, outgoing);
  };
  const limits = { ...LIMITS, ...timeouts };
  const server: Server = tls
    ? createTlsServer({ ...limits, ...tls, handshakeTimeout: HANDSHAKE_TIMEOUT_MS }, handle)
    : createServer(limits, handle);

  // The body reader tells the client to continue, once it is known who the request is for.
  server.on('checkContinue', handle);
  server.on('checkExpectation', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const issue = 'Expect may only be 100-continue.';
    answer(incoming, outgoing, refuse(incoming, new HttpFault(417, issue)));
  });

  // Bytes that Node's parser does not accept never become a request: the answer is written by hand.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const write = () => {
      const address = (socket as Socket).remoteAddress;
      socket.end(toBytes(refuse({ address }, parserFault(error))));
      // Otherwise a client that never closes keeps half a connection forever.
      const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
      const destroy = setTimeout(() => socket.destroy(), isSlow ? LINGER_SLOW_MS : LINGER_MS);
      socket.once('close', () => clearTimeout(destroy));
    };
    // Earlier requests on the connection are answered first: this answer must not be taken for one of theirs.
    const before = latest.get(socket);
    if (!before?.req.complete || before.writableFinished) write();
    else before.once('finish', write);
  });

  return {
    /** Listens on a port. An error names the flag that set it. */
    async listen(place: Place): Promise<AddressInfo> {
      await listen(server, place);
      // From now on, an error is one connection that cannot be accepted, for lack of file descriptors: the
      // others go on.
      server.on('error', (error) => onError(error, 'a connection could not be accepted'));
      return server.address() as AddressInfo;
    },

    /** Serves another certificate to new connections; those that are open go on. */
    swap(pair: Pick<TlsOptions, 'cert' | 'key'>): void {
      if (server instanceof TlsServer) server.setSecureContext(pair);
    },

    /** Accepts nothing more, answers what was begun, then ends the connections. */
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      // Connections whose request is answered meanwhile would otherwise be kept alive.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearInterval(idle);
      clearTimeout(deadline);
    },
  };
}

/** The last host that was checked: almost every request has the same. */
let lastHost: string | undefined;

/** Refuses what Node's parser lets through and RFC 9112 does not. Leaves the target as a path with a query. */
function faultOf(incoming: IncomingMessage): Fault | null {
  const { headers, httpVersion, url = '' } = incoming;
  const repeated = faultOfRepeated(incoming);
  if (repeated) return repeated;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new Fault('invalid_request', `The request must be HTTP/1.1 or HTTP/1.0, not HTTP/${httpVersion}.`);
  }
  // RFC 9112, 6.1: other codings would have to be decoded, and a proxy that speaks HTTP/1.0 may not know any.
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return new Fault('invalid_request', 'Transfer-Encoding may only be chunked, and only in HTTP/1.1.');
  }
  if (headers.host === undefined && httpVersion === '1.1') {
    return new Fault('invalid_request', 'The request must have a Host header.');
  }
  // The application never reads it, but RFC 9112, 3.2, requires the check.
  if (headers.host !== undefined && headers.host !== lastHost && !isAuthority(headers.host)) {
    return new Fault('invalid_request', 'The Host header must be a name or an address, and a port.');
  }
  lastHost = headers.host ?? lastHost;
  const target = readTarget(url);
  if (!target.ok) return new Fault('invalid_request', target.issue);
  incoming.url = target.value;
  return null;
}

function parserFault({ code }: NodeJS.ErrnoException): Fault {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `The request headers must have at most ${LIMITS.maxHeaderSize} bytes. Send fewer headers, or shorter ones.`;
    return new HttpFault(431, message);
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new HttpFault(408, 'The request took too long to arrive.');
  }
  return new Fault('invalid_request', 'The request is not valid HTTP.');
}

// The body of the request is not read, so the connection cannot be used again.
function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { status, headers, body }: TextReply,
): void {
  if (leavesBody(incoming)) closeGently(incoming, outgoing);
  outgoing.writeHead(status, { ...headers, Connection: 'close' }).end(body);
}

function toBytes({ status, headers, body }: TextReply): string {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`;
}
