import type { Selectable } from 'kysely';
import type { PageRequest } from './paging.ts';
import type { Database, Db, Tx } from './schema.ts';

export type DeliveryRow = Selectable<Database['deliveries']>;
export type AttemptRow = Selectable<Database['attempts']>;

/** A delivery without the body that it sends: what lists need. */
export type DeliveryHead = Omit<DeliveryRow, 'request_body'>;

/** What narrows a list of deliveries. */
export interface DeliveryFilter {
  workspaceId: string;
  webhookId?: string | undefined;
  eventId?: string | undefined;
  status?: DeliveryRow['status'] | undefined;
  eventType?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const HEAD = [
  'seq',
  'id',
  'workspace_id',
  'webhook_id',
  'event_id',
  'event_type',
  'status',
  'trigger',
  'attempt_count',
  'scheduled_count',
  'next_attempt_at',
  'manual',
  'due_at',
  'lease_owner',
  'lease_token',
  'interruptions',
  'created_at',
  'completed_at',
] as const;

export async function insertDeliveries(tx: Tx, rows: readonly Omit<DeliveryRow, 'seq'>[]): Promise<void> {
  // SQLite takes 32,766 bound values in a statement, PostgreSQL 65,535; a row has 18.
  for (let start = 0; start < rows.length; start += 500) {
    await tx
      .insertInto('deliveries')
      .values(rows.slice(start, start + 500))
      .execute();
  }
}

export async function findDelivery(db: Db, id: string): Promise<DeliveryRow | undefined> {
  return db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findDeliveryWorkspace(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .select('workspace_id')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.workspace_id;
}

/** Deliveries of a workspace, newest first. */
export async function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<DeliveryHead[]> {
  let query = db.selectFrom('deliveries').select(HEAD).where('workspace_id', '=', filter.workspaceId);
  if (filter.webhookId !== undefined) query = query.where('webhook_id', '=', filter.webhookId);
  if (filter.eventId !== undefined) query = query.where('event_id', '=', filter.eventId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.eventType !== undefined) query = query.where('event_type', '=', filter.eventType);
  if (filter.since !== undefined) query = query.where('created_at', '>', filter.since);
  if (filter.until !== undefined) query = query.where('created_at', '<', filter.until);
  if (page.after !== null) query = query.where('seq', '<', Number(page.after));
  return query.orderBy('seq', 'desc').limit(page.limit).execute();
}

export async function listAttempts(db: Db, deliveryId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempt')
    .orderBy('id')
    .execute();
}

/**
 * Wants one extra attempt now, unless a worker has the delivery: then `null`. A failed delivery is open again until
 * that attempt ends; one that has been delivered stays so.
 */
export async function requestManualAttempt(
  tx: Tx,
  delivery: Pick<DeliveryRow, 'id' | 'status'>,
  now: string,
): Promise<DeliveryRow | null> {
  const reopened = delivery.status === 'delivered' ? {} : { status: 'retrying' as const, completed_at: null };
  const row = await tx
    .updateTable('deliveries')
    .set({ manual: 1, due_at: now, ...reopened })
    .where('id', '=', delivery.id)
    .where('lease_owner', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Ends the open deliveries of a deleted webhook. */
export async function cancelDeliveries(tx: Tx, webhookId: string, now: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ status: 'cancelled', completed_at: now, next_attempt_at: null, due_at: null, lease_owner: null })
    .where('webhook_id', '=', webhookId)
    .where('status', 'in', ['pending', 'retrying', 'held'])
    .execute();
}

/** Keeps the open deliveries of a disabled webhook until it is enabled. One under way ends by its own result. */
export async function holdDeliveries(tx: Tx, webhookId: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ status: 'held', due_at: null, next_attempt_at: null })
    .where('webhook_id', '=', webhookId)
    .where('due_at', 'is not', null)
    .where('lease_owner', 'is', null)
    .execute();
}

/** Makes what was held due now. */
export async function releaseHeldDeliveries(tx: Tx, webhookId: string, now: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set((eb) => ({
      status: eb
        .case()
        .when('scheduled_count', '=', 0)
        .then('pending' as const)
        .else('retrying' as const)
        .end(),
      due_at: now,
      next_attempt_at: now,
    }))
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'held')
    .execute();
}
