import { sql } from 'kysely';
import { type Line, LINES } from '../domain/line.ts';
import type { AttemptRow, DeliveryRow } from './deliveries.ts';
import { hot, hotChange, runsDirectly } from './hot.ts';
import { waitsIn } from './waits-in.ts';
import type { Db, Tx } from './schema.ts';
import type { Dialect } from './store.ts';

/** A claim: who takes a webhook's due deliveries of a line, and until when. */
export interface Claim {
  webhookId: string;
  line: Line;
  owner: string;
  now: string;
  leaseUntil: string;
  limit: number;
}

const claim = (line: Line, lock: boolean) =>
  hot<Omit<Claim, 'line'>, DeliveryRow>((db, p) => {
    const due = db
      .selectFrom('deliveries')
      .select('seq')
      .where('webhook_id', '=', p('webhookId'))
      .where(waitsIn[line])
      .where('due_at', '<=', p('now'))
      .orderBy('due_at')
      .limit(p('limit'));
    // Materialized: as a plain subquery PostgreSQL may run it once for each row, and lock more than `limit`.
    return db
      .with(
        (cte) => cte('due').materialized(),
        () => (lock ? due.forUpdate().skipLocked() : due),
      )
      .updateTable('deliveries')
      .set((eb) => ({
        due_at: p('leaseUntil'),
        lease_owner: p('owner'),
        lease_token: eb('lease_token', '+', 1),
        // Still leased means that the last owner never said what became of its attempt.
        interruptions: sql<number>`interruptions + case when lease_owner is null then 0 else 1 end`,
      }))
      .where('seq', 'in', (eb) => eb.selectFrom('due').select('due.seq'))
      .returningAll();
  });
const claimOn = {
  sqlite: { first: claim('first', false), again: claim('again', false) },
  postgres: { first: claim('first', true), again: claim('again', true) },
} satisfies Record<Dialect, unknown>;

/**
 * Leases due deliveries of one webhook, the longest due first. The lease moves `due_at` to its own end: when its owner
 * dies, the delivery becomes due again by itself. The token goes up, so that a late result of an older lease is known.
 */
export async function claimDue(tx: Tx, dialect: Dialect, { line, ...wanted }: Claim): Promise<DeliveryRow[]> {
  const rows = await claimOn[dialect][line](tx, wanted);
  return rows.sort((a, b) => a.seq - b.seq);
}

/** A delivery as its owner has leased it. */
export type Lease = Pick<DeliveryRow, 'seq' | 'lease_token'>;

type Settled = Pick<
  DeliveryRow,
  | 'status'
  | 'attempt_count'
  | 'scheduled_count'
  | 'next_attempt_at'
  | 'manual'
  | 'due_at'
  | 'interruptions'
  | 'completed_at'
  | 'last_at'
  | 'last_status'
  | 'last_error_kind'
  | 'last_duration_ms'
>;

const settle = hotChange<Settled & Lease>((db, p) =>
  db
    .updateTable('deliveries')
    .set({
      status: p('status'),
      attempt_count: p('attempt_count'),
      scheduled_count: p('scheduled_count'),
      next_attempt_at: p('next_attempt_at'),
      manual: p('manual'),
      due_at: p('due_at'),
      interruptions: p('interruptions'),
      completed_at: p('completed_at'),
      last_at: p('last_at'),
      last_status: p('last_status'),
      last_error_kind: p('last_error_kind'),
      last_duration_ms: p('last_duration_ms'),
      lease_owner: null,
    })
    .where('seq', '=', p('seq'))
    .where('lease_token', '=', p('lease_token'))
    .where('lease_owner', 'is not', null),
);

/** Ends a lease with the new state of the delivery; `false` if the lease was lost, and nothing was changed. */
export async function settleDelivery(tx: Tx, { seq, lease_token }: Lease, state: Settled): Promise<boolean> {
  return (await settle(tx, { ...state, seq, lease_token })).rows > 0;
}

const insert = hotChange<AttemptRow>((db, p) =>
  db.insertInto('attempts').values({
    id: p('id'),
    delivery_id: p('delivery_id'),
    attempt: p('attempt'),
    trigger: p('trigger'),
    started_at: p('started_at'),
    duration_ms: p('duration_ms'),
    response_status: p('response_status'),
    response_headers: p('response_headers'),
    response_body: p('response_body'),
    error_kind: p('error_kind'),
    error_message: p('error_message'),
  }),
);

export async function insertAttempt(tx: Tx, row: AttemptRow): Promise<void> {
  await insert(tx, row);
}

/** Gives back what this owner has leased, as if it had never been claimed; nothing happens if the lease was lost. */
export async function releaseLease(tx: Tx, { seq, lease_token }: Lease, dueAt: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: dueAt, lease_owner: null })
    .where('seq', '=', seq)
    .where('lease_token', '=', lease_token)
    .where('lease_owner', 'is not', null)
    .execute();
}

/** Due as before; not later than now, if the clock was set back meanwhile. */
const dueAgain = (now: string) =>
  sql<string>`case when next_attempt_at < ${now} then next_attempt_at else ${now} end`;

const releaseOne = hotChange<{ seq: number; owner: string; now: string }>((db, p) =>
  db
    .updateTable('deliveries')
    .set({ due_at: dueAgain(p('now')), lease_owner: null })
    .where('seq', '=', p('seq'))
    .where('lease_token', '=', 1)
    .where('lease_owner', '=', p('owner')),
);

/** Gives back deliveries that this owner has stored with their first lease and not begun. In the order of `seq`. */
export async function releaseUnbegun(
  tx: Tx,
  { owner, now }: { owner: string; now: string },
  seqs: readonly number[],
): Promise<void> {
  if (runsDirectly(tx)) {
    for (const seq of seqs) await releaseOne(tx, { seq, owner, now });
    return;
  }
  // Locked in one order first, as by everybody who changes several deliveries.
  await sql`
    with unbegun as materialized (
      select seq from deliveries
      where seq in (${sql.join(seqs)}) and lease_token = 1 and lease_owner = ${owner}
      order by seq for update
    )
    update deliveries set due_at = ${dueAgain(now)}, lease_owner = null
    where seq in (select seq from unbegun)`.execute(tx);
}

/**
 * Makes every leased delivery due now, for a process that knows it is alone: the owners are dead. The owner stays on
 * the row, so that the next claim counts the interruption.
 */
export async function expireLeases(tx: Tx, now: string): Promise<number> {
  let expired = 0;
  for (const line of LINES) {
    const result = await tx
      .updateTable('deliveries')
      .set({ due_at: now })
      .where(waitsIn[line])
      .where('lease_owner', 'is not', null)
      .executeTakeFirst();
    expired += Number(result.numUpdatedRows);
  }
  return expired;
}

/** A webhook with open deliveries in a line, and when the first of them is due. */
export interface Waiting {
  workspace_id: string;
  webhook_id: string;
  line: Line;
  due_at: string;
}

/**
 * The webhooks that have open deliveries, and when the first of each is due. Hops from webhook to webhook in the
 * partial indexes: the cost grows with the webhooks, not with their deliveries.
 */
export async function listWaiting(db: Db): Promise<Waiting[]> {
  const found: Waiting[] = [];
  for (const line of LINES) {
    const result = await sql<Omit<Waiting, 'line'>>`
      with recursive waiting(webhook_id) as (
        select min(webhook_id) from deliveries where ${waitsIn[line]}
        union all
        select (select min(d.webhook_id) from deliveries d where ${waitsIn[line]} and d.webhook_id > waiting.webhook_id)
        from waiting where waiting.webhook_id is not null
      )
      select webhook_id,
             (select min(due_at) from deliveries d where d.webhook_id = waiting.webhook_id and ${waitsIn[line]}) as due_at,
             (select workspace_id from deliveries d where d.webhook_id = waiting.webhook_id and ${waitsIn[line]} limit 1)
               as workspace_id
      from waiting where webhook_id is not null`.execute(db);
    found.push(...result.rows.map((row) => ({ ...row, line })));
  }
  return found;
}

const firstDue = (line: Line) =>
  hot<{ webhookId: string }, { due_at: string | null }>((db, p) =>
    db
      .selectFrom('deliveries')
      .select('due_at')
      .where('webhook_id', '=', p('webhookId'))
      .where(waitsIn[line])
      .orderBy('due_at')
      .limit(1),
  );
const firstDueIn = { first: firstDue('first'), again: firstDue('again') } satisfies Record<Line, unknown>;

/** When the next delivery of a webhook in a line is due; `null` for none. */
export async function nextDueAt(db: Db, webhookId: string, line: Line): Promise<string | null> {
  const [row] = await firstDueIn[line](db, { webhookId });
  return row?.due_at ?? null;
}
