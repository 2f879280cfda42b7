import { endsWithin } from '../../clock/timer.ts';
import type { Deps } from '../../context.ts';
import { countJobs } from '../../db/jobs.ts';
import { countQueue } from '../../db/webhooks/queue/queue-levels.ts';
import type { JobLevels, QueueLevels } from '../../metrics/metrics.ts';

// Limits the counting, however many clients scrape, and however often.
const FRESH_MS = 5_000;
// Prometheus gives up a scrape after ten seconds, and would then have no metric at all of a server whose database hangs.
const COUNT_MS = 5_000;

type LevelDeps = Pick<Deps, 'store' | 'clock'>;

/** Counts the deliveries that wait to be sent, at most once every few seconds. Rejects if the database takes too long. */
export const createQueueLevels = (deps: () => LevelDeps): (() => Promise<QueueLevels>) =>
  seldom(() => countDeliveries(deps()));

/** Counts the background work that is not done, at most once every few seconds. Rejects if the database takes too long. */
export const createJobLevels = (deps: () => LevelDeps): (() => Promise<JobLevels>) =>
  seldom(() => countOpenJobs(deps()));

function seldom<Levels>(count: () => Promise<Levels>): () => Promise<Levels> {
  let counting: Promise<Levels> | null = null;
  let counted = 0;
  const latest = (): Promise<Levels> => {
    if (counting !== null && performance.now() - counted < FRESH_MS) return counting;
    counted = performance.now();
    const current = count();
    current.catch(() => {
      if (counting === current) counting = null;
    });
    return (counting = current);
  };
  return async () => {
    const levels = latest();
    if (!(await endsWithin(COUNT_MS, levels))) throw new Error('the database does not respond');
    return levels;
  };
}

async function countOpenJobs({ store, clock }: LevelDeps): Promise<JobLevels> {
  const now = clock().getTime();
  const levels = await countJobs(store.read, now);
  const due = levels.filter(({ state }) => state === 'due').map(({ first_due_at: at }) => now - at);
  return { levels, oldestDueMs: Math.max(0, ...due) };
}

async function countDeliveries({ store, clock }: LevelDeps): Promise<QueueLevels> {
  const now = clock();
  const { open, due, first } = await countQueue(store.read, now.toISOString());
  return {
    due,
    scheduled: open - due,
    oldestDueMs: first === null ? 0 : now.getTime() - Date.parse(first),
  };
}
