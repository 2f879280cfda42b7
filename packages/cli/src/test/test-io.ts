import type { Io, Output } from '../terminal/io.ts';

/** Streams that a test reads and fills. */
export interface TestIo extends Io {
  /** The output so far. */
  out(): string;
  err(): string;
  /** The lines for stderr, should stdout break now. */
  lost(): readonly string[];
}

/** A terminal (`tty`) or pipes. stdin is closed unless a text is given. */
export function testIo({ tty = false, stdin = '', columns = 80, rows = 24, discards = false } = {}): TestIo {
  const written = { out: '', err: '' };
  let lost = (): readonly string[] => [];
  const output = (to: 'out' | 'err'): Output => ({
    isTTY: tty,
    columns,
    rows,
    discards: discards && to === 'out',
    write: async (text) => {
      written[to] += typeof text === 'string' ? text : Buffer.from(text).toString('latin1');
    },
  });
  return {
    stdin: { isTTY: tty, bytes: async () => Buffer.from(stdin) },
    stdout: output('out'),
    stderr: output('err'),
    onLoss: (lines) => {
      lost = lines;
    },
    lost: () => lost(),
    out: () => written.out,
    err: () => written.err,
  };
}
