import { sql } from 'kysely';
import type { QueuePart } from '../../../domain/deliveries/queue-part.ts';
import type { Db, Tx } from '../../core/schema.ts';
import {
  type WebhookClaim,
  deliveryColumns,
  type DeliveryColumns,
  type NextDueQuery,
  type StoredResult,
  type Unbegun,
} from '../../core/statements.ts';
import { dueAgain } from '../../webhooks/queue/due-again.ts';
import { ATTEMPT_COLUMNS, LAST_COLUMNS } from '../../webhooks/queue/last-attempt.ts';
import { waitsIn } from '../../webhooks/queue/waits-in.ts';
import { batched } from '../transactions/batched.ts';
import { hexOf } from '../hex-of.ts';
import { unnest } from '../unnest.ts';

const CLAIM_TYPES = {
  webhookId: 'bytea',
  owner: 'text',
  now: 'bigint',
  leaseUntil: 'bigint',
  limit: 'integer',
} as const;

const RETURNED = sql.join(
  deliveryColumns(hexOf).map((column) => (typeof column === 'string' ? sql.ref(column) : column)),
);

/** Claims for several webhooks in one statement, each through the index by webhook. */
const claimTogether = (part: QueuePart) =>
  batched<WebhookClaim, DeliveryColumns[]>(async (tx, claims) => {
    const { columns, table } = unnest(claims, CLAIM_TYPES);
    const { rows } = await sql<DeliveryColumns>`
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
      returning ${RETURNED}`.execute(tx);
    return claims.map(({ webhookId }) => rows.filter((row) => row.webhook_id === webhookId.toString('hex')));
  });
const claimTogetherIn = {
  initial: claimTogether('initial'),
  retry: claimTogether('retry'),
} satisfies Record<QueuePart, unknown>;

export const claimDeliveries = (tx: Tx, part: QueuePart, claim: WebhookClaim): Promise<DeliveryColumns[]> =>
  claimTogetherIn[part](tx, claim);

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

const MOVED_FROM = sql.raw(LAST_COLUMNS.join(', '));
const MOVED_TO = sql.raw(ATTEMPT_COLUMNS.join(', '));

/**
 * Records all in one statement, each part of which sees the rows as they were before. The rows are locked first, in the order of `seq` as
 * everywhere, one by one and by key: while the table is small, a plan for all at once would read the whole table.
 */
export async function recordResults(tx: Tx, results: readonly StoredResult[]): Promise<Set<number>> {
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
      insert into attempts (delivery, ${MOVED_TO})
      select seq, ${MOVED_FROM} from deliveries where seq = any(array(select seq from held)) and last_id is not null
    )
    update deliveries set ${assignments}, lease_owner = null
    from result
    where deliveries.seq = result.seq and deliveries.lease_token = result.lease_token
      and deliveries.seq = any(array(select seq from held))
    returning deliveries.seq`.execute(tx);
  return new Set(rows.map(({ seq }) => seq));
}

// The rows are locked first, in the order of `seq`, as wherever several deliveries are changed.
export async function releaseUnbegun(tx: Tx, { owner, now, leases }: Unbegun): Promise<void> {
  const { columns, table } = unnest(leases, { seq: 'bigint', token: 'integer' });
  await sql`
    with lease (${columns}) as (select * from ${table}),
    unbegun as materialized (
      select seq from deliveries
      where lease_owner = ${owner}
        and seq = any(array(select seq from lease))
        and (seq, lease_token) in (select seq, token from lease)
      order by seq for update
    )
    update deliveries set due_at = ${dueAgain(now)}, lease_owner = null
    where seq in (select seq from unbegun)`.execute(tx);
}

const NEXT_TYPES = { webhookId: 'bytea', owner: 'text', now: 'bigint' } as const;

const nextDueTogether = (part: QueuePart) =>
  batched<NextDueQuery, number | null>(async (db, nexts) => {
    const { columns, table } = unnest(nexts, NEXT_TYPES);
    const { rows } = await sql<{ due_at: number | null }>`
      select d.due_at from ${table} with ordinality as next (${columns}, position)
      left join lateral (
        select due_at from deliveries
        where webhook_id = next."webhookId" and ${waitsIn[part]}
          and (due_at <= next.now or lease_owner is distinct from next.owner)
        order by due_at limit 1
      ) as d on true
      order by position`.execute(db);
    return rows.map(({ due_at }) => due_at);
  });
const nextDueTogetherIn = {
  initial: nextDueTogether('initial'),
  retry: nextDueTogether('retry'),
} satisfies Record<QueuePart, unknown>;

export const nextDueAt = (db: Db, part: QueuePart, next: NextDueQuery): Promise<number | null> =>
  nextDueTogetherIn[part](db, next);
