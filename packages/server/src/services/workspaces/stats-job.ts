import { z } from 'zod';
import type { Deps } from '../../context.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import type { Store } from '../../db/core/store.ts';
import { setLastFailures } from '../../db/webhooks/webhook-failures.ts';
import { addStatsGroups } from '../../db/workspaces/stats-groups.ts';
import { hasTallies, takeTallies } from '../../db/workspaces/stats-tallies.ts';
import { addStats } from '../../db/workspaces/workspace-stats.ts';
import { type Again, defineJob, type JobRun } from '../../jobs/job-kind.ts';
import { failureRows, groupRows, statsRows } from './stats-rows.ts';

// A step takes half a millisecond of the one writer that everybody shares: a part makes a few rows of 6 µs each (measured).
const PARTS_A_STEP = 50;

/** Adds up the counts, in small steps. */
export const statisticsJob = defineJob({
  name: 'statistics',
  payload: z.object({}),
  async run({ store }, _, { signal, finish }): Promise<Again | void> {
    while (!(await addUpSome(store, finish))) if (signal.aborted) return { againInMs: 0 };
  },
});

/** Adds up the counts so far, so that a read includes them. If that fails, the read uses the statistics on disk. */
export async function addUpStats({ store, log }: Pick<Deps, 'store' | 'log'>): Promise<void> {
  try {
    while (await hasTallies(store.read)) if (await addUpSome(store)) return;
  } catch (error) {
    log.warn({ err: error }, 'statistics could not be added up; the counts are kept for the next attempt');
  }
}

/**
 * Takes some counts out of their table and adds them up, in one transaction. Returns `true` when none are left, after
 * calling `finish`.
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
