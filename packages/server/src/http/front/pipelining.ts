import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// From this many requests without a response on, nothing more is read from a connection for a while.
const PIPELINED = 16;
// With this many requests without a response in all, streams among them, no connection gets more than that. Node sets no limit: it parses
// all that has come, up to 2 MiB at a time, which can hold sixty thousand requests, and makes a few KB of objects for each.
const PIPELINED_IN_ALL = 2_000;
// The time in which the client of a connection that ends must read the responses.
const LINGER_MS = 2_000;
// The value with which Node tells its parser to stop after an upgrade.
const STOP = 2;

/** The parser of a connection, as Node sets it up. */
interface Parser {
  onIncoming?: (incoming: IncomingMessage, keepsAlive: boolean) => number;
}

/** The requests of a connection that have no response yet. */
interface Unanswered {
  length: number;
  /** The response to the last of them. */
  last: ServerResponse | undefined;
  /** Nothing more is read: the client has sent too many, or has gone. */
  isClosed: boolean;
  /** The connection is to be paused at the end of this turn of the event loop. */
  isPausing: boolean;
}

const bySocket = new WeakMap<Socket, Unanswered>();
let inAll = 0;

/**
 * Bounds the requests that clients may send before they have the responses. A connection with many is not read for a while. If there are
 * too many in all, it ends with the responses to those that have been read: a client may repeat the others (RFC 9112, 9.3.2).
 */
export function limitPipelining(socket: Socket): void {
  const requests: Unanswered = { length: 0, last: undefined, isClosed: false, isPausing: false };
  bySocket.set(socket, requests);
  // Node resumes a connection when its client has read what was written.
  socket.on('resume', () => pauseIfMany(socket, requests));
  // Node closes only the response that it is writing.
  socket.once('close', () => {
    requests.isClosed = true;
    inAll -= requests.length;
    requests.length = 0;
  });
  const { parser } = socket as { parser?: Parser };
  const announce = parser?.onIncoming;
  if (!parser || !announce) return;
  parser.onIncoming = (incoming, keepsAlive) => {
    if (!requests.isClosed && !isTooMany(requests)) return announce(incoming, keepsAlive);
    endAfterLast(socket, requests);
    return STOP;
  };
}

const isTooMany = ({ length }: Unanswered): boolean => length >= PIPELINED && inAll >= PIPELINED_IN_ALL;

/** Counts a request until it has its response. */
export function countRequest({ socket }: IncomingMessage, outgoing: ServerResponse): void {
  const requests = bySocket.get(socket);
  if (!requests) return;
  // Only in a version of Node whose parser cannot be stopped.
  if (isTooMany(requests)) socket.destroy();
  requests.last = outgoing;
  requests.length += 1;
  inAll += 1;
  if (requests.length >= PIPELINED) pauseSoon(socket, requests);
  outgoing.once('close', () => {
    if (requests.length === 0) return;
    requests.length -= 1;
    inAll -= 1;
    if (!requests.isClosed && requests.length === PIPELINED - 1) socket.resume();
  });
}

/** Pauses a connection, but not while it is being parsed: Node reads on after each request. */
function pauseSoon(socket: Socket, requests: Unanswered): void {
  if (requests.isPausing) return;
  requests.isPausing = true;
  setImmediate(() => {
    requests.isPausing = false;
    pauseIfMany(socket, requests);
  });
}

function pauseIfMany(socket: Socket, { length, isClosed }: Unanswered): void {
  if (isClosed || length >= PIPELINED) socket.pause();
}

function endAfterLast(socket: Socket, requests: Unanswered): void {
  if (requests.isClosed) return;
  requests.isClosed = true;
  pauseSoon(socket, requests);
  if (requests.last) requests.last.shouldKeepAlive = false;
  // Node calls this after the last response. To close with bytes unread would reset the connection, and the client might not see the
  // responses.
  socket.destroySoon = () => {
    socket.end();
    const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(deadline));
  };
}
