import type { Deps } from '../../context.ts';
import { writeMeta } from '../../db/meta.ts';
import { ping } from '../../db/ping.ts';
import { describeFailure } from '../../log/describe-failure.ts';

// Anybody may ask, as often as they like, and each probe costs a disk flush.
const PROBE_INTERVAL_MS = 1_000;

type ReadinessDeps = Pick<Deps, 'store' | 'clock' | 'log'>;

/** Probes whether the server can do its work, at most once a second: requests in between get the last result. */
export class Readiness {
  readonly #deps: ReadinessDeps;
  readonly #monotonic: () => number;
  #lastStart = -Infinity;
  #result: Promise<boolean> | null = null;
  #isProbing = false;

  constructor(deps: ReadinessDeps, monotonic: () => number = () => performance.now()) {
    this.#deps = deps;
    this.#monotonic = monotonic;
  }

  check(): Promise<boolean> {
    const now = this.#monotonic();
    if (this.#result && (this.#isProbing || now - this.#lastStart < PROBE_INTERVAL_MS)) return this.#result;
    this.#lastStart = now;
    this.#isProbing = true;
    this.#result = this.#probe().finally(() => {
      this.#isProbing = false;
    });
    return this.#result;
  }

  /** Checks that the database answers a query and stores a write. */
  async #probe(): Promise<boolean> {
    const { store, clock, log } = this.#deps;
    try {
      await ping(store.read);
      await store.write((tx) => writeMeta(tx, 'last_probe', clock().toISOString()));
      return true;
    } catch (error) {
      log.warn(describeFailure(error), 'the readiness probe failed');
      return false;
    }
  }
}
