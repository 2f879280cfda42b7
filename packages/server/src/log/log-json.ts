import { pino } from 'pino';

/** The destination of lines for programs. */
export interface JsonLines {
  destination: ReturnType<typeof pino.destination>;
  /** From now on, waits only briefly for a stalled reader. */
  hurry(): void;
  /** Writes the lines that are left, as far as they are read, and ends. */
  close(): Promise<void>;
}

// Written in the background: a reader that stalls must not stop the server. Beyond this many bytes, it misses lines.
const IN_BACKGROUND = { sync: false, maxLength: 8 * 1024 * 1024 };
const PATIENCE_MS = 1_000;

/** Lines on standard error. */
export function jsonLines(): JsonLines {
  let giveUpAt = Number.POSITIVE_INFINITY;
  const hurry = () => {
    giveUpAt = Math.min(giveUpAt, performance.now() + PATIENCE_MS);
  };
  const destination = pino.destination({
    ...IN_BACKGROUND,
    // Not 2: asked for the stream, Node takes a pipe out of blocking mode. Otherwise a write would wait in one of Node's threads
    // for the reader, and the process for that thread: SIGTERM would never end a server whose log nobody reads.
    dest: process.stderr.fd,
    retryEAGAIN: () => performance.now() < giveUpAt,
  });
  // Nobody reads the log anymore: lines may be lost.
  destination.on('error', () => {});
  return {
    destination,
    hurry,
    close: () =>
      new Promise((resolve) => {
        hurry();
        const end = () => {
          clearTimeout(timer);
          resolve();
        };
        // Ends the wait for a write that neither completes nor fails.
        const timer = setTimeout(end, 2 * PATIENCE_MS);
        // Not `flush`, which waits for nothing here, and not `destroy` while a write is under way: with lines behind it,
        // sonic-boom would then write nothing at all, over and over, forever.
        destination.once('close', end).once('error', () => {
          // Nothing is written again, not even when the process exits.
          destination.destroy();
        });
        destination.end();
      }),
  };
}
