import type { Deps } from '../context.ts';
import { countQueue } from '../db/queue-levels.ts';
import type { QueueLevels } from '../metrics.ts';

// However many scrape, and however often.
const FRESH_MS = 5_000;

/** What is waiting to be sent, counted at most once in a few seconds. */
export function createQueueLevels(deps: () => Pick<Deps, 'store' | 'clock'>): () => Promise<QueueLevels> {
  let counting: Promise<QueueLevels> | null = null;
  let counted = 0;
  return () => {
    if (counting !== null && performance.now() - counted < FRESH_MS) return counting;
    counted = performance.now();
    const current = count(deps());
    current.catch(() => {
      if (counting === current) counting = null;
    });
    return (counting = current);
  };
}

async function count({ store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<QueueLevels> {
  const now = clock();
  const { open, due, first } = await countQueue(store.read, store.dialect, now.toISOString());
  return {
    due,
    scheduled: open - due,
    oldestDueMs: first === null ? 0 : now.getTime() - Date.parse(first),
  };
}
