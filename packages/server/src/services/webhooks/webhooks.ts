import { randomBytes } from 'node:crypto';
import { type EndpointInput, type Webhook as Schema } from '@hubline/contract';
import type { z } from 'zod';
import type { Context, WorkContext, WorkspaceContext } from '../../context.ts';
import { cancelRecoveries } from '../../db/webhooks/recoveries.ts';
import type { QueuePart } from '../../domain/deliveries/queue-part.ts';
import type { Db, Tx } from '../../db/core/schema.ts';
import {
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  updateWebhook,
  type WebhookRow,
} from '../../db/webhooks/webhooks.ts';
import { lastFailuresOf, type WebhookFailureRow } from '../../db/webhooks/webhook-failures.ts';
import { lockWorkspace } from '../../db/workspaces/workspaces.ts';
import type { Draft } from '../../domain/draft.ts';
import { type Fault, notFound, throwAll, unprocessable } from '../../domain/faults/fault.ts';
import { openIfReadable } from '../../secrets/vault.ts';
import { audit, differences } from '../audit-log.ts';
import { conditionFaults } from '../conditions.ts';
import type { DueWebhook } from '../../delivery/delivery-store.ts';
import { overlapUntil } from '../overlap.ts';
import { page } from '../page.ts';
import { addUpStats } from '../workspaces/add-up-stats.ts';
import { applyStatusToDeliveries } from './open-deliveries-job.ts';
import { webhookSecretContext } from './secret.ts';
import { urlFault } from './target-url.ts';

/** A webhook as the API shows it: never with its secret. */
function toWebhook(row: WebhookRow, failure: WebhookFailureRow | undefined): z.output<typeof Schema> {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: JSON.parse(row.events),
    filters: row.filters === null ? null : JSON.parse(row.filters),
    workspace_id: row.workspace_id,
    status: row.status,
    disabled_reason: row.disabled_reason,
    disabled_at: row.disabled_at,
    failing_since: row.failing_since,
    last_failed_attempt: failure
      ? {
          at: failure.at,
          response_status: failure.response_status,
          error_kind: failure.error_kind,
          duration_ms: failure.duration_ms,
        }
      : null,
    rate_limit: row.rate_per_second === null ? null : { per_second: row.rate_per_second },
    description: row.description,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** A webhook with its last failure. */
async function shown(db: Db, row: WebhookRow): Promise<z.output<typeof Schema>> {
  const [failure] = await lastFailuresOf(db, [row]);
  return toWebhook(row, failure);
}

export async function list(context: WorkspaceContext, { query }: EndpointInput<'webhooks.list'>) {
  const { read } = context.store;
  // The last failure of each webhook is stored with the statistics.
  await addUpStats(context);
  return page(context, query, {
    rows: async (request) => {
      const rows = await listWebhooks(read, context.access.workspaceId, request);
      const failures = await lastFailuresOf(read, rows);
      const failureOf = new Map(failures.map((failure) => [failure.webhook_id, failure]));
      return rows.map((row) => ({ row, failure: failureOf.get(row.id) }));
    },
    position: ({ row }) => row.id,
    item: ({ row, failure }) => toWebhook(row, failure),
  });
}

type Body = EndpointInput<'webhooks.update'>['body'];

function bodyFaults(context: Pick<WorkspaceContext, 'config'>, body: Draft<Body>): Fault[] {
  const { url } = body;
  const fault = url === undefined ? null : urlFault(context, 'url', url);
  return [...(fault ? [fault] : []), ...checkForm(body)];
}

/** Finds the faults of a body that show without the settings of the server. */
export const checkForm = ({ filters }: Draft<Body>): Fault[] =>
  conditionFaults('filters.conditions', filters?.conditions);

/** Finds the faults in the sound parts of a body that its schema has refused, or whose workspace is unknown. */
export const check = async (
  context: Pick<WorkspaceContext, 'config'>,
  sound: Draft<Body>,
): Promise<Fault[]> => bodyFaults(context, sound);

export async function create(context: WorkspaceContext, { body }: EndpointInput<'webhooks.create'>) {
  throwAll(bodyFaults(context, body));
  return context.write(async (tx) => {
    const now = context.now.toISOString();
    const id = context.ids('webhook');
    const row: WebhookRow = {
      id,
      workspace_id: context.access.workspaceId,
      name: body.name ?? null,
      url: body.url,
      events: JSON.stringify(body.events),
      filters: jsonOrNull(body.filters),
      description: body.description ?? null,
      status: 'active',
      secret: context.vault.seal(body.secret, webhookSecretContext(id, 'secret')),
      previous_secret: null,
      previous_until: null,
      rate_per_second: body.rate_limit?.per_second ?? null,
      failing_since: null,
      failing_told: 0,
      disabled_reason: null,
      disabled_at: null,
      created_at: now,
      updated_at: now,
    };
    await insertWebhook(tx, row);
    await audit(tx, context, {
      ...target(row),
      action: 'webhook.created',
      metadata: { events: body.events },
    });
    return toWebhook(row, undefined);
  });
}

export async function get(context: WorkspaceContext, { params }: EndpointInput<'webhooks.get'>) {
  await addUpStats(context);
  return shown(
    context.store.read,
    found(await findWebhook(context.store.read, context.access.workspaceId, params.webhookId)),
  );
}

export async function update(context: WorkspaceContext, { params, body }: EndpointInput<'webhooks.update'>) {
  throwAll(bodyFaults(context, body));
  return context.write(async (tx) => {
    // Fan-out reads the status under the same lock, so that no delivery is held for a webhook that has just been
    // enabled.
    await lockWorkspace(tx, context.access.workspaceId);
    const before = await findToChange(tx, context, params.webhookId);
    const wanted = {
      name: body.name === undefined ? before.name : body.name,
      url: body.url ?? before.url,
      events: body.events === undefined ? before.events : JSON.stringify(body.events),
      filters: body.filters === undefined ? before.filters : jsonOrNull(body.filters),
      description: body.description === undefined ? before.description : body.description,
      rate_per_second:
        body.rate_limit === undefined ? before.rate_per_second : (body.rate_limit?.per_second ?? null),
      status: body.status ?? before.status,
    };
    const changes = differences(auditable(before), auditable(wanted));
    if (changes.length === 0) return shown(tx, before);
    if (wanted.status === 'active' && before.status !== 'active') requireSecret(context, before);
    const now = context.now.toISOString();
    const after = found(
      await updateWebhook(tx, before, {
        ...wanted,
        ...(wanted.status === before.status ? {} : statusFields(wanted.status, now)),
        // A new URL has not failed yet.
        ...(wanted.url === before.url ? {} : { failing_since: null, failing_told: 0 }),
        updated_at: now,
      }),
    );
    if (after.status !== before.status) await applyStatusToDeliveries(tx, context, after);
    await audit(tx, context, { ...target(after), action: 'webhook.updated', changes });
    return shown(tx, after);
  });
}

export async function enable(context: WorkspaceContext, { params }: EndpointInput<'webhooks.enable'>) {
  return context.write(async (tx) => {
    await lockWorkspace(tx, context.access.workspaceId);
    const before = await findToChange(tx, context, params.webhookId);
    if (before.status === 'active') return shown(tx, before);
    requireSecret(context, before);
    const now = context.now.toISOString();
    const after = found(await updateWebhook(tx, before, { ...statusFields('active', now), updated_at: now }));
    await applyStatusToDeliveries(tx, context, after);
    await audit(tx, context, {
      ...target(after),
      action: 'webhook.updated',
      changes: [{ field: 'status', from: before.status, to: after.status }],
    });
    return shown(tx, after);
  });
}

export async function remove(context: WorkspaceContext, { params }: EndpointInput<'webhooks.delete'>) {
  await context.write(async (tx) => {
    const row = found(await findWebhook(tx, context.access.workspaceId, params.webhookId));
    await removeWebhook(tx, context, row);
  });
}

/** The stored signing secret; `null` when it can no longer be decrypted. */
const readSecret = ({ vault }: Context, { id, secret }: WebhookRow): string | null =>
  openIfReadable(vault, secret, webhookSecretContext(id, 'secret'));

/** Refuses to enable a webhook whose calls cannot be signed: its first delivery would disable it again. */
function requireSecret(context: Context, webhook: WebhookRow): void {
  if (readSecret(context, webhook) !== null) return;
  throw unprocessable(
    'webhookId',
    'names a webhook whose stored secret can no longer be decrypted; rotate the secret, which also enables it',
  );
}

/** Deletes a webhook. Its open deliveries and recoveries are cancelled; finished ones stay in the history. */
export async function removeWebhook(tx: Tx, context: WorkContext, row: WebhookRow): Promise<void> {
  const now = context.now.toISOString();
  // The webhook is changed before its deliveries, as everywhere: see `record` in `delivery-store/record.ts`.
  await deleteWebhook(tx, row);
  await cancelRecoveries(tx, row, now);
  await applyStatusToDeliveries(tx, context, { id: row.id, status: 'deleted' });
  await audit(tx, context, { ...target(row), action: 'webhook.deleted' });
}

export async function rotateSecret(
  context: WorkspaceContext,
  { params, body }: EndpointInput<'webhooks.rotateSecret'>,
) {
  const generated = body.secret === undefined ? `whsec_${randomBytes(32).toString('base64')}` : undefined;
  const secret = body.secret ?? generated ?? '';
  return context.write(async (tx) => {
    await lockWorkspace(tx, context.access.workspaceId);
    const before = await findToChange(tx, context, params.webhookId);
    const { vault, now } = context;
    const until = overlapUntil(before, body.overlap_seconds, now);
    const old = readSecret(context, before);
    const keepsOld = old !== null && until !== null;
    // The new secret removes the reason why the webhook was disabled.
    const mends = before.disabled_reason === 'secret_unreadable';
    const after = found(
      await updateWebhook(tx, before, {
        secret: vault.seal(secret, webhookSecretContext(before.id, 'secret')),
        previous_secret: keepsOld
          ? vault.seal(old, webhookSecretContext(before.id, 'previous_secret'))
          : null,
        previous_until: keepsOld ? until : null,
        ...(mends ? statusFields('active', now.toISOString()) : {}),
        updated_at: now.toISOString(),
      }),
    );
    if (mends) await applyStatusToDeliveries(tx, context, after);
    await audit(tx, context, {
      ...target(after),
      action: 'webhook.secret_rotated',
      changes: [
        { field: 'secret', from: '[redacted]', to: '[redacted]' },
        ...(mends ? [{ field: 'status', from: before.status, to: after.status }] : []),
      ],
      metadata: { overlap_seconds: body.overlap_seconds },
    });
    const previous_valid_until = after.previous_until;
    return { id: after.id, ...(generated ? { secret: generated } : {}), previous_valid_until };
  });
}

/** The columns to set with a new status. An enabled webhook starts over, without earlier failures. */
function statusFields(status: WebhookRow['status'], now: string) {
  return status === 'disabled'
    ? { status, disabled_reason: 'manual' as const, disabled_at: now }
    : { status, disabled_reason: null, disabled_at: null, failing_since: null, failing_told: 0 };
}

/** The columns of a webhook, or some of them, under the names of the API. */
const auditable = <Columns extends Pick<WebhookRow, 'rate_per_second'>>({
  rate_per_second,
  ...row
}: Columns) => ({ ...row, 'rate_limit.per_second': rate_per_second });

/** A webhook with deliveries due in its queue, or in one part of it. */
export const dueOf = (webhook: WebhookRow, part?: QueuePart): DueWebhook => ({
  webhookId: webhook.id,
  workspaceId: webhook.workspace_id,
  ...(part ? { part } : {}),
});

/** A webhook as the audit log names it. */
export const target = (webhook: WebhookRow) => ({
  workspaceId: webhook.workspace_id,
  target: { type: 'webhook', id: webhook.id, name: webhook.name ?? webhook.url },
});

/** Reads a webhook that is about to be changed, and locks it: an attempt may disable it at the same moment. */
async function findToChange(tx: Tx, { access }: WorkspaceContext, webhookId: string): Promise<WebhookRow> {
  return found(await lockWebhook(tx, found(await findWebhook(tx, access.workspaceId, webhookId))));
}

const jsonOrNull = (value: object | null | undefined) => (value == null ? null : JSON.stringify(value));

/** Returns the webhook, or throws `not_found`. */
export function found(row: WebhookRow | undefined): WebhookRow {
  if (!row) throw notFound('webhook');
  return row;
}
