import type { Output } from '../io.ts';

/** Where the output of a command goes. */
export interface Sink {
  write(text: string | Uint8Array): Promise<void>;
  /** Everything was written. */
  finish(): Promise<void>;
  /** Something failed: what was written is not the whole. */
  abandon(): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

/** stdout, which keeps whatever it has got. */
export function stdoutSink(stdout: Output): Sink {
  return { write: (text) => stdout.write(text), finish: nothing, abandon: nothing };
}
