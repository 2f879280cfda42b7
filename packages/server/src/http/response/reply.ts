import type { Incoming, Outgoing } from '../front/open-requests.ts';
import type { Reservation } from '../../limits/byte-budget.ts';
import type { JsonPiece } from '../../domain/json/encoded.ts';

/** A response that is ready to be written. */
export interface WholeReply {
  status: number;
  headers: Record<string, string>;
  body: string | readonly JsonPiece[];
}

/** A response of a few bytes. */
export interface TextReply extends WholeReply {
  body: string;
}

/** A response that is written as it is produced. */
export interface StreamReply {
  status: number;
  headers: Record<string, string>;
  /** True if a client has to tell its end from a connection that broke. */
  marksEnd?: boolean;
  /** Writes the body, no faster than it is read, and ends it. Never fails. */
  write: (outgoing: Outgoing) => Promise<void>;
}

/** The response to a request: whole, or as a stream. */
export type Reply = WholeReply | StreamReply | Response;

/** A request that waits for its response. */
interface Asked {
  incoming: Incoming;
  outgoing: Outgoing;
  /** Memory that the response takes until it is sent. */
  responseRoom: Reservation | null;
  /** The time for which a client may read nothing of its response before its connection is closed, in milliseconds. */
  stallMs: number;
}

// Tells Hono that Node has written the response. Made with the first response; Hono exports one that is made on import,
// which is too early: `Response` loads all of `fetch`.
let alreadySent: Response | undefined;

// Slower than any connection that people use.
const BYTES_PER_MS = 16;

/**
 * Hands a reply to Node. A whole one is written directly: a `Response` around it would be read back as a stream and written in
 * parts, which cost a third of a small request (measured).
 */
export function send(asked: Asked, reply: Reply): Response {
  const { outgoing, responseRoom } = asked;
  if (reply instanceof Response) {
    responseRoom?.release();
    return reply;
  }
  if (responseRoom !== null) holdUntilSent(asked, responseRoom);
  // A stream of events ends with its connection: chunked encoding would double the cost of sending it.
  if ('write' in reply) outgoing.useChunkedEncodingByDefault = reply.marksEnd ?? false;
  outgoing.writeHead(reply.status, reply.headers);
  if ('write' in reply) stream(asked, reply);
  else if (typeof reply.body === 'string') outgoing.end(reply.body);
  else outgoing.end(...reply.body);
  return (alreadySent ??= new Response(null, { headers: { 'x-hono-already-sent': 'true' } }));
}

function stream({ incoming, outgoing, stallMs }: Asked, reply: StreamReply): void {
  if (incoming.method === 'HEAD') outgoing.end();
  else {
    outgoing.setTimeout(stallMs);
    void reply.write(outgoing);
  }
}

/**
 * Holds the memory of a response until it is sent. A client that does not read it, or reads it too slowly, is cut off.
 */
function holdUntilSent({ outgoing, stallMs }: Asked, responseRoom: Reservation): void {
  const deadline = setTimeout(() => outgoing.destroy(), stallMs + responseRoom.bytes / BYTES_PER_MS);
  // Node closes a connection that makes no progress for this long.
  outgoing.setTimeout(stallMs);
  outgoing.once('close', () => {
    clearTimeout(deadline);
    responseRoom.release();
  });
}
