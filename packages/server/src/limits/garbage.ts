import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// A collection takes about 30 ms, a tenth of the time in which large requests leave this much behind.
const COLLECT_BYTES = 24 * 1024 * 1024;

/**
 * Counts large texts and buffers that nobody uses any longer, and has V8 collect them before they pile up: until then, memory that a budget
 * counts as free is still in use. By itself V8 waits for another 64 MB of them, and at times holds 130 MB (measured).
 */
export class Garbage {
  readonly #collect: () => void;
  #bytes = 0;

  constructor(collect: () => void = collectAll) {
    this.#collect = collect;
  }

  /** Counts memory that is no longer used. */
  add(bytes: number): void {
    const before = this.#bytes;
    this.#bytes += bytes;
    // In a later turn of the event loop: the caller may still hold a reference.
    if (before < COLLECT_BYTES && this.#bytes >= COLLECT_BYTES) setImmediate(() => this.#collectNow());
  }

  #collectNow(): void {
    this.#bytes = 0;
    this.#collect();
  }
}

/** The garbage of this thread. */
export const garbage = new Garbage();

let gc: (() => void) | undefined;

/** Collects all garbage. V8 offers its function for that only in contexts that are created while its flag is set. */
function collectAll(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as () => void;
    setFlagsFromString('--no-expose-gc');
  }
  gc();
}
