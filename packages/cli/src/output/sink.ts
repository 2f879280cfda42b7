import type { Output } from '../io.ts';

/** Where the output of a command goes. */
export interface Sink {
  write(text: string | Uint8Array): Promise<void>;
  /** Everything was written. */
  finish(): Promise<void>;
  /** Something failed: what was written is not the whole. */
  abandon(): Promise<void>;
}

/** Whoever reads the output has seen enough: a pager that was left early. It ends a command quietly. */
export class Unread extends Error {
  override readonly name = 'Unread';
}

const nothing = async (): Promise<void> => undefined;

/** stdout, which keeps whatever it has got. */
export function stdoutSink(stdout: Output): Sink {
  return { write: (text) => stdout.write(text), finish: nothing, abandon: nothing };
}
