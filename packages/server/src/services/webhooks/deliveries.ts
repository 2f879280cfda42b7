import {
  type Attempt as AttemptSchema,
  type Delivery as Schema,
  type DeliveryDetail as Detail,
  type EndpointInput,
  LIMITS,
} from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../context.ts';
import { type AttemptRow, listAttempts } from '../../db/webhooks/attempts.ts';
import {
  type DeliveryRow,
  findDelivery,
  listDeliveries,
  requestManualAttempt,
  type ShownDelivery,
} from '../../db/webhooks/deliveries.ts';
import { findDeliveryBody, readDeliveryBody } from '../../db/webhooks/delivery-bodies.ts';
import { findWebhook } from '../../db/webhooks/webhooks.ts';
import { Fault, notFound, unprocessable } from '../../domain/faults/fault.ts';
import { audit } from '../audit-log.ts';
import { requireKnown } from '../known-ids.ts';
import { page } from '../page.ts';

/** A delivery as the API shows it. */
export function toDelivery(row: Omit<ShownDelivery, 'seq'>): z.output<typeof Schema> {
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    webhook_url: row.webhook_url,
    workspace_id: row.workspace_id,
    event_id: row.event_id,
    event_type: row.event_type,
    event_name: row.event_name,
    status: row.status,
    attempt_count: row.attempt_count,
    last_attempt: lastAttempt(row),
    next_attempt_at: nextAttemptAt(row),
    created_at: row.created_at,
    completed_at: row.completed_at,
    trigger: row.trigger,
  };
}

function lastAttempt(row: Omit<DeliveryRow, 'seq'>): z.output<typeof Schema>['last_attempt'] {
  const { last_at: at, last_status, last_error_kind, last_duration_ms } = row;
  if (at === null) return null;
  return {
    at,
    response_status: last_status,
    error_kind: last_error_kind,
    duration_ms: last_duration_ms ?? 0,
  };
}

function nextAttemptAt(row: Omit<DeliveryRow, 'seq'>): string | null {
  if (row.status === 'held') return null;
  // While it is leased, `due_at` is the end of the lease.
  return row.manual !== 0 && row.lease_owner === null ? row.due_at : row.next_attempt_at;
}

function toAttempt(row: AttemptRow): z.output<typeof AttemptSchema> {
  return {
    id: row.id,
    attempt: row.attempt,
    trigger: row.trigger,
    started_at: row.started_at,
    duration_ms: row.duration_ms,
    response_status: row.response_status,
    response_headers: row.response_headers === null ? null : JSON.parse(row.response_headers),
    response_body: row.response_body,
    error: row.error_kind === null ? null : { kind: row.error_kind, message: row.error_message ?? '' },
  };
}

export async function list(context: WorkspaceContext, { query }: EndpointInput<'deliveries.list'>) {
  const filter = {
    workspaceId: context.access.workspaceId,
    webhookId: query.webhook_id,
    eventId: query.event_id,
    status: query.status,
    eventType: query.event_type,
    eventName: query.event_name,
    responseStatus: query.response_status,
    errorKind: query.error_kind,
    minDurationMs: query.min_duration_ms,
    since: query.since,
    until: query.until,
  };
  return page(context, query, {
    async rows(request) {
      const { read } = context.store;
      const found = await listDeliveries(read, filter, request);
      if (found.rows.length === 0) await requireKnown(read, [filter.workspaceId], query);
      return found;
    },
    position: (row) => row.seq,
    item: toDelivery,
  });
}

export async function listForWebhook(
  context: WorkspaceContext,
  input: EndpointInput<'deliveries.listForWebhook'>,
) {
  return list(context, {
    ...input,
    params: { id: context.access.workspaceId },
    query: { ...input.query, webhook_id: input.params.webhookId },
  });
}

export async function get(context: WorkspaceContext, { params }: EndpointInput<'deliveries.get'>) {
  const row = await findDelivery(context.store.read, context.access.workspaceId, params.deliveryId);
  if (!row) throw notFound('delivery');
  const attempts = await listAttempts(context.store.read, row);
  return {
    ...toDelivery(row),
    ...(await requestBody(context, row)),
    attempts: attempts.map(toAttempt),
  };
}

// A body is in memory as bytes and as text, and both again after its quotation marks and line breaks are escaped.
const COPIES = 4;

async function requestBody(
  context: WorkspaceContext,
  row: DeliveryRow,
): Promise<Pick<z.output<typeof Detail>, 'request_body' | 'request_body_omitted'>> {
  const { read } = context.store;
  const { text, bytes } = await findDeliveryBody(read, row);
  if (text !== null) return { request_body: text };
  if (bytes > LIMITS.pageBytes) return { request_body: null, request_body_omitted: true };
  await context.reserveResponse(bytes * COPIES);
  return { request_body: (await readDeliveryBody(read, row)).toString() };
}

export async function retry(context: WorkspaceContext, { params }: EndpointInput<'deliveries.retry'>) {
  return context.write(async (tx) => {
    const row = await findDelivery(tx, context.access.workspaceId, params.deliveryId);
    if (!row) throw notFound('delivery');
    const webhook = await findWebhook(tx, row.workspace_id, row.webhook_id);
    if (!webhook) throw unprocessable('deliveryId', 'belongs to a deleted webhook and cannot be retried');
    if (webhook.status === 'disabled') {
      throw unprocessable('deliveryId', 'belongs to a disabled webhook; enable the webhook first');
    }
    if (row.status === 'pending') {
      throw new Fault(
        'conflict',
        'The first attempt of this delivery waits for its turn or is under way. Read the delivery to see its result. ' +
          'If it waits long, its webhook responds slowly or has a low rate_limit.',
      );
    }
    const wanted = await requestManualAttempt(tx, row, context.now.toISOString());
    if (wanted === null) {
      if (!(await findDelivery(tx, row.workspace_id, row.id))) throw notFound('delivery');
      throw new Fault(
        'conflict',
        'An attempt of this delivery is under way. Read the delivery to see its result.',
      );
    }
    await audit(tx, context, {
      workspaceId: row.workspace_id,
      action: 'webhook.delivery_retried',
      target: { type: 'delivery', id: row.id },
      metadata: { webhook_id: row.webhook_id },
    });
    context.afterCommit('wake the delivery engine', () =>
      context.engine.wake([{ webhookId: row.webhook_id, workspaceId: row.workspace_id, part: 'retry' }]),
    );
    return toDelivery({ ...row, ...wanted });
  });
}
