import { z } from 'zod';
import { nextTurn } from '../../clock/timer.ts';
import type { Deps } from '../../context.ts';
import type { Tx } from '../../db/core/schema.ts';
import {
  countBacklog,
  filtersOf,
  findRecovery,
  listMatches,
  lockMatches,
  lockRecovery,
  type RecoveryMatch,
  type RecoveryRow,
  requestRecoveryAttempts,
  updateRecovery,
} from '../../db/webhooks/recoveries.ts';
import {
  insertRecoveryWebhooks,
  listRecoveryWebhooks,
  moveInWebhook,
  type RecoveryWebhookRow,
} from '../../db/webhooks/recovery-webhooks.ts';
import { findWebhook, lockIfDisabled, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import { type RunAgain, defineJob } from '../../jobs/job-kind.ts';

type WorkDeps = Pick<Deps, 'store' | 'clock' | 'engine'>;

// A step holds the write lock for a few milliseconds.
const STEP_ROWS = 100;
// The most webhooks that a transaction stores as those of a recovery, and that a step looks at.
const STEP_WEBHOOKS = 500;
// The most webhooks whose positions a step stores.
const STEP_PARTS = 100;
// A step that finds little ends after this long: each webhook that it looks at costs a query.
const STEP_MS = 100;
// Counting reads an index: at most this many rows before other work gets a turn.
const COUNT_ROWS = 2_000;
// With this many waiting deliveries, a webhook is passed over: new deliveries wait behind a few hundred old ones and not
// behind a million.
const BACKLOG_MAX = 200;
// After this long, other recoveries get a turn.
const TURN_MS = 500;
// The time for webhooks to work off their backlogs before a recovery checks them again.
const PAUSE_MS = 200;

/**
 * Sends failed deliveries again, webhook by webhook and in steps, so that a webhook that hangs does not hold up the others. Its position
 * in each webhook has a row and is stored with each step, so that the job continues there after a restart. Errors never make it fail for
 * good: it would stop halfway until an operator retries it. Repeated crashes do.
 */
export const recoveryJob = defineJob({
  name: 'recovery',
  payload: z.object({ workspace_id: z.string(), recovery_id: z.string() }),
  maxAttempts: Infinity,
  concurrency: 4,
  async run(deps, { workspace_id: workspaceId, recovery_id: id }, { signal }): Promise<RunAgain | void> {
    const until = performance.now() + TURN_MS;
    let hasMoved = false;
    for (;;) {
      const row = await findRecovery(deps.store.read, workspaceId, id);
      // Over, cancelled with its webhook, or deleted with its workspace.
      if (!row || row.completed_at !== null) return;
      if (row.status === 'queued') await beginRecovery(deps, row, signal);
      else {
        if (row.last_webhook_id === null) hasMoved = false;
        const step = await readStep(deps, row);
        await makeStep(deps, row, step);
        hasMoved ||= step.parts.length > 0;
        // All webhooks have had their turn, and none has room.
        if (step.lastWebhookId === null && !hasMoved) return { againInMs: PAUSE_MS };
      }
      if (signal.aborted || performance.now() > until) return { againInMs: hasMoved ? 0 : PAUSE_MS };
    }
  },
});

/** Counts the matching deliveries, stores their webhooks, and begins. When the server stops, it leaves that to the next one. */
async function beginRecovery(
  { store }: Pick<Deps, 'store'>,
  row: RecoveryRow,
  signal: AbortSignal,
): Promise<void> {
  const match = matchOf(row);
  const seen = new Set<string>();
  let matched = row.done;
  let last: number | null = null;
  for (let after: number | null = row.position; after !== null;) {
    const { rows, next } = await listMatches(store.read, match, {
      after,
      last: row.last_seq,
      limit: COUNT_ROWS,
    });
    matched += rows.length;
    last = rows.at(-1)?.seq ?? last;
    const firsts: RecoveryWebhookRow[] = [];
    for (const { webhook_id, seq } of rows) {
      if (seen.has(webhook_id)) continue;
      seen.add(webhook_id);
      firsts.push({ recovery_id: row.id, webhook_id, position: seq - 1 });
    }
    for (let start = 0; start < firsts.length; start += STEP_WEBHOOKS) {
      const some = firsts.slice(start, start + STEP_WEBHOOKS);
      if (!(await whileQueued(store, row, (tx) => insertRecoveryWebhooks(tx, some)))) return;
    }
    after = next;
    await nextTurn();
    // The next process begins again.
    if (signal.aborted) return;
  }
  await whileQueued(store, row, (tx) =>
    updateRecovery(tx, row.id, { status: 'running', matched, last_seq: last }),
  );
}

/**
 * Does something unless another process has begun the recovery meanwhile: otherwise webhooks that are already done would be added again.
 * Reports whether it was done.
 */
const whileQueued = (
  store: Deps['store'],
  { id }: RecoveryRow,
  run: (tx: Tx) => Promise<void>,
): Promise<boolean> =>
  store.write(async (tx) => {
    if ((await lockRecovery(tx, id))?.status !== 'queued') return false;
    await run(tx);
    return true;
  });

/** Deliveries of one webhook, and the position after them; `null`: they are its last ones. */
interface Part {
  webhook: RecoveryWebhookRow;
  seqs: number[];
  next: number | null;
}

/** One step: some deliveries of each webhook that has room. */
interface Step {
  parts: Part[];
  /** The webhook after which the next step continues; `null`: it begins with the first again. */
  lastWebhookId: string | null;
  /** True when no webhook is left. */
  isLast: boolean;
}

/** Reads the deliveries of the next step. */
async function readStep({ store, clock }: WorkDeps, row: RecoveryRow): Promise<Step> {
  const { id: recoveryId, last_webhook_id: after, last_seq: last } = row;
  const now = clock().toISOString();
  const match = matchOf(row);
  const limit = STEP_WEBHOOKS;
  const webhooks = await listRecoveryWebhooks(store.read, recoveryId, { after, limit });
  const parts: Part[] = [];
  let lookedAt = 0;
  const until = performance.now() + STEP_MS;
  const isFull = () => parts.length >= STEP_PARTS || performance.now() > until;
  for (let left = STEP_ROWS; left > 0 && lookedAt < webhooks.length && !isFull(); lookedAt += 1) {
    const webhook = webhooks[lookedAt] as RecoveryWebhookRow;
    const { webhook_id: webhookId, position } = webhook;
    const backlog = await countBacklog(store.read, webhookId, { now, limit: BACKLOG_MAX });
    if (backlog < BACKLOG_MAX) {
      const within = { after: position, last, limit: left };
      const found = await listMatches(store.read, { ...match, webhookId }, within);
      parts.push({ webhook, seqs: found.rows.map(({ seq }) => seq), next: found.next });
      left -= found.rows.length;
    }
    await nextTurn();
  }
  const isRoundOver = lookedAt === webhooks.length && lookedAt < limit;
  return {
    parts,
    lastWebhookId: isRoundOver ? null : (webhooks[lookedAt - 1]?.webhook_id ?? null),
    isLast: webhooks.length === 0 && after === null,
  };
}

/** Makes one step of limited size, and stores the positions with its changes. */
async function makeStep({ store, clock, engine }: WorkDeps, row: RecoveryRow, step: Step): Promise<void> {
  const { parts, lastWebhookId } = step;
  if (parts.length === 0 && !step.isLast && lastWebhookId === row.last_webhook_id) return;
  const now = clock().toISOString();
  const { filters } = matchOf(row);
  const found = parts.filter(({ seqs }) => seqs.length > 0);
  const seqs = found.flatMap((part) => part.seqs);
  const woken = await store.write(async (tx) => {
    const webhooks = new Map<string, WebhookRow>();
    // Webhooks first, in the order of their IDs, then the recovery, then deliveries: the deletion of a webhook locks them in the same
    // order.
    for (const { webhook } of found) {
      const stored = await findWebhook(tx, row.workspace_id, webhook.webhook_id);
      const locked = stored && (await lockIfDisabled(tx, stored));
      if (locked) webhooks.set(locked.id, locked);
    }
    const current = await lockRecovery(tx, row.id);
    // Another process has made this step.
    if (current?.done !== row.done || current.last_webhook_id !== row.last_webhook_id) return [];
    const end = step.isLast ? { status: 'done' as const, completed_at: now } : {};
    const done = row.done + seqs.length;
    await updateRecovery(tx, row.id, { done, last_webhook_id: lastWebhookId, ...end });
    for (const { webhook, next } of parts) await moveInWebhook(tx, webhook, next);
    if (seqs.length > 0) await lockMatches(tx, seqs);
    const active: string[] = [];
    for (const part of found) {
      const webhook = webhooks.get(part.webhook.webhook_id);
      // The deliveries of a deleted webhook stay as they ended.
      if (!webhook) continue;
      const held = webhook.status === 'disabled';
      await requestRecoveryAttempts(tx, part.seqs, { now, statuses: filters.statuses, held });
      if (!held) active.push(webhook.id);
    }
    return active;
  });
  engine.wake(woken.map((webhookId) => ({ webhookId, workspaceId: row.workspace_id, part: 'retry' })));
}

const matchOf = (row: RecoveryRow): RecoveryMatch => ({
  workspaceId: row.workspace_id,
  webhookId: row.webhook_id,
  filters: filtersOf(row),
});
