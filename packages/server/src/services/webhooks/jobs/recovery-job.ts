import type { Recovery } from '@hubline/contract';
import { z } from 'zod';
import { nextTurn } from '../../../clock/timer.ts';
import type { Deps } from '../../../context.ts';
import {
  countBacklog,
  findRecovery,
  listMatches,
  lockMatches,
  lockRecovery,
  type Match,
  type RecoveryMatch,
  type RecoveryRow,
  requestRecoveryAttempts,
  updateRecovery,
} from '../../../db/webhooks/recoveries.ts';
import { findWebhook, lockIfDisabled, type WebhookRow } from '../../../db/webhooks/webhooks.ts';
import { type Again, defineJob } from '../../../jobs/job-kind.ts';

type WorkDeps = Pick<Deps, 'store' | 'clock' | 'wake'>;

// A step holds the write lock for a few milliseconds.
const STEP_ROWS = 100;
// Counting reads an index: at most this many rows before other work gets a turn.
const COUNT_ROWS = 2_000;
// The most waiting deliveries of a webhook. Beyond this the recovery waits as well, so that new deliveries wait behind
// a few hundred old ones and not behind a million.
const BACKLOG_MAX = 300;
// After this long, other recoveries get a turn.
const TURN_MS = 500;
// The time for webhooks to work off their backlog before a recovery checks it again.
const PAUSE_MS = 200;

/**
 * Sends failed deliveries again, in steps. The position is in the recovery's own row and is stored with each step, so
 * that the job continues there after a restart. It is never given up, because nobody could restart it where it stopped.
 */
export const recoveryJob = defineJob({
  name: 'recovery',
  payload: z.object({ workspace_id: z.string(), recovery_id: z.string() }),
  maxAttempts: Infinity,
  concurrency: 4,
  async run(deps, { workspace_id: workspaceId, recovery_id: id }, { signal }): Promise<Again | void> {
    const until = performance.now() + TURN_MS;
    for (;;) {
      const row = await findRecovery(deps.store.read, workspaceId, id);
      // Over, cancelled with its webhook, or deleted with its workspace.
      if (!row || row.completed_at !== null) return;
      if (row.status === 'queued') await beginRecovery(deps, row);
      else if (!(await stepRecovery(deps, row))) return { againInMs: PAUSE_MS };
      if (signal.aborted || performance.now() > until) return { againInMs: 0 };
    }
  },
});

/** Counts the matching deliveries, and begins. */
async function beginRecovery(deps: Pick<Deps, 'store'>, row: RecoveryRow): Promise<void> {
  const match = matchOf(row);
  let matched = 0;
  for (let after: number | null = 0; after !== null;) {
    const { rows, next } = await listMatches(deps.store.read, match, { after, limit: COUNT_ROWS });
    matched += rows.length;
    after = next;
    await nextTurn();
  }
  await deps.store.write(async (tx) => {
    const current = await lockRecovery(tx, row.id);
    if (current?.status === 'queued') await updateRecovery(tx, row.id, { status: 'running', matched });
  });
}

/** Makes one step of limited size, and stores the position with its changes. Reports whether it made progress. */
async function stepRecovery(deps: WorkDeps, row: RecoveryRow): Promise<boolean> {
  const { store } = deps;
  const now = deps.clock().toISOString();
  const match = matchOf(row);
  const { rows, next } = await listMatches(store.read, match, { after: row.position, limit: STEP_ROWS });
  const taken = await withRoom(deps, rows, now);
  if (rows.length > 0 && taken.length === 0) return false;
  const position = taken.length < rows.length ? (taken.at(-1)?.seq ?? null) : next;

  const woken = await store.write(async (tx) => {
    const groups = byWebhook(taken);
    const webhooks = new Map<string, WebhookRow>();
    // Webhooks first, then the recovery, then deliveries: the deletion of a webhook locks them in the same order.
    for (const id of [...groups.keys()].toSorted()) {
      const found = await findWebhook(tx, row.workspace_id, id);
      const webhook = found && (await lockIfDisabled(tx, found));
      if (webhook) webhooks.set(id, webhook);
    }
    const current = await lockRecovery(tx, row.id);
    // Another process has made this step.
    if (current?.position !== row.position) return [];
    const done = row.done + taken.length;
    await updateRecovery(
      tx,
      row.id,
      position === null ? { status: 'done', done, completed_at: now } : { position, done },
    );
    if (taken.length === 0) return [];
    await lockMatches(tx, taken);
    const active: string[] = [];
    for (const [webhookId, seqs] of groups) {
      const webhook = webhooks.get(webhookId);
      // The deliveries of a deleted webhook stay as they ended.
      if (!webhook) continue;
      const held = webhook.status === 'disabled';
      await requestRecoveryAttempts(tx, seqs, { now, statuses: match.filters.statuses, held });
      if (!held) active.push(webhookId);
    }
    return active;
  });
  deps.wake(woken.map((webhookId) => ({ webhookId, workspaceId: row.workspace_id, part: 'retry' })));
  return true;
}

/** The longest prefix of `found` for which the backlogs of the webhooks have room. */
async function withRoom({ store }: WorkDeps, found: readonly Match[], now: string): Promise<Match[]> {
  const room = new Map<string, number>();
  const taken: Match[] = [];
  for (const match of found) {
    const left =
      room.get(match.webhook_id) ??
      BACKLOG_MAX - (await countBacklog(store.read, match.webhook_id, { now, limit: BACKLOG_MAX }));
    if (left <= 0) break;
    room.set(match.webhook_id, left - 1);
    taken.push(match);
  }
  return taken;
}

const byWebhook = (matches: readonly Match[]): Map<string, number[]> => {
  const groups = new Map<string, number[]>();
  for (const { webhook_id: id, seq } of matches) {
    const group = groups.get(id);
    if (group) group.push(seq);
    else groups.set(id, [seq]);
  }
  return groups;
};

const matchOf = (row: RecoveryRow): RecoveryMatch => ({
  workspaceId: row.workspace_id,
  webhookId: row.webhook_id,
  filters: JSON.parse(row.filters) as z.output<typeof Recovery>['filters'],
});
