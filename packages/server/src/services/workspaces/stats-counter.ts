import type { Stats, WorkContext } from '../../context.ts';
import type { Awaitable } from '../../db/core/awaitable.ts';
import type { Tx } from '../../db/core/schema.ts';
import { countInUnit } from '../../db/core/store.ts';
import { findWaitingJob } from '../../db/jobs.ts';
import type { Counted } from '../../domain/stats/tally.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { ADD_UP_EVERY_MS, statisticsJob } from './stats-job.ts';

const KEY = 'all';

/**
 * Counts in the caller's unit of work, and now and then enqueues the job that adds the counts up. This costs 3 µs per
 * event in groups of five (measured).
 */
export class StatsCounter implements Stats {
  /** The monotonic time until which a job is known to wait. */
  #askedUntil = -Infinity;

  count(tx: Tx, context: WorkContext, counted: readonly Counted[]): Awaitable<void> {
    if (counted.length === 0) return;
    countInUnit(counted);
    if (performance.now() >= this.#askedUntil) return this.#ask(tx, context);
  }

  async #ask(tx: Tx, context: WorkContext): Promise<void> {
    await enqueue(tx, context, { kind: statisticsJob, key: KEY, payload: {}, delayMs: ADD_UP_EVERY_MS });
    const dueAt = await findWaitingJob(tx, { kind: statisticsJob.name, key: KEY });
    // A job that runs may be about to end, so the next unit asks again. Under a steady load one job goes on and on: it waits, and runs.
    if (dueAt === null) return;
    const waitMs = Math.min(dueAt - context.clock().getTime(), ADD_UP_EVERY_MS);
    const until = performance.now() + waitMs;
    context.afterCommit('note that statistics will be added up', () => {
      this.#askedUntil = until;
    });
  }
}
