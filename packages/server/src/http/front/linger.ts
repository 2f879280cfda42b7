import type { IncomingMessage, ServerResponse } from 'node:http';
import { releaseBuffer } from '../../limits/release-buffer.ts';

// Time and bytes for a client that is still sending when it gets its response: closing at once would reset the connection, and many
// clients would report that instead of the response.
const LINGER_MS = 5_000;
// A little more than the largest accepted body: most bodies that are too large exceed it only slightly.
const LINGER_BYTES = 32 * 1024 * 1024;
// A body of at most this much is read to its end and thrown away, so that the connection can be used again.
const DISCARD_BYTES = 64 * 1024;

/** Reports whether so much of a request's body is unread that its connection should end with the response. */
export function leavesBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  // A client that was not told to continue may send its body or its next request: nobody can tell which.
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > DISCARD_BYTES;
}

/** Ends the connection after the response, and keeps reading for a moment, so that the client gets to see it. */
export function closeGently(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming;
  const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(deadline));
  const before = socket.bytesRead;
  incoming.removeAllListeners('data');
  incoming.on('data', (chunk: Buffer) => {
    releaseBuffer(chunk);
    if (socket.bytesRead - before > LINGER_BYTES) socket.destroy();
  });
  incoming.resume();
  // Node calls this when the response is written, and would close with bytes unread.
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (incoming.complete) return close();
    socket.end();
    incoming.once('end', close);
  };
  outgoing.setHeader('Connection', 'close');
}
