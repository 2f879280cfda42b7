import { isPlausible } from '../../domain/plausible-clock.ts';
import type { Deps } from '../../context.ts';
import type { Tx } from '../../db/core/schema.ts';
import { claimMeta, readMeta, writeMeta } from '../../db/meta.ts';

/** The key in `meta` of the time by which old rows were last removed. */
const RETENTION_AT_META_KEY = 'retention_at';
// A server that is off for most of each day keeps up, and one that was off for three months does so in about two weeks.
const PACE = 7;
const DAY_MS = 24 * 60 * 60_000;

/** Stores the time at which removal begins, for a database that has none yet: the latest time that it has seen. */
export async function beginRetention(tx: Tx, seen: Date): Promise<void> {
  if (isPlausible(seen)) await claimMeta(tx, RETENTION_AT_META_KEY, seen.toISOString());
}

/**
 * The time by which old rows are removed. It follows the wall clock at up to seven times the speed of this process's
 * monotonic clock: a clock that is wrong at a start, or is set, does not make rows old at once.
 */
export class RetentionClock {
  readonly #monotonic: () => number;
  #seen: number;
  #hasWarned = false;

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
    this.#seen = monotonic();
  }

  /** Advances, and returns the time; `null` while the clock cannot be right: then nothing is old. */
  async follow({ store, clock, log }: Pick<Deps, 'store' | 'clock' | 'log'>): Promise<Date | null> {
    const said = clock();
    const seen = this.#monotonic();
    const most = (seen - this.#seen) * PACE;
    this.#seen = seen;
    if (!isPlausible(said)) {
      this.#warn(
        log,
        `The clock says ${dayOf(said)}, which cannot be right. Set it. Until then, no old data is removed.`,
      );
      return null;
    }
    const now = said.getTime();
    const at = await store.write(async (tx) => {
      const last = Date.parse((await readMeta(tx, RETENTION_AT_META_KEY)) ?? said.toISOString());
      const next = Math.round(Math.min(last + most, Math.max(last - most, now)));
      await writeMeta(tx, RETENTION_AT_META_KEY, new Date(next).toISOString());
      return Math.min(next, now);
    });
    const behind = Math.floor((now - at) / DAY_MS);
    if (behind > 0)
      this.#warn(
        log,
        `The clock is ${behind} ${behind === 1 ? 'day' : 'days'} ahead of the latest time that this database knows. Set it if it is wrong. Old data is removed as of ${dayOf(new Date(at))}, ` +
          `a date that moves on by ${PACE} days for each day that the server runs.`,
      );
    else this.#hasWarned = false;
    return new Date(at);
  }

  #warn(log: Deps['log'], warning: string): void {
    if (!this.#hasWarned) log.warn({}, warning);
    this.#hasWarned = true;
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
