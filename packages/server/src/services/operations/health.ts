import { endsWithin } from '../../clock/timer.ts';
import type { Deps } from '../../context.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import { writeMeta } from '../../db/meta.ts';
import { ping } from '../../db/ping.ts';
import { ConnectionsInUse, StorageLocked } from '../../domain/faults/storage-unavailable.ts';
import { describeFailure } from '../../log/describe-failure.ts';

// Anybody may ask, as often as they like, and each probe costs a disk flush.
const PROBE_INTERVAL_MS = 1_000;

// Load balancers give up after a few seconds, and a probe may wait for much longer.
const PATIENCE_MS = 2_000;

type ReadinessDeps = Pick<Deps, 'store' | 'clock' | 'log'>;

interface Probe {
  readonly startedAt: number;
  /** True once it has a connection, and so waits for the database itself. */
  hasConnection: boolean;
  hasEnded: boolean;
  readonly result: Promise<boolean>;
  /** Resolves to whether the probe has ended within `PATIENCE_MS`. */
  readonly inTime: Promise<boolean>;
}

/**
 * Probes whether the server can do its work, at most once a second: requests in between get the last result. A table that somebody has
 * locked, and connections that all wait for one, are no reason to send requests elsewhere: the other processes have the same database.
 */
export class Readiness {
  readonly #deps: ReadinessDeps;
  readonly #monotonic: () => number;
  #last: Probe | null = null;

  constructor(deps: ReadinessDeps, monotonic: () => number = () => performance.now()) {
    this.#deps = deps;
    this.#monotonic = monotonic;
  }

  async check(): Promise<boolean> {
    const now = this.#monotonic();
    const isOld = this.#last?.hasEnded && now - this.#last.startedAt >= PROBE_INTERVAL_MS;
    const probe = !this.#last || isOld ? (this.#last = this.#start(now)) : this.#last;
    if ((await probe.inTime) || probe.hasEnded) return probe.result;
    return !probe.hasConnection && this.#databaseResponds();
  }

  #start(startedAt: number): Probe {
    const state = { startedAt, hasConnection: false, hasEnded: false };
    const result = this.#probe(() => (state.hasConnection = true)).finally(() => (state.hasEnded = true));
    const inTime = endsWithin(PATIENCE_MS, result);
    return Object.assign(state, { result, inTime });
  }

  /** Checks that the database answers a query and stores a write. */
  async #probe(onConnection: () => void): Promise<boolean> {
    const { store, clock, log } = this.#deps;
    try {
      await ping(store.read);
      await store.write(async (tx) => {
        onConnection();
        await dialectOf(tx).waitBriefly(tx);
        await writeMeta(tx, 'last_probe', clock().toISOString());
      });
      return true;
    } catch (error) {
      log.warn(describeFailure(error), 'the readiness probe failed');
      return (
        error instanceof StorageLocked || (error instanceof ConnectionsInUse && this.#databaseResponds())
      );
    }
  }

  /** Reports whether the database has responded lately to a process that shares it with others. */
  #databaseResponds(): boolean {
    const { peers } = this.#deps.store;
    return peers !== null && peers.silentMs() < PATIENCE_MS;
  }
}
