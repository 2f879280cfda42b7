import type { ATTEMPT_ERROR_KINDS } from '@hubline/contract';
import type { Deps } from '../context.ts';
import {
  type AttemptResult,
  claimDue,
  expireLeases,
  interruptLease,
  listWaiting,
  nextDueAt as nextDueIn,
  releaseLease,
  releaseUnbegun,
  settleDeliveries,
} from '../db/delivery-queue.ts';
import type { DeliveryRow } from '../db/deliveries.ts';
import { findDeliveryBody, readDeliveryBody } from '../db/delivery-bodies.ts';
import { cancelDeliveries, holdDeliveries } from '../db/open-deliveries.ts';
import type { Tx } from '../db/schema.ts';
import type { Dialect } from '../db/store.ts';
import { disableWebhook } from '../db/webhook-health.ts';
import {
  findWebhook,
  findWebhookById,
  findWebhooksById,
  lockWebhook,
  type WebhookRow,
} from '../db/webhooks.ts';
import { next, type NextState } from '../domain/delivery.ts';
import { type QueuePart, QUEUE_PARTS } from '../domain/queue-part.ts';
import type { DueWebhook, Job } from '../job.ts';
import type { CountedAttempt } from '../stats.ts';
import { VaultError } from '../vault.ts';
import { followDisabling, noteHealth, tellDisabled } from './webhooks/webhook-health.ts';
import { openRateLimiter, type WebhookRateLimiter } from './webhook-rate-limiter.ts';
import { secretContext } from './webhooks/webhooks.ts';

type WorkDeps = Pick<
  Deps,
  'store' | 'clock' | 'ids' | 'vault' | 'mail' | 'log' | 'metrics' | 'stats' | 'wakeJobs'
>;

// Longer than the 30 s that an attempt may take and the time to record it: a live worker never loses its lease.
const LEASE_MS = 60_000;
// Deliveries given back in one transaction, which others wait for.
const RETURN_MAX = 1_000;

/** Until when a lease holds that begins now, in milliseconds since the epoch. */
export const leaseEnd = (now: Date): number => now.getTime() + LEASE_MS;

/** How many of a webhook's due deliveries to take. */
export interface Allotment {
  webhookId: string;
  limits: Record<QueuePart, number>;
}

/** What was taken from one webhook. */
export interface Taken extends Allotment {
  jobs: Job[];
  /** When the next delivery is due, in the lines that were looked at: ISO 8601, `null` for never. */
  nextDueAt: Partial<Record<QueuePart, string | null>>;
  /** Until when its rate limit lets nothing more out, in milliseconds since the epoch; 0 for now. */
  pausedUntil: number;
}

/** A webhook whose turn it is, while its deliveries are taken. */
interface Turn extends Allotment {
  webhook: WebhookRow | undefined;
  limiter: WebhookRateLimiter | undefined;
}

/** How an attempt ended, as it is recorded. */
export interface AttemptOutcome {
  startedAt: Date;
  durationMs: number;
  response: { status: number; headers: Record<string, string>; body: string } | null;
  error: { kind: (typeof ATTEMPT_ERROR_KINDS)[number]; message: string } | null;
  retryAfterMs: number | null;
  ok: boolean;
}

/**
 * Leases due deliveries of several webhooks in one transaction. A webhook that is gone or disabled has none: what is due
 * for it was stored at the same moment, or left by a dead process.
 */
export async function takeWork(
  deps: Pick<WorkDeps, 'store' | 'clock'>,
  owner: string,
  allotments: readonly Allotment[],
): Promise<Taken[]> {
  const { store } = deps;
  return store.write(async (tx) => {
    const at = deps.clock();
    const now = at.toISOString();
    const leaseUntil = new Date(leaseEnd(at)).toISOString();
    const turns: Turn[] = [];
    // What may have to wait for others comes first, in one order for everybody; the claims, which hold many deliveries,
    // wait for nobody.
    for (const allotment of allotments.toSorted((a, b) => (a.webhookId < b.webhookId ? -1 : 1))) {
      let webhook = await findWebhookById(tx, allotment.webhookId);
      // Somebody may be enabling it: what they have just released must not be held again.
      if (webhook?.status === 'disabled') webhook = await lockWebhook(tx, store.dialect, webhook.id);
      const limiter = webhook && (await openRateLimiter(tx, store.dialect, { webhook, now: at.getTime() }));
      turns.push({ ...allotment, webhook, limiter });
    }
    for (const { webhookId, webhook } of turns) {
      if (!webhook) await cancelDeliveries(tx, { id: webhookId }, now);
      else if (webhook.status === 'disabled') await holdDeliveries(tx, webhook, now);
    }
    const taken: Taken[] = [];
    for (const turn of turns)
      taken.push(await take(tx, turn, { dialect: store.dialect, owner, now, leaseUntil }));
    return taken;
  });
}

async function take(
  tx: Tx,
  { webhookId, limits, webhook, limiter }: Turn,
  { dialect, ...lease }: { dialect: Dialect; owner: string; now: string; leaseUntil: string },
): Promise<Taken> {
  const jobs: Job[] = [];
  const nextDueAt: Taken['nextDueAt'] = {};
  for (const part of QUEUE_PARTS) {
    if (limits[part] === 0) continue;
    const limit =
      webhook?.status === 'active' && limiter ? Math.min(limits[part], limiter.calls - jobs.length) : 0;
    const rows =
      webhook && limit > 0
        ? await claimDue(tx, dialect, { workspaceId: webhook.workspace_id, webhookId, part, limit, ...lease })
        : [];
    if (webhook) {
      for (const delivery of rows) {
        const { text, bytes } = await findDeliveryBody(tx, delivery);
        jobs.push({ delivery, webhook, body: text, bytes });
      }
    }
    nextDueAt[part] = await nextDueIn(tx, webhookId, part);
  }
  const pausedUntil = webhook?.status === 'active' && limiter ? await limiter.spend(jobs.length) : 0;
  return { webhookId, limits, jobs, nextDueAt, pausedUntil };
}

/** An attempt that has ended. */
export interface Ended {
  job: Job;
  outcome: AttemptOutcome;
}

/**
 * Records attempts and the states that follow from them in one transaction, each if its lease still holds. Answers when
 * each delivery is due again: `null` for never, or because somebody else has it.
 */
export async function recordAttempts(deps: WorkDeps, ended: readonly Ended[]): Promise<(string | null)[]> {
  const { states, disabled } = await deps.store.write(async (tx) => {
    const now = deps.clock();
    // Webhooks before deliveries, each in one order: whoever changes a webhook and its deliveries at the same time does it
    // in that order too, so that PostgreSQL finds nobody who waits for somebody who waits.
    const ill = await noteHealths(tx, ended, now);
    const results: AttemptResult[] = [];
    for (const one of ended.toSorted((a, b) => seqOf(a) - seqOf(b)))
      results.push(await resultOf(tx, deps, { ...one, now }));
    const held = await settleDeliveries(tx, results);
    const bySeq = new Map(results.map((result) => [result.seq, result]));
    const states = ended.map((one) => (held.has(seqOf(one)) ? (bySeq.get(seqOf(one)) ?? null) : null));
    for (const webhook of ill) await followDisabling(tx, { ...deps, now }, webhook);
    return { states, disabled: ill };
  });
  for (const one of disabled) tellDisabled(deps, one);
  for (const one of ended) measure(deps, one);
  deps.stats.attempts(ended.flatMap((one, index) => counted(one, states[index] ?? null)));
  return states.map((state) => state?.due_at ?? null);
}

const seqOf = ({ job }: Ended) => job.delivery.seq;

/** What the attempts say about their webhooks; those that are disabled for it. */
async function noteHealths(tx: Tx, ended: readonly Ended[], now: Date): Promise<WebhookRow[]> {
  const disabled: WebhookRow[] = [];
  for (const { job, outcome } of ended.toSorted((a, b) => (a.job.webhook.id < b.job.webhook.id ? -1 : 1))) {
    const status = outcome.response?.status ?? null;
    const webhook = await noteHealth(tx, { webhook: job.webhook, ok: outcome.ok, status, now });
    if (webhook) disabled.push(webhook);
  }
  return disabled;
}

function measure({ clock, metrics }: Pick<WorkDeps, 'clock' | 'metrics'>, { job, outcome }: Ended): void {
  const { ok, response, error, durationMs } = outcome;
  metrics.attempt(
    ok ? 'success' : (error?.kind ?? `http_${Math.floor((response?.status ?? 0) / 100)}xx`),
    durationMs,
  );
  const { status, created_at: since } = job.delivery;
  if (ok && status !== 'delivered' && triggerOf(job.delivery) === 'event')
    metrics.delivered(clock().getTime() - Date.parse(since));
}

/** An attempt for the statistics; none, where it was not recorded because somebody else has the delivery. */
function counted(
  { job: { delivery }, outcome }: Ended,
  state: Pick<NextState, 'status'> | null,
): CountedAttempt[] {
  if (!state) return [];
  const { workspace_id: workspaceId, webhook_id: webhookId, status: before } = delivery;
  const ended = state.status !== before && isFinal(state.status) ? state.status : null;
  return [
    {
      workspaceId,
      webhookId,
      ok: outcome.ok,
      startedAt: outcome.startedAt.getTime(),
      durationMs: outcome.durationMs,
      responseStatus: outcome.response?.status ?? null,
      errorKind: outcome.error?.kind ?? null,
      ended,
    },
  ];
}

const isFinal = (status: NextState['status']) => status === 'delivered' || status === 'failed';

/** What became of a delivery, as it is stored. */
async function resultOf(
  tx: Tx,
  deps: Pick<WorkDeps, 'ids'>,
  { job: { delivery }, outcome, now }: Ended & { now: Date },
): Promise<AttemptResult> {
  const state = next(delivery, outcome, now);
  const webhook =
    state.due_at === null ? undefined : await findWebhook(tx, delivery.workspace_id, delivery.webhook_id);
  const held = webhook?.status === 'disabled' ? { status: 'held' as const, due_at: null } : {};
  const { seq, lease_token } = delivery;
  const attempt = {
    id: deps.ids('attempt'),
    trigger: triggerOf(delivery),
    started_at: outcome.startedAt.toISOString(),
    duration_ms: outcome.durationMs,
    response_status: outcome.response?.status ?? null,
    response_headers: outcome.response ? JSON.stringify(outcome.response.headers) : null,
    response_body: outcome.response?.body ?? null,
    error_kind: outcome.error?.kind ?? null,
    error_message: outcome.error?.message ?? null,
  };
  return { seq, lease_token, ...state, ...held, attempt };
}

/** Why an attempt is made: for its delivery's own reason, or as an extra one. */
const triggerOf = ({ manual, trigger }: DeliveryRow): DeliveryRow['trigger'] =>
  ([trigger, 'manual', 'recovery'] as const)[manual];

/** Gives a delivery back without an attempt: what kept it from being made was not the receiver's fault. */
export async function returnWork(
  deps: Pick<WorkDeps, 'store' | 'clock'>,
  delivery: DeliveryRow,
  delayMs: number,
): Promise<string> {
  const due = new Date(deps.clock().getTime() + delayMs).toISOString();
  await deps.store.write((tx) => releaseLease(tx, delivery, due));
  return due;
}

/** Gives a delivery back whose attempt was cut off in the middle: whether the receiver got it, nobody knows. */
export async function returnInterrupted(
  { store, clock }: Pick<WorkDeps, 'store' | 'clock'>,
  delivery: DeliveryRow,
): Promise<string> {
  const now = clock().toISOString();
  await store.write((tx) => interruptLease(tx, delivery, now));
  return now;
}

/**
 * Gives back a delivery whose call cannot be signed, because the secret of its webhook no longer decrypts. Only a new secret
 * mends that, so the webhook is disabled and its deliveries are held until it has one.
 */
export async function returnUnsigned(
  deps: Pick<WorkDeps, 'store' | 'clock' | 'ids' | 'vault' | 'mail' | 'log' | 'wakeJobs'>,
  { delivery, webhook: failing }: Job,
): Promise<string> {
  const now = deps.clock();
  const at = now.toISOString();
  const disabled = await deps.store.write(async (tx) => {
    const webhook = await disableWebhook(tx, {
      webhook: failing,
      reason: 'secret_unreadable',
      now: at,
      secret: failing.secret,
    });
    await releaseLease(tx, delivery, at);
    return webhook && followDisabling(tx, { ...deps, now }, webhook);
  });
  if (disabled) tellDisabled(deps, disabled);
  return at;
}

/** Gives back what was stored as leased and has not begun, as if it had never been leased. */
export async function returnUnbegun(
  { store, clock }: Pick<WorkDeps, 'store' | 'clock'>,
  owner: string,
  deliveries: readonly DeliveryRow[],
): Promise<void> {
  const now = clock().toISOString();
  const seqs = deliveries.map(({ seq }) => seq).toSorted((a, b) => a - b);
  for (let start = 0; start < seqs.length; start += RETURN_MAX) {
    const part = seqs.slice(start, start + RETURN_MAX);
    await store.write((tx) => releaseUnbegun(tx, { owner, now }, part));
  }
}

/** The frozen bytes of a delivery that has too many of them to be claimed with it. */
export function readBody({ store }: Pick<WorkDeps, 'store'>, delivery: DeliveryRow): Promise<Buffer> {
  return readDeliveryBody(store.read, delivery);
}

/** Webhooks as they are now; those that were deleted are missing. */
export async function findWebhooksOf(
  { store }: Pick<WorkDeps, 'store'>,
  ids: readonly string[],
): Promise<Map<string, WebhookRow>> {
  const rows = await findWebhooksById(store.read, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A webhook with open deliveries in a part, and when the first of them is due, in milliseconds since the epoch. */
export interface Waiting extends Required<DueWebhook> {
  dueAt: number;
}

/** At start: frees what a dead process had leased, and lists the webhooks that have open deliveries. */
export async function recoverWork(deps: Pick<WorkDeps, 'store' | 'clock'>): Promise<Waiting[]> {
  // On PostgreSQL another process may be alive and hold leases: those of a dead one end by themselves.
  if (deps.store.dialect === 'sqlite') {
    await deps.store.write((tx) => expireLeases(tx, deps.clock().toISOString()));
  }
  return listWork(deps);
}

/** The webhooks that have open deliveries, and when the first of each is due. */
export async function listWork(deps: Pick<WorkDeps, 'store'>): Promise<Waiting[]> {
  const rows = await listWaiting(deps.store.read);
  return rows.map(({ webhook_id: webhookId, workspace_id: workspaceId, part, due_at: dueAt }) => ({
    webhookId,
    workspaceId,
    part,
    dueAt: Date.parse(dueAt),
  }));
}

/**
 * The secrets that sign a call now: the current one first, behind it one that a rotation keeps valid. Throws `VaultError` when
 * the current one no longer decrypts; without the other one, receivers that have the new secret are served all the same.
 */
export function signingSecrets(
  { vault, log }: Pick<WorkDeps, 'vault' | 'log'>,
  webhook: WebhookRow,
  now: Date,
): string[] {
  const secrets = [vault.open(webhook.secret, secretContext(webhook.id, 'secret'))];
  const { previous_secret: previous, previous_until: until } = webhook;
  if (previous === null || until === null || until <= now.toISOString()) return secrets;
  try {
    secrets.push(vault.open(previous, secretContext(webhook.id, 'previous_secret')));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    log.warn({ webhook_id: webhook.id }, 'the secret before the last rotation can no longer be decrypted');
  }
  return secrets;
}
