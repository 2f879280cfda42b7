import { type Selectable, sql } from 'kysely';
import { type QueuePart, QUEUE_PARTS } from '../../domain/queue-part.ts';
import type { AttemptRow } from './attempts.ts';
import { DELIVERY_TRIGGER, ERROR_KIND, STATUS } from '../core/codes.ts';
import {
  type IdBytes,
  idBytes,
  idText,
  isoTime,
  isoTimeOrNull,
  millis,
  millisOrNull,
} from '../core/columns.ts';
import { DELIVERY_COLUMNS, type DeliveryRow, type ReadDelivery, toDeliveryRow } from './deliveries.ts';
import { dialectOf } from '../core/dialect-of.ts';
import { prepared, preparedChange } from '../core/prepared-query.ts';
import { together } from '../postgres/together.ts';
import { unnest } from '../postgres/unnest.ts';
import { waitsIn } from './waits-in.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

/** A claim: who takes a webhook's due deliveries of one part of its queue, and until when. */
export interface Claim {
  workspaceId: string;
  webhookId: string;
  part: QueuePart;
  owner: string;
  now: string;
  leaseUntil: string;
  limit: number;
}

interface StoredClaim {
  webhookId: IdBytes;
  owner: string;
  now: number;
  leaseUntil: number;
  limit: number;
}

const claim = (part: QueuePart) =>
  prepared<StoredClaim, ReadDelivery>((db, p) => {
    const due = db
      .selectFrom('deliveries')
      .select('seq')
      .where('webhook_id', '=', p('webhookId'))
      .where(waitsIn[part])
      .where('due_at', '<=', p('now'))
      .orderBy('due_at')
      .limit(p('limit'));
    // Materialized: as a plain subquery PostgreSQL may run it once for each row, and lock more than `limit`.
    return db
      .with(
        (cte) => cte('due').materialized(),
        () => dialectOf(db).lockFreeRows(due),
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
      .returning(DELIVERY_COLUMNS);
  });
const claimIn = { initial: claim('initial'), retry: claim('retry') } satisfies Record<QueuePart, unknown>;

const CLAIM_TYPES = {
  webhookId: 'bytea',
  owner: 'text',
  now: 'bigint',
  leaseUntil: 'bigint',
  limit: 'integer',
} as const;

/** The claims of several webhooks in one statement, each by the index of its own. */
const claimTogether = (part: QueuePart) =>
  together<StoredClaim, ReadDelivery[]>(async (tx, claims) => {
    const { columns, table } = unnest(claims, CLAIM_TYPES);
    const { rows } = await sql<ReadDelivery>`
      with claim (${columns}) as (select * from ${table}),
      due as materialized (
        select d.seq from claim cross join lateral (
          select seq from deliveries
          where webhook_id = claim."webhookId" and ${waitsIn[part]} and due_at <= claim.now
          order by due_at limit claim."limit" for update skip locked
        ) as d
      )
      update deliveries set due_at = claim."leaseUntil", lease_owner = claim.owner, lease_token = lease_token + 1,
        interruptions = interruptions + case when lease_owner is null then 0 else 1 end
      from claim
      where deliveries.seq = any(array(select seq from due)) and webhook_id = claim."webhookId"
      returning ${sql.join(DELIVERY_COLUMNS.map((name) => sql.ref(name)))}`.execute(tx);
    return claims.map(({ webhookId }) => rows.filter((row) => row.webhook_id.equals(webhookId)));
  });
const claimTogetherIn = {
  initial: claimTogether('initial'),
  retry: claimTogether('retry'),
} satisfies Record<QueuePart, unknown>;

/**
 * Leases due deliveries of one webhook, the longest due first. A unit claims once for each part of a webhook's queue. The lease moves `due_at` to its own end: when its owner
 * dies, the delivery becomes due again by itself. The token goes up, so that a late result of an older lease is known.
 */
export async function claimDue(
  tx: Tx,
  { workspaceId, webhookId, part, owner, now, leaseUntil, limit }: Claim,
): Promise<DeliveryRow[]> {
  const stored = {
    webhookId: idBytes(webhookId),
    owner,
    now: millis(now),
    leaseUntil: millis(leaseUntil),
    limit,
  };
  const rows = await (dialectOf(tx).isDirect ? claimIn : claimTogetherIn)[part](tx, stored);
  return rows.sort((a, b) => a.seq - b.seq).map((row) => toDeliveryRow(row, workspaceId));
}

/** A delivery as its owner has leased it. */
export type Lease = Pick<DeliveryRow, 'seq' | 'lease_token'>;

/** The state of a delivery after an attempt. */
export type Settled = Pick<
  DeliveryRow,
  | 'status'
  | 'attempt_count'
  | 'scheduled_count'
  | 'next_attempt_at'
  | 'manual'
  | 'due_at'
  | 'interruptions'
  | 'completed_at'
>;

type Columns = Selectable<Database['deliveries']>;

const settle = preparedChange<StoredResult>((db, p) =>
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
      last_id: p('last_id'),
      last_trigger: p('last_trigger'),
      last_at: p('last_at'),
      last_duration_ms: p('last_duration_ms'),
      last_status: p('last_status'),
      last_error_kind: p('last_error_kind'),
      last_error_message: p('last_error_message'),
      last_headers: p('last_headers'),
      last_body: p('last_body'),
      lease_owner: null,
    })
    .where('seq', '=', p('seq'))
    .where('lease_token', '=', p('lease_token'))
    .where('lease_owner', 'is not', null),
);

type Last = Pick<Columns, Extract<keyof Columns, `last_${string}`>>;

/** Makes room in the row of a delivery for a further attempt. */
const moveLast = preparedChange<Lease>((db, p) =>
  db
    .insertInto('attempts')
    .columns([
      'delivery',
      'attempt',
      'id',
      'trigger',
      'started_at',
      'duration_ms',
      'response_status',
      'error_kind',
      'error_message',
      'response_headers',
      'response_body',
    ])
    .expression(
      db
        .selectFrom('deliveries')
        .select(({ ref }) => [
          'seq',
          'attempt_count',
          ref('last_id').$notNull().as('id'),
          ref('last_trigger').$notNull().as('trigger'),
          ref('last_at').$notNull().as('started_at'),
          ref('last_duration_ms').$notNull().as('duration_ms'),
          'last_status',
          'last_error_kind',
          'last_error_message',
          'last_headers',
          'last_body',
        ])
        .where('seq', '=', p('seq'))
        .where('lease_token', '=', p('lease_token'))
        .where('lease_owner', 'is not', null)
        .where('last_id', 'is not', null),
    ),
);

/** The result of a leased delivery: an attempt, and the state that follows from it. */
export type AttemptResult = Lease & Settled & { attempt: Omit<AttemptRow, 'attempt'> };

type StoredResult = Pick<Columns, keyof Settled | 'seq' | 'lease_token'> & Last;

const toStored = ({ attempt, seq, lease_token, ...state }: AttemptResult): StoredResult => ({
  seq,
  lease_token,
  status: STATUS.of[state.status],
  attempt_count: state.attempt_count,
  scheduled_count: state.scheduled_count,
  next_attempt_at: millisOrNull(state.next_attempt_at),
  manual: state.manual,
  due_at: millisOrNull(state.due_at),
  interruptions: state.interruptions,
  completed_at: millisOrNull(state.completed_at),
  last_id: idBytes(attempt.id),
  last_trigger: DELIVERY_TRIGGER.of[attempt.trigger],
  last_at: millis(attempt.started_at),
  last_duration_ms: attempt.duration_ms,
  last_status: attempt.response_status,
  last_error_kind: attempt.error_kind === null ? null : ERROR_KIND.of[attempt.error_kind],
  last_error_message: attempt.error_message,
  last_headers: attempt.response_headers,
  last_body: attempt.response_body,
});

/**
 * Ends leases with what became of them; answers the `seq` of those that were still held. Of a lost lease nothing is changed. The
 * last attempt of a delivery is in its own row: most have one, and a row of its own would cost as much again.
 */
export async function settleDeliveries(tx: Tx, results: readonly AttemptResult[]): Promise<Set<number>> {
  if (!dialectOf(tx).isDirect) return settleTogether(tx, results.map(toStored));
  const held = new Set<number>();
  for (const result of results) {
    if (result.attempt_count > 1) await moveLast(tx, result);
    if ((await settle(tx, toStored(result))).rows > 0) held.add(result.seq);
  }
  return held;
}

const RESULT_TYPES = {
  seq: 'bigint',
  lease_token: 'integer',
  status: 'smallint',
  attempt_count: 'integer',
  scheduled_count: 'integer',
  next_attempt_at: 'bigint',
  manual: 'smallint',
  due_at: 'bigint',
  interruptions: 'integer',
  completed_at: 'bigint',
  last_id: 'bytea',
  last_trigger: 'smallint',
  last_at: 'bigint',
  last_duration_ms: 'integer',
  last_status: 'integer',
  last_error_kind: 'smallint',
  last_error_message: 'text',
  last_headers: 'text',
  last_body: 'text',
} as const;

/**
 * All in one statement, each part of which sees the rows as they were. Locked in the order of `seq` first, as by everybody. Row by row
 * and by key: while the table is young, a plan for all at once would read it as a whole.
 */
async function settleTogether(tx: Tx, results: readonly StoredResult[]): Promise<Set<number>> {
  if (results.length === 0) return new Set();
  const inOrder = results.toSorted((a, b) => a.seq - b.seq);
  const { columns, table } = unnest(inOrder, RESULT_TYPES);
  const changed = Object.keys(RESULT_TYPES).filter((name) => name !== 'seq' && name !== 'lease_token');
  const assignments = sql.join(changed.map((name) => sql`${sql.ref(name)} = result.${sql.ref(name)}`));
  const { rows } = await sql<{ seq: number }>`
    with result (${columns}) as (select * from ${table}),
    held as materialized (
      select d.seq from result r cross join lateral (
        select seq from deliveries
        where seq = r.seq and lease_token = r.lease_token and lease_owner is not null
        offset 0 for update
      ) as d
    ),
    moved as (
      insert into attempts (
        delivery, attempt, id, trigger, started_at, duration_ms, response_status, error_kind, error_message,
        response_headers, response_body
      )
      select seq, attempt_count, last_id, last_trigger, last_at, last_duration_ms, last_status, last_error_kind,
        last_error_message, last_headers, last_body
      from deliveries where seq = any(array(select seq from held)) and last_id is not null
    )
    update deliveries set ${assignments}, lease_owner = null
    from result
    where deliveries.seq = result.seq and deliveries.lease_token = result.lease_token
      and deliveries.seq = any(array(select seq from held))
    returning deliveries.seq`.execute(tx);
  return new Set(rows.map(({ seq }) => seq));
}

/** Gives back what this owner has leased, as if it had never been claimed; nothing happens if the lease was lost. */
export async function releaseLease(tx: Tx, { seq, lease_token }: Lease, dueAt: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: millis(dueAt), lease_owner: null })
    .where('seq', '=', seq)
    .where('lease_token', '=', lease_token)
    .where('lease_owner', 'is not', null)
    .execute();
}

/**
 * Makes a leased delivery due now whose attempt was cut off. The owner stays on the row, so that the next claim counts the
 * interruption; nothing happens if the lease was lost.
 */
export async function interruptLease(tx: Tx, { seq, lease_token }: Lease, now: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: millis(now) })
    .where('seq', '=', seq)
    .where('lease_token', '=', lease_token)
    .where('lease_owner', 'is not', null)
    .execute();
}

/** Due as before; not later than now, if the clock was set back meanwhile. */
const dueAgain = (now: number) =>
  sql<number>`case when next_attempt_at < ${now} then next_attempt_at else cast(${now} as bigint) end`;

const releaseOne = preparedChange<{ seq: number; owner: string; now: number }>((db, p) =>
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
  { owner, now: time }: { owner: string; now: string },
  seqs: readonly number[],
): Promise<void> {
  const now = millis(time);
  if (dialectOf(tx).isDirect) {
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
  for (const part of QUEUE_PARTS) {
    const result = await tx
      .updateTable('deliveries')
      .set({ due_at: millis(now) })
      .where(waitsIn[part])
      .where('lease_owner', 'is not', null)
      .executeTakeFirst();
    expired += Number(result.numUpdatedRows);
  }
  return expired;
}

/** A part of a webhook queue with open deliveries, and when the first of them is due. */
export interface Waiting {
  workspace_id: string;
  webhook_id: string;
  part: QueuePart;
  due_at: string;
}

/**
 * The webhooks that have open deliveries, and when the first of each is due. Hops from webhook to webhook in the
 * partial indexes: the cost grows with the webhooks, not with their deliveries.
 */
export async function listWaiting(db: Db): Promise<Waiting[]> {
  const found: Waiting[] = [];
  for (const part of QUEUE_PARTS) {
    const { rows } = await sql<{ webhook_id: IdBytes; due_at: number; workspace_id: string }>`
      with recursive waiting(webhook_id) as (
        select (select d.webhook_id from deliveries d where ${waitsIn[part]} order by d.webhook_id limit 1)
        union all
        select (
          select d.webhook_id from deliveries d
          where ${waitsIn[part]} and d.webhook_id > waiting.webhook_id order by d.webhook_id limit 1
        )
        from waiting where waiting.webhook_id is not null
      )
      select webhook_id,
             (select min(due_at) from deliveries d where d.webhook_id = waiting.webhook_id and ${waitsIn[part]}) as due_at,
             (select w.id from deliveries d join workspaces w on w.seq = d.workspace
              where d.webhook_id = waiting.webhook_id and ${waitsIn[part]} limit 1) as workspace_id
      from waiting where webhook_id is not null`.execute(db);
    for (const { webhook_id, due_at, workspace_id } of rows)
      found.push({ webhook_id: idText('webhook', webhook_id), workspace_id, part, due_at: isoTime(due_at) });
  }
  return found;
}

const firstDue = (part: QueuePart) =>
  prepared<{ webhookId: IdBytes }, { due_at: number | null }>((db, p) =>
    db
      .selectFrom('deliveries')
      .select('due_at')
      .where('webhook_id', '=', p('webhookId'))
      .where(waitsIn[part])
      .orderBy('due_at')
      .limit(1),
  );
const firstDueIn = { initial: firstDue('initial'), retry: firstDue('retry') } satisfies Record<
  QueuePart,
  unknown
>;

const firstDueTogether = (part: QueuePart) =>
  together<IdBytes, number | null>(async (db, webhooks) => {
    const { rows } = await sql<{ due_at: number | null }>`
      select d.due_at from unnest(${webhooks}::bytea[]) with ordinality as webhook (id, place)
      left join lateral (
        select due_at from deliveries where webhook_id = webhook.id and ${waitsIn[part]} order by due_at limit 1
      ) as d on true
      order by place`.execute(db);
    return rows.map(({ due_at }) => due_at);
  });
const firstDueTogetherIn = {
  initial: firstDueTogether('initial'),
  retry: firstDueTogether('retry'),
} satisfies Record<QueuePart, unknown>;

/** When the next delivery in a part of a webhook queue is due; `null` for none. */
export async function nextDueAt(db: Db, webhookId: string, part: QueuePart): Promise<string | null> {
  const id = idBytes(webhookId);
  if (!dialectOf(db).isDirect) return isoTimeOrNull(await firstDueTogetherIn[part](db, id));
  const [row] = await firstDueIn[part](db, { webhookId: id });
  return isoTimeOrNull(row?.due_at ?? null);
}
