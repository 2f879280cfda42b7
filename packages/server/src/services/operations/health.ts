import { endsWithin } from '../../clock/timer.ts';
import type { Deps } from '../../context.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import { writeMeta } from '../../db/meta.ts';
import { ping } from '../../db/ping.ts';
import { StorageLocked } from '../../domain/faults/storage-unavailable.ts';
import { describeFailure } from '../../log/describe-failure.ts';

// Anybody may ask, as often as they like, and each probe costs a disk flush.
const PROBE_INTERVAL_MS = 1_000;

// Load balancers give up after a few seconds, and a probe may wait for much longer: for a connection, or for a database that is silent.
const PATIENCE_MS = 2_000;
// While a probe waits, the last result holds for this long.
const RESULT_MAX_MS = 10_000;

type ReadinessDeps = Pick<Deps, 'store' | 'clock' | 'log'>;

/** The result of the last probe. */
interface Probed {
  isReady: boolean;
  endedAt: number;
}

/**
 * Probes whether the server can do its work, at most once a second: requests in between get the last result. A table that somebody has
 * locked is no reason to send requests elsewhere: the other processes have the same database.
 */
export class Readiness {
  readonly #deps: ReadinessDeps;
  readonly #monotonic: () => number;
  #last: Probed | null = null;
  #probing: Promise<void> | null = null;

  constructor(deps: ReadinessDeps, monotonic: () => number = () => performance.now()) {
    this.#deps = deps;
    this.#monotonic = monotonic;
  }

  /** Resolves within two seconds; `false` if nothing has been known for ten. */
  async check(): Promise<boolean> {
    if (this.#ageMs >= PROBE_INTERVAL_MS) {
      this.#probing ??= this.#probe();
      await endsWithin(PATIENCE_MS, this.#probing);
    }
    return this.#last !== null && this.#last.isReady && this.#ageMs < RESULT_MAX_MS;
  }

  /** The time since the last result, in milliseconds. */
  get #ageMs(): number {
    return this.#last === null ? Infinity : this.#monotonic() - this.#last.endedAt;
  }

  async #probe(): Promise<void> {
    const isReady = await this.#isReady();
    this.#last = { isReady, endedAt: this.#monotonic() };
    this.#probing = null;
  }

  /** Checks that the database answers a query and stores a write. */
  async #isReady(): Promise<boolean> {
    const { store, clock, log } = this.#deps;
    try {
      await ping(store.read);
      await store.write(async (tx) => {
        await dialectOf(tx).waitBriefly(tx);
        await writeMeta(tx, 'last_probe', clock().toISOString());
      });
      return true;
    } catch (error) {
      log.warn(describeFailure(error), 'the readiness probe failed');
      return error instanceof StorageLocked;
    }
  }
}
