import { sql } from 'kysely';
import { nextTurn } from '../../../clock/timer.ts';
import { type QueuePart, QUEUE_PARTS } from '../../../domain/deliveries/queue-part.ts';
import type { IdBytes } from '../../core/columns/columns.ts';
import { prepared } from '../../core/queries/prepared-query.ts';
import type { Db } from '../../core/schema.ts';
import type { QueueCounts } from '../../core/statements.ts';
import { waitsIn } from '../../webhooks/queue/waits-in.ts';

// Rows that SQLite counts in one call, which blocks the event loop for about a millisecond.
const SLICE_ROWS = 10_000;
const SLICE_MS = 4;

export async function countQueue(db: Db, now: number): Promise<QueueCounts> {
  const total: QueueCounts = { open: 0, due: 0, first: null };
  let sliceBegan = performance.now();
  for (const slices of slicesOfParts) {
    let position: QueuePosition | null = { webhookId: NO_BYTES, after: 0 };
    while (position) {
      position = await countSlice(db, { ...position, now, slices }, total);
      if (performance.now() - sliceBegan < SLICE_MS) continue;
      await nextTurn();
      sliceBegan = performance.now();
    }
  }
  return total;
}

interface QueuePosition {
  webhookId: IdBytes;
  /** The `due_at` up to which this webhook's deliveries are counted; 0 when all of them are. */
  after: number;
}

// Sorts before every ID.
const NO_BYTES = Buffer.alloc(0);

/** The queries for one part of the webhook queues. */
const slicesOf = (part: QueuePart) => ({
  nextWebhook: prepared<{ webhookId: IdBytes }, { webhook_id: IdBytes | null }>((db, p) =>
    db
      .selectFrom('deliveries')
      .select(sql<IdBytes | null>`min(webhook_id)`.as('webhook_id'))
      .where(waitsIn[part])
      .where('webhook_id', '>', p('webhookId')),
  ),
  sliceEnd: prepared<QueuePosition, { due_at: number | null }>((db, p) =>
    db
      .selectFrom('deliveries')
      .select('due_at')
      .where('webhook_id', '=', p('webhookId'))
      .where(waitsIn[part])
      .where('due_at', '>', p('after'))
      .orderBy('due_at')
      .limit(1)
      .offset(SLICE_ROWS - 1),
  ),
  countBetween: prepared<QueuePosition & { until: number; now: number }, QueueCounts>((db, p) =>
    db
      .selectFrom('deliveries')
      .select(({ fn }) => [fn.countAll<number>().as('open')])
      .select(sql<number>`coalesce(sum(due_at <= ${p('now')}), 0)`.as('due'))
      .select(sql<number | null>`min(case when due_at <= ${p('now')} then due_at end)`.as('first'))
      .where('webhook_id', '=', p('webhookId'))
      .where(waitsIn[part])
      .where('due_at', '>', p('after'))
      .where('due_at', '<=', p('until')),
  ),
});
type Slices = ReturnType<typeof slicesOf>;
const slicesOfParts: readonly Slices[] = QUEUE_PARTS.map(slicesOf);

// Later than any time.
const END = Number.MAX_SAFE_INTEGER;

/** Adds one slice to `total`. Returns the position at which the next one begins; `null` at the end. */
async function countSlice(
  db: Db,
  { webhookId, after, now, slices }: QueuePosition & { now: number; slices: Slices },
  total: QueueCounts,
): Promise<QueuePosition | null> {
  let id = webhookId;
  if (after === 0) {
    const [row] = await slices.nextWebhook(db, { webhookId });
    if (row?.webhook_id == null) return null;
    id = row.webhook_id;
  }
  const [end] = await slices.sliceEnd(db, { webhookId: id, after });
  const until = end?.due_at ?? END;
  const [counts] = await slices.countBetween(db, { webhookId: id, after, until, now });
  if (counts) {
    total.open += counts.open;
    total.due += counts.due;
    if (counts.first !== null && (total.first === null || counts.first < total.first))
      total.first = counts.first;
  }
  return { webhookId: id, after: until === END ? 0 : until };
}
