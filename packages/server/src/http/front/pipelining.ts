import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

// From this many requests without a response on, nothing more is read from a connection for a while.
const PIPELINED = 16;
// The most requests without a response of all connections that have more than that. Node sets no limit: it parses all that has come, up
// to 2 MiB at a time, which can hold sixty thousand requests, and makes some KB of objects for each.
const PIPELINED_IN_ALL = 2_000;
// The time in which the client of a connection that ends must read the responses.
const LINGER_MS = 2_000;
// Node's answer to its parser for a request after which the connection speaks another protocol: the rest is not parsed.
const STOP = 2;

/** The parser of a connection, as Node sets it up. */
interface Parser {
  onIncoming?: (incoming: IncomingMessage, keepsAlive: boolean) => number;
}

/** The requests of a connection that have no response yet. */
interface Line {
  length: number;
  /** The response to the last of them. */
  last: ServerResponse | undefined;
  /** Nothing more is read: the client has sent too many, or has gone. */
  isClosed: boolean;
}

const lines = new WeakMap<Socket, Line>();
let inAll = 0;

/**
 * Bounds the requests that clients may send before they have the responses. A connection with many is not read for a while. If there are
 * too many in all, it ends with the responses to those that have been read: a client may repeat the others (RFC 9112, 9.3.2).
 */
export function limitPipelining(socket: Socket): void {
  const { parser } = socket as { parser?: Parser };
  const announce = parser?.onIncoming;
  if (!parser || !announce) throw new Error('This version of Node gives its parser no `onIncoming`.');
  const line: Line = { length: 0, last: undefined, isClosed: false };
  lines.set(socket, line);
  parser.onIncoming = (incoming, keepsAlive) => {
    if (!line.isClosed && (line.length < PIPELINED || inAll < PIPELINED_IN_ALL))
      return announce(incoming, keepsAlive);
    endAfterLast(socket, line);
    return STOP;
  };
  // Node closes only the response that it is writing.
  socket.once('close', () => {
    line.isClosed = true;
    inAll -= line.length;
    line.length = 0;
  });
}

/** Counts a request until it has its response. */
export function countRequest({ socket }: IncomingMessage, outgoing: ServerResponse): void {
  const line = lines.get(socket);
  if (!line) return;
  line.last = outgoing;
  line.length += 1;
  inAll += 1;
  // Not while it is being parsed: Node reads on after each request.
  if (line.length === PIPELINED) setImmediate(() => pauseIfMany(socket, line));
  outgoing.once('close', () => {
    if (line.length === 0) return;
    line.length -= 1;
    inAll -= 1;
    if (!line.isClosed && line.length === PIPELINED - 1) socket.resume();
  });
}

function pauseIfMany(socket: Socket, { length, isClosed }: Line): void {
  if (isClosed || length >= PIPELINED) socket.pause();
}

function endAfterLast(socket: Socket, line: Line): void {
  if (line.isClosed) return;
  line.isClosed = true;
  setImmediate(() => pauseIfMany(socket, line));
  if (line.last) line.last.shouldKeepAlive = false;
  // Node calls this after the last response. To close with bytes unread would reset the connection, and the client might not see the
  // responses.
  socket.destroySoon = () => {
    socket.end();
    const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => clearTimeout(deadline));
  };
}
