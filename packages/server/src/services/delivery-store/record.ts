import type { Deps } from '../../context.ts';
import { type DeliveryResult, recordResults } from '../../db/webhooks/queue/delivery-leases.ts';
import { findNextAttempts } from '../../db/webhooks/queue/schedule.ts';
import type { Tx } from '../../db/core/schema.ts';
import { findWebhooksById, lockIfDisabled, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import type { EndedAttempt, LeasedDelivery } from '../../delivery/delivery-store.ts';
import { type DeliveryState, type NextState, stateAfterAttempt } from '../../domain/deliveries/delivery.ts';
import { isNotable, noteHealth, reportHealth } from '../webhooks/webhook-health.ts';
import { workContext } from '../../work-context.ts';
import { countedAttempt } from './counted-attempt.ts';
import { leaseOf } from './leased-delivery.ts';
import { isoTime, millis } from '../../domain/time.ts';

/**
 * Records attempts and the states that follow from them in one transaction, each if its lease still holds. Resolves to
 * the time at which each delivery is due again: `null` if never, or if the lease was lost.
 */
export async function record(deps: Deps, ended: readonly EndedAttempt[]): Promise<(number | null)[]> {
  const work = workContext(deps);
  const stored = await work.write(
    async (tx) => {
      const now = deps.clock();
      const nextStates = await nextStatesOf(tx, ended, now);
      // Webhooks before deliveries, each in one order. All code that changes both keeps to this order, so that
      // there is no deadlock on PostgreSQL.
      const { toReport, disabled } = await updateHealth(tx, { ended, nextStates, now });
      const results = resultsOf(deps, { ended, nextStates, disabled });
      const recorded = await recordResults(tx, results);
      const newest = newestResults(results);
      // `null` where the lease was lost: that result is not stored.
      const stored = ended.map(({ delivery: { lease } }) => {
        const result = newest.get(lease.seq);
        return recorded.has(lease.seq) && result?.lease_token === lease.token ? result : null;
      });
      for (const webhook of toReport) await reportHealth(tx, { ...work, now }, webhook);
      const at = now.getTime();
      await deps.stats.count(
        tx,
        work,
        ended.flatMap((one, index) => countedAttempt(one, stored[index] ?? null, at)),
      );
      return stored;
    },
    { urgent: true },
  );
  for (const one of ended) measure(deps, one);
  const dueAt = stored.map((result) => (result?.due_at == null ? null : millis(result.due_at)));
  hintPeers(deps, ended, dueAt);
  return dueAt;
}

/** The states after attempts. The schedule to which an extra attempt returns may have moved with the clock meanwhile. */
async function nextStatesOf(tx: Tx, ended: readonly EndedAttempt[], now: Date): Promise<NextState[]> {
  const resuming = ended.filter(
    ({ delivery: { state }, outcome }) => !outcome.ok && state.extra !== null && state.nextAttemptAt !== null,
  );
  const seqs = resuming.map(({ delivery }) => delivery.lease.seq);
  const moved = seqs.length === 0 ? null : await findNextAttempts(tx, seqs);
  return ended.map(({ delivery: { lease, state }, outcome }) => {
    const nextAttemptAt = moved?.get(lease.seq) ?? state.nextAttemptAt;
    return stateAfterAttempt({ ...state, nextAttemptAt }, outcome, now);
  });
}

/** Sends other processes hints about retries, in case this one dies. */
function hintPeers(
  { store: { peers } }: Pick<Deps, 'store'>,
  ended: readonly EndedAttempt[],
  dueAt: readonly (number | null)[],
): void {
  if (!peers) return;
  for (const [index, { delivery }] of ended.entries()) {
    const due = dueAt[index] ?? null;
    const { id: webhookId, workspaceId } = delivery.endpoint;
    if (due !== null) peers.send({ of: 'due', webhookId, workspaceId, part: 'retry', dueAt: due });
  }
}

/** The results by delivery. Two results of one delivery may come together: the older one has lost its lease. */
function newestResults(results: readonly DeliveryResult[]): Map<number, DeliveryResult> {
  const newest = new Map<number, DeliveryResult>();
  for (const result of results)
    if ((newest.get(result.seq)?.lease_token ?? 0) < result.lease_token) newest.set(result.seq, result);
  return newest;
}

/** Attempts that have ended, and the states that follow from them. */
interface Transitions {
  ended: readonly EndedAttempt[];
  nextStates: readonly NextState[];
  now: Date;
}

/**
 * Updates the health of the webhooks of attempts. Returns those that owners and admins must be notified of, and those that are disabled and
 * have deliveries due again. Goes through the webhooks once, in their order: a second pass, for the disabled ones, could lock them in
 * another order than another unit does, and deadlock.
 */
async function updateHealth(
  tx: Tx,
  { ended, nextStates, now }: Transitions,
): Promise<{ toReport: WebhookRow[]; disabled: ReadonlySet<string> }> {
  const toReport: WebhookRow[] = [];
  const disabled = new Set<string>();
  const webhooks = await webhooksOf(tx, ended);
  const retried = new Set<string>();
  // Webhooks whose attempts all succeed, and have before, do not change.
  const changing = new Set<string>();
  for (const [index, { delivery, outcome }] of ended.entries()) {
    const { id } = delivery.endpoint;
    if (nextStates[index]?.dueAt != null) retried.add(id);
    if (!outcome.ok || webhooks.get(id)?.failing_since != null || retried.has(id)) changing.add(id);
  }
  const attempts = ended.filter(({ delivery }) => changing.has(delivery.endpoint.id));
  for (const [id, ofWebhook] of byWebhook(attempts)) {
    let webhook = webhooks.get(id);
    for (const { delivery, outcome } of ofWebhook) {
      // An attempt at a URL that the webhook no longer has says nothing about the new one.
      if (webhook?.url !== delivery.endpoint.url) continue;
      const before: WebhookRow = webhook;
      webhook = await noteHealth(tx, {
        webhook,
        ok: outcome.ok,
        status: outcome.response?.status ?? null,
        // The clock may have been set back since the attempt began.
        endedAt: isoTime(Math.min(outcome.startedAt.getTime() + outcome.durationMs, now.getTime())),
        now,
      });
      if (isNotable(before, webhook)) toReport.push(webhook);
    }
    if (webhook && retried.has(id) && (await lockIfDisabled(tx, webhook))?.status === 'disabled')
      disabled.add(id);
  }
  return { toReport, disabled };
}

/** The webhooks of attempts as they are now, by ID. */
async function webhooksOf(tx: Tx, ended: readonly EndedAttempt[]): Promise<Map<string, WebhookRow>> {
  const ids = new Set(ended.map(({ delivery }) => delivery.endpoint.id));
  const rows = await findWebhooksById(tx, [...ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Attempts by the ID of their webhook, in the order of the IDs. */
function byWebhook(ended: readonly EndedAttempt[]): Map<string, EndedAttempt[]> {
  const groups = new Map<string, EndedAttempt[]>();
  for (const one of ended.toSorted((a, b) => (a.delivery.endpoint.id < b.delivery.endpoint.id ? -1 : 1))) {
    const { id } = one.delivery.endpoint;
    const group = groups.get(id);
    if (group) group.push(one);
    else groups.set(id, [one]);
  }
  return groups;
}

function measure(
  { clock, metrics }: Pick<Deps, 'clock' | 'metrics'>,
  { delivery, outcome }: EndedAttempt,
): void {
  const { ok, response, error, durationMs } = outcome;
  metrics.attempt(
    ok ? 'success' : (error?.kind ?? `http_${Math.floor((response?.status ?? 0) / 100)}xx`),
    durationMs,
  );
  if (ok && delivery.state.status !== 'delivered' && causeOf(delivery.state) === 'event')
    metrics.delivered(clock().getTime() - millis(delivery.createdAt));
}

/** The results of attempts, as they are stored. A delivery that is due again is held if its webhook is disabled by now. */
const resultsOf = (
  { ids }: Pick<Deps, 'ids'>,
  { ended, nextStates, disabled }: Omit<Transitions, 'now'> & { disabled: ReadonlySet<string> },
): DeliveryResult[] =>
  ended.map(({ delivery, outcome }, index) => {
    const state = nextStates[index] as NextState;
    const willBeHeld = state.dueAt !== null && disabled.has(delivery.endpoint.id);
    return {
      ...leaseOf(delivery),
      status: willBeHeld ? 'held' : state.status,
      attempt_count: state.attemptCount,
      scheduled_count: state.scheduledCount,
      next_attempt_at: state.nextAttemptAt,
      manual: 0,
      due_at: willBeHeld ? null : state.dueAt,
      interruptions: 0,
      completed_at: state.completedAt,
      attempt: attemptOf(ids('attempt'), delivery, outcome),
    };
  });

const attemptOf = (
  id: string,
  delivery: LeasedDelivery,
  { startedAt, durationMs, response, error }: EndedAttempt['outcome'],
): DeliveryResult['attempt'] => ({
  id,
  trigger: causeOf(delivery.state),
  started_at: isoTime(startedAt.getTime()),
  duration_ms: durationMs,
  response_status: response?.status ?? null,
  response_headers: response ? JSON.stringify(response.headers) : null,
  response_body: response?.body ?? null,
  error_kind: error?.kind ?? null,
  error_message: error?.message ?? null,
});

/** The cause of an attempt: that of its delivery, or the request for an extra one. */
const causeOf = ({ extra, cause }: DeliveryState): DeliveryState['cause'] => extra ?? cause;
