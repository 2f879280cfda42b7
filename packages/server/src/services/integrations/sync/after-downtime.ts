import { z } from 'zod';
import type { Deps } from '../../../context.ts';
import { listIntegrationsFrom } from '../../../db/integrations/integrations.ts';
import { dialectOf } from '../../../db/dialect-of.ts';
import { readMeta, writeMeta } from '../../../db/meta.ts';
import { moveFailures } from '../../../db/webhooks/queue/schedule.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { type Again, defineJob, type JobKind } from '../../../jobs/job-kind.ts';
import { ALIVE_AT_META_KEY, noteAlive } from '../../../jobs/note-alive.ts';
import { workContext } from '../../../work-context.ts';
import { beginRetention } from '../../operations/retention-clock.ts';
import { syncSince } from './begin.ts';

const ALIVE_EVERY_MS = 30_000;
// A restart takes less, and most providers repeat calls for this long.
const DOWN_MS = 2 * 60_000;
// A thousand integrations take a quarter of an hour, so that neither the tools nor other requests notice the load.
const APART_MS = 1_000;
const BATCH = 100;

/** Notes that a server is running; one process at a time does this. */
export const noteAliveJob = defineJob({
  name: 'note_alive',
  payload: z.object({}),
  everyMs: ALIVE_EVERY_MS,
  run: ({ store, clock }) => store.write((tx) => writeMeta(tx, ALIVE_AT_META_KEY, clock().toISOString())),
});

/**
 * Notes a start. If no server has run for a while, webhooks did not fail in that time, and all integrations are synced. Called before
 * the delivery engine starts: its first failed attempt may disable a webhook. Of several processes, the first one does this.
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

/**
 * Begins a sync of every integration that existed while no server ran, one after the other. After a crash, it
 * continues.
 */
export const syncAllJob = defineJob({
  name: 'sync_all',
  payload: z.object({ since: z.string(), until: z.string() }),
  async run(deps, { since, until }, { signal }): Promise<Again | void> {
    const providers = [...deps.providers.values()].filter(({ sync }) => sync).map(({ key }) => key);
    let begun = 0;
    let after = '';
    for (;;) {
      if (signal.aborted) return { againInMs: 0 };
      const rows = await listIntegrationsFrom(deps.store.read, { providers, after, limit: BATCH });
      for (const row of rows) {
        const context = workContext(deps);
        const isBegun = await context.write(async (tx) => {
          await lockWorkspace(tx, row.workspace_id);
          return syncSince(tx, context, { row, since, until, delayMs: begun * APART_MS });
        });
        if (isBegun) begun += 1;
      }
      if (rows.length < BATCH) return;
      after = rows.at(-1)?.id ?? after;
    }
  },
});
