import type { Deps } from '../../context.ts';
import type { Tx } from '../../db/core/schema.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import type { Store } from '../../db/core/store.ts';
import { setLastFailures } from '../../db/webhooks/webhook-failures.ts';
import { addStatsGroups } from '../../db/workspaces/stats-groups.ts';
import { mergeTallies, newestTally, takeTallies } from '../../db/workspaces/stats-tallies.ts';
import { addStats } from '../../db/workspaces/workspace-stats.ts';
import { failureRows, groupRows, statsRows } from './stats-rows.ts';

/** Adds up the counts so far, so that a read includes them. If that fails, the read uses the statistics on disk. */
export async function addUpStats({ store, log }: Pick<Deps, 'store' | 'log'>): Promise<void> {
  try {
    const until = await newestTally(store.read);
    if (until > 0) await addUp(store, until);
  } catch (error) {
    log.warn({ err: error }, 'statistics could not be added up; the counts are kept for the next attempt');
  }
}

interface AddUpOptions {
  /** Ends it after the step under way. */
  isStopped?: () => boolean;
  /** Called in the transaction of the last step. */
  atEnd?: (tx: Tx) => Promise<void>;
}

/** Merges the counts up to a number, then takes some at a time out of their table and adds them up. */
export async function addUp(
  store: Store,
  until: number,
  { isStopped = () => false, atEnd }: AddUpOptions = {},
): Promise<void> {
  let merged = 0;
  while (merged < until && !isStopped())
    merged = await writeAlone(store, (tx) => mergeTallies(tx, { after: merged, until }));
  let isDone = false;
  while (!isDone && !isStopped())
    isDone = await writeAlone(store, async (tx) => {
      const { tally, isLast } = await takeTallies(tx, until);
      await addStats(tx, statsRows(tally));
      await addStatsGroups(tx, groupRows(tally));
      await setLastFailures(tx, failureRows(tally));
      if (isLast) await atEnd?.(tx);
      return isLast;
    });
}

/** One process at a time: a reader waits until another has stored what it has taken. */
const writeAlone = <Result>(store: Store, unit: (tx: Tx) => Promise<Result>): Promise<Result> =>
  store.write(async (tx) => {
    await dialectOf(tx).lock(tx, 'statistics');
    return unit(tx);
  });
