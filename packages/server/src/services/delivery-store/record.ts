import type { Deps } from '../../context.ts';
import { type DeliveryResult, settleDeliveries } from '../../db/webhooks/queue/delivery-queue.ts';
import type { Tx } from '../../db/core/schema.ts';
import { findWebhooksById, unlessEnabled, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import type { EndedAttempt, LeasedDelivery } from '../../delivery/delivery-store.ts';
import { type DeliveryState, next, type NextState } from '../../domain/deliveries/delivery.ts';
import type { CountedAttempt } from '../../domain/stats/tally.ts';
import { reportHealth, noteHealth, logHealth } from '../webhooks/webhook-health.ts';
import { workContext } from '../../work-context.ts';
import { leaseOf } from './leased-delivery.ts';
import { isoTime, millis } from '../../domain/time.ts';

/**
 * Records attempts and the states that follow from them in one transaction, each if its lease still holds. Resolves to
 * the time at which each delivery is due again: `null` if never, or if the lease was lost.
 */
export async function record(deps: Deps, ended: readonly EndedAttempt[]): Promise<(number | null)[]> {
  const work = workContext(deps);
  const { states, reported } = await work.write(async (tx) => {
    const now = deps.clock();
    // Webhooks before deliveries, each in one order. All code that changes both keeps to this order, so that
    // there is no deadlock on PostgreSQL.
    const toReport = await noteHealths(tx, ended, now);
    const results = await resultsOf(tx, deps, { ended, now });
    const held = await settleDeliveries(tx, results);
    const newest = newestResults(results);
    const states = ended.map(({ delivery: { lease } }) => {
      const result = newest.get(lease.seq);
      return held.has(lease.seq) && result?.lease_token === lease.token ? result : null;
    });
    for (const webhook of toReport) await reportHealth(tx, { ...work, now }, webhook);
    const at = now.getTime();
    await deps.stats.count(
      tx,
      work,
      ended.flatMap((one, index) => counted(one, states[index] ?? null, at)),
    );
    return { states, reported: toReport };
  });
  for (const webhook of reported) logHealth(deps, webhook);
  for (const one of ended) measure(deps, one);
  const dueAt = states.map((state) => (state?.due_at == null ? null : millis(state.due_at)));
  tellPeers(deps, ended, dueAt);
  return dueAt;
}

/** Tells other processes about retries, in case this one dies. */
function tellPeers(
  { store: { peers } }: Pick<Deps, 'store'>,
  ended: readonly EndedAttempt[],
  dueAt: readonly (number | null)[],
): void {
  if (!peers) return;
  for (const [index, { delivery }] of ended.entries()) {
    const due = dueAt[index] ?? null;
    const { id: webhookId, workspaceId } = delivery.endpoint;
    if (due !== null) peers.tell({ of: 'due', webhookId, workspaceId, part: 'retry', dueAt: due });
  }
}

/** The results by delivery. Two results of one delivery may come together: the older one has lost its lease. */
function newestResults(results: readonly DeliveryResult[]): Map<number, DeliveryResult> {
  const newest = new Map<number, DeliveryResult>();
  for (const result of results)
    if ((newest.get(result.seq)?.lease_token ?? 0) < result.lease_token) newest.set(result.seq, result);
  return newest;
}

/** Updates the health of the webhooks of attempts. Returns those that owners and admins must be told about. */
async function noteHealths(tx: Tx, ended: readonly EndedAttempt[], now: Date): Promise<WebhookRow[]> {
  const toReport: WebhookRow[] = [];
  // A success of a working webhook changes nothing.
  const byWebhook = ended
    .filter(({ delivery, outcome }) => !outcome.ok || delivery.endpoint.failingSince !== null)
    .toSorted((a, b) => (a.delivery.endpoint.id < b.delivery.endpoint.id ? -1 : 1));
  for (const { delivery, outcome } of byWebhook) {
    const { id, workspaceId, failingSince, failingTold } = delivery.endpoint;
    const status = outcome.response?.status ?? null;
    const known = {
      id,
      workspace_id: workspaceId,
      failing_since: failingSince,
      failing_told: Number(failingTold),
    };
    const webhook = await noteHealth(tx, { webhook: known, ok: outcome.ok, status, now });
    if (webhook) toReport.push(webhook);
  }
  return toReport;
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
  if (ok && delivery.state.status !== 'delivered' && triggerOf(delivery.state) === 'event')
    metrics.delivered(clock().getTime() - millis(delivery.createdAt));
}

/** An attempt for the statistics; none if it was not recorded because its lease was lost. */
function counted(
  { delivery, outcome }: EndedAttempt,
  state: Pick<NextState, 'status'> | null,
  at: number,
): CountedAttempt[] {
  if (!state) return [];
  const { id: webhookId, workspaceId } = delivery.endpoint;
  const ended = state.status !== delivery.state.status && isFinal(state.status) ? state.status : null;
  return [
    {
      workspaceId,
      webhookId,
      at,
      ok: outcome.ok,
      startedAt: outcome.startedAt.getTime(),
      durationMs: outcome.durationMs,
      responseStatus: outcome.response?.status ?? null,
      errorKind: outcome.error?.kind ?? null,
      message: outcome.ok ? null : wordsOf(outcome),
      ended,
    },
  ];
}

const MESSAGE_MAX = 200;

/** The beginning of the error or answer of a failed attempt, in one line. */
function wordsOf({ response, error }: EndedAttempt['outcome']): string | null {
  const text = error?.message ?? response?.body ?? '';
  const line = text
    .slice(0, 2 * MESSAGE_MAX)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.slice(0, MESSAGE_MAX).toWellFormed() || null;
}

const isFinal = (status: NextState['status']) => status === 'delivered' || status === 'failed';

/** The results of attempts, as they are stored. A delivery that is due again is held if its webhook is disabled by now. */
async function resultsOf(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  { ended, now }: { ended: readonly EndedAttempt[]; now: Date },
): Promise<DeliveryResult[]> {
  const states = ended.map(({ delivery, outcome }) => next(delivery.state, outcome, now));
  const retried = new Set<string>();
  for (const [index, { delivery }] of ended.entries())
    if (states[index]?.due_at != null) retried.add(delivery.endpoint.id);
  const webhooks = retried.size === 0 ? [] : await findWebhooksById(tx, [...retried]);
  const disabled = new Set<string>();
  for (const webhook of webhooks.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    if ((await unlessEnabled(tx, webhook))?.status === 'disabled') disabled.add(webhook.id);
  return ended.map(({ delivery, outcome }, index) => {
    const state = states[index] as NextState;
    const isHeld = state.due_at !== null && disabled.has(delivery.endpoint.id);
    const held = isHeld ? { status: 'held' as const, due_at: null } : {};
    return { ...leaseOf(delivery), ...state, ...held, attempt: attemptOf(ids('attempt'), delivery, outcome) };
  });
}

const attemptOf = (
  id: string,
  delivery: LeasedDelivery,
  { startedAt, durationMs, response, error }: EndedAttempt['outcome'],
): DeliveryResult['attempt'] => ({
  id,
  trigger: triggerOf(delivery.state),
  started_at: isoTime(startedAt.getTime()),
  duration_ms: durationMs,
  response_status: response?.status ?? null,
  response_headers: response ? JSON.stringify(response.headers) : null,
  response_body: response?.body ?? null,
  error_kind: error?.kind ?? null,
  error_message: error?.message ?? null,
});

/** The trigger of an attempt: that of its delivery, or the request for an extra one. */
const triggerOf = ({ manual, trigger }: DeliveryState): DeliveryState['trigger'] =>
  ([trigger, 'manual', 'recovery'] as const)[manual];
