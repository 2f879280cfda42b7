import { z } from 'zod';
import type { Deps, Stats, WorkContext } from '../../context.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import type { Answer } from '../../db/core/queries/prepared-query.ts';
import type { Tx } from '../../db/core/schema.ts';
import { countInUnit, type Store } from '../../db/core/store.ts';
import { setLastFailures } from '../../db/webhooks/webhook-failures.ts';
import { addStatsGroups } from '../../db/workspaces/stats-groups.ts';
import { hasTallies, takeTallies } from '../../db/workspaces/stats-tallies.ts';
import { addStats } from '../../db/workspaces/workspace-stats.ts';
import type { Counted } from '../../domain/stats/tally.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { type Again, defineJob, type JobRun } from '../../jobs/job-kind.ts';
import { failureRows, groupRows, statsRows } from './stats-rows.ts';

const KEY = 'all';
// Statistics on disk lag no further behind than this; whoever reads them adds up what is left.
const EVERY_MS = 2_000;

// Half a millisecond of the one writer that everybody shares: a part makes a few rows of 6 µs each (measured).
const PARTS_A_STEP = 50;

/**
 * Counts in the unit that asks, and now and then enqueues the job that adds up. All of it costs 3 µs an event in groups of five
 * (measured).
 */
export class StatsCounter implements Stats {
  /** The time, on a clock that never jumps, until which a job is known to wait. */
  #askedUntil = -Infinity;

  count(tx: Tx, context: WorkContext, counted: readonly Counted[]): Answer<void> {
    if (counted.length === 0) return;
    countInUnit(counted);
    if (performance.now() >= this.#askedUntil) return this.#ask(tx, context);
  }

  async #ask(tx: Tx, context: WorkContext): Promise<void> {
    const isAdded = await enqueue(tx, context, {
      kind: statisticsJob,
      key: KEY,
      payload: {},
      delayMs: EVERY_MS,
    });
    // One that is open already may be about to end: the next unit asks again.
    if (!isAdded) return;
    context.afterCommit('note that statistics will be added up', () => {
      this.#askedUntil = performance.now() + EVERY_MS;
    });
  }
}

/** Adds up what was counted, in small steps. */
export const statisticsJob = defineJob({
  name: 'statistics',
  payload: z.object({}),
  async run({ store }, _, { signal, finish }): Promise<Again | void> {
    while (!(await addUpSome(store, finish))) if (signal.aborted) return { againInMs: 0 };
  },
});

/** Adds up what was counted until now, so that a read includes it. If that fails, the read has what is there. */
export async function catchUpOnStats({ store, log }: Pick<Deps, 'store' | 'log'>): Promise<void> {
  try {
    while (await hasTallies(store.read)) if (await addUpSome(store)) return;
  } catch (error) {
    log.warn({ err: error }, 'statistics could not be added up; what was counted stays for the next time');
  }
}

/**
 * Takes some counts out of their table and adds them, in one transaction. `true` when none are left; then it has called
 * `finish`.
 */
function addUpSome(store: Store, finish?: JobRun['finish']): Promise<boolean> {
  return store.write(async (tx) => {
    // One process at a time: a reader waits until another has stored what it has taken.
    await dialectOf(tx).lock(tx, 'statistics');
    const { tally, isLast } = await takeTallies(tx, PARTS_A_STEP);
    await addStats(tx, statsRows(tally));
    await addStatsGroups(tx, groupRows(tally));
    await setLastFailures(tx, failureRows(tally));
    if (isLast) await finish?.(tx);
    return isLast;
  });
}
