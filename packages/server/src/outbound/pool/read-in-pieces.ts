import type { Socket } from 'node:net';

// Once headers are too large, undici makes an error with a stack for every further header in the chunk that it has just
// read: 64 KiB of short headers blocked the event loop for 200 ms and more (measured, undici 8.12). With small pieces,
// it finds the socket closed before the next one. Up to the first limit, it gets everything at once; most receivers
// never send more.
const HEADERS_BYTES = 16 * 1024;
const PIECE_BYTES = 256;

/** A response is longer than allowed. */
class ResponseTooLongError extends Error {
  override readonly name = 'ResponseTooLongError';
  readonly code = 'ERR_RESPONSE_TOO_LONG';
}

/**
 * Makes a socket hand out its data in small pieces, and at most `responseBytes` for each request. The limit on headers
 * does not cover hints before a response, and the limit on bodies covers neither the framing of chunks nor trailers:
 * without this one, a receiver could keep the parser busy until the deadline.
 */
export function readInPieces(socket: Socket, responseBytes: number): void {
  const read = socket.read.bind(socket);
  let requested = -1;
  let received = 0;
  socket.read = (): unknown => {
    if (socket.destroyed) return null;
    // Another request was sent: the data that follows belongs to its response.
    if (socket.bytesWritten !== requested) {
      requested = socket.bytesWritten;
      received = 0;
    }
    const most = received < HEADERS_BYTES ? HEADERS_BYTES - received : PIECE_BYTES;
    const piece = read(Math.min(most, socket.readableLength) || undefined) as Buffer | null;
    if (piece === null) return null;
    received += piece.length;
    if (received <= responseBytes) return piece;
    socket.destroy(new ResponseTooLongError('the response is too long'));
    return null;
  };
}
