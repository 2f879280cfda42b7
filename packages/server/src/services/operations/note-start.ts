import type { Deps } from '../../context.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import { readMeta } from '../../db/meta.ts';
import { moveFailures } from '../../db/webhooks/queue/schedule.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import { ALIVE_AT_META_KEY, noteAlive } from '../../jobs/note-alive.ts';
import { syncAllJob } from '../integrations/sync/sync-all-job.ts';
import { beginRetention } from './retention-clock.ts';

// A restart takes less, and most providers repeat calls for this long.
const DOWN_MS = 2 * 60_000;

/**
 * Records a start. If no server has run for a while, that time does not count as a time in which webhooks failed, and all integrations
 * are synced. Called before the delivery engine starts, whose first failed attempt may disable a webhook. Of several processes, the first
 * one does this.
 */
export async function noteStart(
  { store, clock, vault }: Pick<Deps, 'store' | 'clock' | 'vault'>,
  kinds: readonly JobKind[],
): Promise<void> {
  const now = clock();
  await store.write(async (tx) => {
    await dialectOf(tx).lock(tx, ALIVE_AT_META_KEY);
    const since = await readMeta(tx, ALIVE_AT_META_KEY);
    await noteAlive(tx, { now: now.getTime(), kinds });
    await beginRetention(tx, since === null ? now : new Date(since));
    if (since === null) return;
    const downMs = now.getTime() - Date.parse(since);
    if (downMs < DOWN_MS) return;
    const until = now.toISOString();
    await moveFailures(tx, { ms: downMs, latest: until });
    await enqueue(tx, { vault, now }, { kind: syncAllJob, key: since, payload: { since, until } });
  });
}
