import { type Selectable, sql, type Updateable } from 'kysely';
import type { DeliveryRow } from './deliveries.ts';
import type { Database, Db, Tx } from './schema.ts';
import type { Dialect } from './store.ts';

/** A claim: who takes which webhook's due deliveries, and until when. */
export interface Claim {
  webhookId: string;
  owner: string;
  now: string;
  leaseUntil: string;
  limit: number;
}

/**
 * Leases due deliveries of one webhook, the longest due first. The lease moves `due_at` to its own end: when its owner
 * dies, the delivery becomes due again by itself. The token goes up, so that a late result of an older lease is known.
 */
export async function claimDue(tx: Tx, dialect: Dialect, claim: Claim): Promise<DeliveryRow[]> {
  let due = tx
    .selectFrom('deliveries')
    .select('seq')
    .where('webhook_id', '=', claim.webhookId)
    .where('due_at', '<=', claim.now)
    .orderBy('due_at')
    .limit(claim.limit);
  if (dialect === 'postgres') due = due.forUpdate().skipLocked();
  const rows = await tx
    .updateTable('deliveries')
    .set((eb) => ({
      due_at: claim.leaseUntil,
      lease_owner: claim.owner,
      lease_token: eb('lease_token', '+', 1),
      // Still leased means that the last owner never said what became of its attempt.
      interruptions: sql<number>`interruptions + case when lease_owner is null then 0 else 1 end`,
    }))
    .where('seq', 'in', due)
    .returningAll()
    .execute();
  return rows.sort((a, b) => a.seq - b.seq);
}

/** Ends a lease with the new state of the delivery; `false` if the lease was lost, and nothing was changed. */
export async function settleDelivery(
  tx: Tx,
  lease: { id: string; token: number },
  changes: Updateable<Database['deliveries']>,
): Promise<boolean> {
  const result = await tx
    .updateTable('deliveries')
    .set({ ...changes, lease_owner: null })
    .where('id', '=', lease.id)
    .where('lease_token', '=', lease.token)
    .where('lease_owner', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function insertAttempt(tx: Tx, row: Selectable<Database['attempts']>): Promise<void> {
  await tx.insertInto('attempts').values(row).execute();
}

/** Gives back what this owner has leased and not begun, as if it had never been claimed. */
export async function releaseLease(tx: Tx, lease: { id: string; token: number }, now: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: now, lease_owner: null })
    .where('id', '=', lease.id)
    .where('lease_token', '=', lease.token)
    .execute();
}

/**
 * Makes every leased delivery due now, for a process that knows it is alone: the owners are dead. The owner stays on
 * the row, so that the next claim counts the interruption.
 */
export async function expireLeases(tx: Tx, now: string): Promise<number> {
  const result = await tx
    .updateTable('deliveries')
    .set({ due_at: now })
    .where('lease_owner', 'is not', null)
    .where('due_at', 'is not', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/**
 * The webhooks that have open deliveries, and when the first of each is due. Hops from webhook to webhook in the
 * partial index: the cost grows with the webhooks, not with their deliveries.
 */
export async function listLanes(db: Db): Promise<{ webhook_id: string; due_at: string }[]> {
  const result = await sql<{ webhook_id: string; due_at: string }>`
    with recursive lanes(webhook_id) as (
      select min(webhook_id) from deliveries where due_at is not null
      union all
      select (select min(d.webhook_id) from deliveries d where d.due_at is not null and d.webhook_id > lanes.webhook_id)
      from lanes where lanes.webhook_id is not null
    )
    select webhook_id,
           (select min(d.due_at) from deliveries d where d.webhook_id = lanes.webhook_id and d.due_at is not null) as due_at
    from lanes where webhook_id is not null`.execute(db);
  return result.rows;
}

/** When the next delivery of a webhook is due; `null` for none. */
export async function nextDueAt(db: Db, webhookId: string): Promise<string | null> {
  const row = await db
    .selectFrom('deliveries')
    .select('due_at')
    .where('webhook_id', '=', webhookId)
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? null;
}
