import type { Socket } from 'node:net';

// Once headers are too large, undici makes an error with a stack for every further one in what it has just read: 64 KiB of
// short headers held the loop up for 200 ms and more (measured, undici 8.12). Between two pieces it finds the socket closed.
// Up to the first limit, it gets everything at once; most receivers never send more.
const HEADERS_BYTES = 16 * 1024;
const PIECE_BYTES = 256;

/** More came for one answer than an answer may have. */
class AnswerTooLongError extends Error {
  override readonly name = 'AnswerTooLongError';
  readonly code = 'ERR_ANSWER_TOO_LONG';
}

/**
 * Makes a socket hand out what it received in small pieces, and at most `answerBytes` for each request. The limit of headers
 * does not hold for hints before an answer, the limit of bodies not for the framing of chunks and for trailers: without this
 * one, a receiver could keep the parser busy until the deadline.
 */
export function readInPieces(socket: Socket, answerBytes: number): void {
  const read = socket.read.bind(socket);
  let requested = -1;
  let received = 0;
  socket.read = (): unknown => {
    if (socket.destroyed) return null;
    // Another request went out: what comes now belongs to its answer.
    if (socket.bytesWritten !== requested) {
      requested = socket.bytesWritten;
      received = 0;
    }
    const most = received < HEADERS_BYTES ? HEADERS_BYTES - received : PIECE_BYTES;
    const piece = read(Math.min(most, socket.readableLength) || undefined) as Buffer | null;
    if (piece === null) return null;
    received += piece.length;
    if (received <= answerBytes) return piece;
    socket.destroy(new AnswerTooLongError('the answer is too long'));
    return null;
  };
}
