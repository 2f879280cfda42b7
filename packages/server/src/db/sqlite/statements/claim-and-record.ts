import { sql } from 'kysely';
import type { QueuePart } from '../../../domain/deliveries/queue-part.ts';
import { DELIVERY_CAUSE, STATUS } from '../../core/columns/codes.ts';
import { prepared, preparedChange } from '../../core/queries/prepared-query.ts';
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
import { hexOf } from '../hex-of.ts';
import { EventLoopYield } from '../../../clock/event-loop-yield.ts';
import { preparedUsually } from '../usual-values.ts';

const due = (part: QueuePart) =>
  prepared<WebhookClaim, DeliveryColumns>((db, p) =>
    db
      .selectFrom('deliveries')
      .select(deliveryColumns(hexOf))
      .where('webhook_id', '=', p('webhookId'))
      .where(waitsIn[part])
      .where('due_at', '<=', p('now'))
      .orderBy('due_at')
      .limit(p('limit')),
  );
const dueIn = { initial: due('initial'), retry: due('retry') } satisfies Record<QueuePart, unknown>;

type LeaseColumns = Pick<DeliveryColumns, 'due_at' | 'lease_owner' | 'lease_token' | 'interruptions'>;

const leaseOne = preparedChange<LeaseColumns & { seq: number }>((db, p) =>
  db
    .updateTable('deliveries')
    .set({
      due_at: p('due_at'),
      lease_owner: p('lease_owner'),
      lease_token: p('lease_token'),
      interruptions: p('interruptions'),
    })
    .where('seq', '=', p('seq')),
);

/**
 * Reads deliveries, then leases them one by one. That takes 29 µs for one delivery; a single update with
 * RETURNING took 45 (measured).
 */
export async function claimDeliveries(
  tx: Tx,
  part: QueuePart,
  claim: WebhookClaim,
): Promise<DeliveryColumns[]> {
  const rows = await dueIn[part](tx, claim);
  const claimed: DeliveryColumns[] = [];
  const loop = new EventLoopYield();
  for (const row of rows) {
    if (loop.isDue) await loop.yield();
    const lease: LeaseColumns = {
      due_at: claim.leaseUntil,
      lease_owner: claim.owner,
      lease_token: row.lease_token + 1,
      // If the row is still leased, the last owner never recorded its attempt.
      interruptions: row.interruptions + (row.lease_owner === null ? 0 : 1),
    };
    await leaseOne(tx, { seq: row.seq, ...lease });
    claimed.push({ ...row, ...lease });
  }
  return claimed;
}

// Delivered at the first attempt.
const USUAL = {
  status: STATUS.of.delivered,
  attempt_count: 1,
  scheduled_count: 1,
  next_attempt_at: null,
  manual: 0,
  due_at: null,
  interruptions: 0,
  last_trigger: DELIVERY_CAUSE.of.event,
  last_error_kind: null,
  last_error_message: null,
} satisfies Partial<StoredResult>;

const recordResult = preparedUsually<StoredResult>(USUAL, (db, p) =>
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
      lease_owner: sql.lit(null),
    } satisfies Record<Exclude<keyof StoredResult, 'seq' | 'lease_token'> | 'lease_owner', unknown>)
    .where('seq', '=', p('seq'))
    .where('lease_token', '=', p('lease_token'))
    .where('lease_owner', 'is not', null),
);

/** Moves the last attempt out of the row of a delivery, to make room for the next. */
const moveLast = preparedChange<Pick<StoredResult, 'seq' | 'lease_token'>>((db, p) =>
  db
    .insertInto('attempts')
    .columns(['delivery', ...ATTEMPT_COLUMNS])
    .expression(
      db
        .selectFrom('deliveries')
        .select(['seq', ...LAST_COLUMNS])
        .where('seq', '=', p('seq'))
        .where('lease_token', '=', p('lease_token'))
        .where('lease_owner', 'is not', null)
        .where('last_id', 'is not', null),
    ),
);

export async function recordResults(tx: Tx, results: readonly StoredResult[]): Promise<Set<number>> {
  const recorded = new Set<number>();
  const loop = new EventLoopYield();
  for (const result of results) {
    if (loop.isDue) await loop.yield();
    if (result.attempt_count > 1) await moveLast(tx, result);
    const recording = recordResult(tx, result);
    const { rows } = recording instanceof Promise ? await recording : recording;
    if (rows > 0) recorded.add(result.seq);
  }
  return recorded;
}

const releaseOne = preparedChange<{ seq: number; token: number; owner: string; now: number }>((db, p) =>
  db
    .updateTable('deliveries')
    .set({ due_at: dueAgain(p('now')), lease_owner: null })
    .where('seq', '=', p('seq'))
    .where('lease_token', '=', p('token'))
    .where('lease_owner', '=', p('owner')),
);

export async function releaseUnbegun(tx: Tx, { owner, now, leases }: Unbegun): Promise<void> {
  for (const { seq, token } of leases) await releaseOne(tx, { seq, token, owner, now });
}

const nextDue = (part: QueuePart) =>
  prepared<NextDueQuery, { due_at: number | null }>((db, p) =>
    db
      .selectFrom('deliveries')
      .select('due_at')
      .where('webhook_id', '=', p('webhookId'))
      .where(waitsIn[part])
      .where(sql<boolean>`(due_at <= ${p('now')} or lease_owner is distinct from ${p('owner')})`)
      .orderBy('due_at')
      .limit(1),
  );
const nextDueIn = { initial: nextDue('initial'), retry: nextDue('retry') } satisfies Record<
  QueuePart,
  unknown
>;

export async function nextDueAt(db: Db, part: QueuePart, next: NextDueQuery): Promise<number | null> {
  const [row] = await nextDueIn[part](db, next);
  return row?.due_at ?? null;
}
