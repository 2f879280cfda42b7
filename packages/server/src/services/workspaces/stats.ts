import { z } from 'zod';
import type { Deps, Stats, WorkContext } from '../../context.ts';
import { dialectOf } from '../../db/core/dialect-of.ts';
import type { Answer } from '../../db/core/queries/prepared-query.ts';
import type { Tx } from '../../db/core/schema.ts';
import { countInUnit } from '../../db/core/store.ts';
import { setLastFailures } from '../../db/webhooks/webhook-failures.ts';
import { addStatsGroups } from '../../db/workspaces/stats-groups.ts';
import { takeTallies } from '../../db/workspaces/stats-tallies.ts';
import { addStats } from '../../db/workspaces/workspace-stats.ts';
import type { Counted } from '../../domain/stats/tally.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { defineJob } from '../../jobs/job-kind.ts';
import { failureRows, groupRows, statsRows } from './stats-rows.ts';

const KEY = 'all';
// Statistics on disk lag no further behind than this; whoever reads them adds up what is left.
const EVERY_MS = 5_000;

// Half a millisecond of the one writer that everybody shares: a part makes a few rows of 6 µs each (measured).
const PARTS_A_STEP = 50;

/** Counts in the unit that asks, and now and then enqueues the job that adds up. Costs a microsecond. */
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

/** Adds up what was counted. */
export const statisticsJob = defineJob({
  name: 'statistics',
  payload: z.object({}),
  run: (deps, _, { signal, finish }) => addUp(deps, { signal, finish }),
});

/** Adds up what was counted until now, so that a read includes it. If that fails, the read has what is there. */
export async function catchUpOnStats(deps: Pick<Deps, 'store' | 'log'>): Promise<void> {
  try {
    await addUp(deps, {});
  } catch (error) {
    deps.log.warn(
      { err: error },
      'statistics could not be added up; what was counted stays for the next time',
    );
  }
}

interface Run {
  signal?: AbortSignal;
  /** Called in the transaction of the last step. */
  finish?: (tx: Tx) => Promise<unknown>;
}

/** In small steps, each in a transaction of its own: what leaves the table of counts is added in the same one. */
async function addUp({ store }: Pick<Deps, 'store'>, { signal, finish }: Run): Promise<void> {
  let isDone = false;
  while (!isDone && !signal?.aborted)
    isDone = await store.write(async (tx) => {
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
