import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// A collection takes some 30 ms: a tenth of the time in which large requests leave so much behind.
const COLLECT_BYTES = 24 * 1024 * 1024;

/**
 * Counts large texts and buffers that nobody uses any longer, and has them collected before they are many: memory that was given back is not
 * free before that. V8 alone begins after another 64 MB of them, and has 130 MB at times (measured).
 */
export class Garbage {
  readonly #collect: () => void;
  #bytes = 0;

  constructor(collect: () => void = collectAll) {
    this.#collect = collect;
  }

  /** Notes memory that is no longer used. */
  add(bytes: number): void {
    const before = this.#bytes;
    this.#bytes += bytes;
    // In a turn of its own: whoever has just used it may still refer to it.
    if (before < COLLECT_BYTES && this.#bytes >= COLLECT_BYTES) setImmediate(() => this.#end());
  }

  #end(): void {
    this.#bytes = 0;
    this.#collect();
  }
}

/** The garbage of this thread. */
export const garbage = new Garbage();

let collection: (() => void) | undefined;

/** Collects all garbage. V8 hands out its function for that in contexts that are made after its flag is set. */
function collectAll(): void {
  if (!collection) {
    setFlagsFromString('--expose-gc');
    collection = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  collection();
}
