import type { EndpointInput, Recovery as Schema } from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../context.ts';
import {
  filtersOf,
  findRecovery,
  insertRecovery,
  newestDelivery,
  type RecoveryRow,
  type StoredFilters,
} from '../../db/webhooks/recoveries.ts';
import type { Tx } from '../../db/core/schema.ts';
import { findWebhook, lockWebhook, type WebhookRow } from '../../db/webhooks/webhooks.ts';
import { invalid, notFound, unprocessable } from '../../domain/faults/fault.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import { audit } from '../audit-log.ts';
import { requireKnown } from '../known-ids.ts';
import { recoveryJob } from './recovery-job.ts';

/** A recovery as the API shows it. */
function toRecovery(row: RecoveryRow): z.output<typeof Schema> {
  const filters = filtersOf(row);
  return {
    id: row.id,
    workspace_id: row.workspace_id,
    webhook_id: row.webhook_id,
    status: row.status,
    matched: row.matched,
    done: row.done,
    filters: { ...filters, until: earlier(filters.until, row.created_at) },
    created_at: row.created_at,
    completed_at: row.completed_at,
  };
}

/** A recovery takes nothing that is created after it, so a later `until` says nothing. */
const earlier = (until: string | null, created: string) =>
  until !== null && until < created ? until : created;

export async function recover(
  context: WorkspaceContext,
  { params: { webhookId }, body }: EndpointInput<'webhooks.recover'>,
) {
  return context.write(async (tx) => {
    const webhook = await findLocked(tx, context, webhookId);
    if (!webhook) throw notFound('webhook');
    if (webhook.status === 'disabled')
      throw unprocessable('webhookId', 'names a disabled webhook; enable it first');
    return begin(tx, context, { webhook, ...body });
  });
}

export async function retryAll(
  context: WorkspaceContext,
  { body: { webhook_id: webhookId, ...filters } }: EndpointInput<'deliveries.retryAll'>,
) {
  return context.write(async (tx) => {
    const { workspaceId } = context.access;
    await requireKnown(tx, [workspaceId], { event_id: filters.event_id });
    const webhook = webhookId === undefined ? null : await findLocked(tx, context, webhookId);
    if (webhook === undefined) throw notFound('webhook', 'webhook_id');
    if (webhook?.status === 'disabled')
      throw unprocessable('webhook_id', 'names a disabled webhook; enable it first');
    return begin(tx, context, { webhook, ...filters });
  });
}

export async function get(context: WorkspaceContext, { params }: EndpointInput<'recoveries.get'>) {
  const row = await findRecovery(context.store.read, context.access.workspaceId, params.recoveryId);
  if (!row) throw notFound('recovery');
  return toRecovery(row);
}

/** Locks the webhook as well: whoever deletes it at the same moment cancels the recovery, too. */
async function findLocked(
  tx: Tx,
  { access }: WorkspaceContext,
  webhookId: string,
): Promise<WebhookRow | undefined> {
  const webhook = await findWebhook(tx, access.workspaceId, webhookId);
  return webhook && lockWebhook(tx, webhook);
}

type Wanted = EndpointInput<'deliveries.retryAll'>['body'] & { webhook: WebhookRow | null };

async function begin(tx: Tx, context: WorkspaceContext, wanted: Wanted) {
  const now = context.now.toISOString();
  const { workspaceId } = context.access;
  const { webhook } = wanted;
  if (wanted.since !== undefined && wanted.since > now) throw invalid('since', 'must not be in the future');
  const filters: StoredFilters = {
    event_id: wanted.event_id ?? null,
    event_type: wanted.event_type ?? null,
    event_name: wanted.event_name ?? null,
    response_status: wanted.response_status ?? null,
    error_kind: wanted.error_kind ?? null,
    statuses: wanted.statuses,
    since: wanted.since ?? null,
    until: wanted.until ?? null,
  };
  const row: RecoveryRow = {
    id: context.ids('recovery'),
    workspace_id: workspaceId,
    webhook_id: webhook?.id ?? null,
    status: 'queued',
    filters: JSON.stringify(filters),
    matched: 0,
    done: 0,
    position: 0,
    created_at: now,
    completed_at: null,
    // A recovery takes no deliveries that are created after it.
    last_seq: await newestDelivery(tx),
    last_webhook_id: null,
  };
  await insertRecovery(tx, row);
  await audit(tx, context, {
    workspaceId,
    action: 'webhook.recovery_started',
    target: { type: 'recovery', id: row.id, name: webhook ? (webhook.name ?? webhook.url) : 'all webhooks' },
    metadata: { webhook_id: row.webhook_id, filters: toRecovery(row).filters },
  });
  await enqueue(tx, context, {
    kind: recoveryJob,
    key: row.id,
    payload: { workspace_id: workspaceId, recovery_id: row.id },
  });
  return toRecovery(row);
}
