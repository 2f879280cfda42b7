import { andThen, type Awaitable } from '../../core/awaitable.ts';
import { preparedRow } from '../../core/queries/prepared-query.ts';
import { DELIVERY_CAUSE, STATUS, TRIGGER } from '../../core/columns/codes.ts';
import type { Db, Tx } from '../../core/schema.ts';
import type { DeliveryInsert, StoredBody } from '../../core/statements.ts';
import { EventLoopYield } from '../../../clock/event-loop-yield.ts';
import { preparedUsually } from '../usual-values.ts';
import { selectBody } from '../../webhooks/stored-body.ts';

// A delivery of a new event, neither held nor attempted.
const USUAL = {
  event_type: TRIGGER.of['event.created'],
  status: STATUS.of.pending,
  trigger: DELIVERY_CAUSE.of.event,
  attempt_count: 0,
  scheduled_count: 0,
  manual: 0,
  interruptions: 0,
  completed_at: null,
  body: null,
} satisfies Partial<DeliveryInsert>;

const insert = preparedUsually<DeliveryInsert>(USUAL, (db, p) =>
  db.insertInto('deliveries').values({
    id: p('id'),
    workspace: p('workspace'),
    webhook_id: p('webhook_id'),
    event_id: p('event_id'),
    event_type: p('event_type'),
    status: p('status'),
    trigger: p('trigger'),
    attempt_count: p('attempt_count'),
    scheduled_count: p('scheduled_count'),
    next_attempt_at: p('next_attempt_at'),
    manual: p('manual'),
    due_at: p('due_at'),
    lease_owner: p('lease_owner'),
    lease_token: p('lease_token'),
    interruptions: p('interruptions'),
    created_at: p('created_at'),
    completed_at: p('completed_at'),
    body: p('body'),
  } satisfies Record<keyof DeliveryInsert, unknown>),
);

export function insertDeliveries(tx: Tx, rows: readonly DeliveryInsert[]): Awaitable<number[]> {
  const [first] = rows;
  return first && rows.length === 1 ? andThen(insert(tx, first), ({ seq }) => [seq]) : insertAll(tx, rows);
}

/** Yields to the event loop in between: an event may have ten thousand deliveries. */
async function insertAll(tx: Tx, rows: readonly DeliveryInsert[]): Promise<number[]> {
  const seqs: number[] = [];
  const loop = new EventLoopYield();
  for (const row of rows) {
    if (loop.isDue) await loop.yield();
    seqs.push((await insert(tx, row)).seq);
  }
  return seqs;
}

const bodyOf = preparedRow<{ seq: number }, StoredBody>((db, p) =>
  selectBody(db).where('deliveries.seq', '=', p('seq')),
);

export const findBody = (db: Db, seq: number): Awaitable<StoredBody | undefined> => bodyOf(db, { seq });

/** Units run one after another: there is nothing to lock. */
export const lockDeliveries = (): Promise<void> => Promise.resolve();
