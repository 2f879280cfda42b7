import { sql } from 'kysely';
import { type QueuePart, QUEUE_PARTS } from '../../domain/queue-part.ts';
import { type IdBytes, isoTimeOrNull, millis } from '../core/columns.ts';
import { dialectOf } from '../core/dialect-of.ts';
import { prepared } from '../core/prepared-query.ts';
import type { Db } from '../core/schema.ts';
import { waitsIn } from './waits-in.ts';

/** Open deliveries, as counts. */
interface Counts<Time = string> {
  open: number;
  due: number;
  /** When the first of those that are due became so; `null` for none. */
  first: Time | null;
}

// Rows that SQLite counts at once, about a millisecond: nobody else gets the loop meanwhile.
const SLICE_ROWS = 10_000;
const SLICE_MS = 4;

/** Counts what the queue holds. On SQLite it walks the index of the queue in slices, and lets others in between. */
export async function countQueue(db: Db, now: string): Promise<Counts> {
  const { first, ...counts } = await count(db, millis(now));
  return { ...counts, first: isoTimeOrNull(first) };
}

async function count(db: Db, now: number): Promise<Counts<number>> {
  if (!dialectOf(db).isDirect) {
    return db
      .selectFrom('deliveries')
      .select(({ fn }) => [fn.countAll<number>().as('open')])
      .select(sql<number>`count(*) filter (where due_at <= ${now})`.as('due'))
      .select(sql<number | null>`min(due_at) filter (where due_at <= ${now})`.as('first'))
      .where(({ or }) => or(Object.values(waitsIn)))
      .executeTakeFirstOrThrow();
  }
  const total: Counts<number> = { open: 0, due: 0, first: null };
  let sliceBegan = performance.now();
  for (const slices of slicesOfParts) {
    let place: Place | null = { webhookId: NO_BYTES, after: 0 };
    while (place) {
      place = await countSlice(db, { ...place, now, slices }, total);
      if (performance.now() - sliceBegan < SLICE_MS) continue;
      await new Promise((resolve) => setImmediate(resolve));
      sliceBegan = performance.now();
    }
  }
  return total;
}

interface Place {
  webhookId: IdBytes;
  /** The `due_at` up to which this webhook's deliveries are counted; 0 when all of them are. */
  after: number;
}

// Sorts before every id.
const NO_BYTES = Buffer.alloc(0);

/** The questions about one part. */
const slicesOf = (part: QueuePart) => ({
  nextWebhook: prepared<{ webhookId: IdBytes }, { webhook_id: IdBytes | null }>((db, p) =>
    db
      .selectFrom('deliveries')
      .select(sql<IdBytes | null>`min(webhook_id)`.as('webhook_id'))
      .where(waitsIn[part])
      .where('webhook_id', '>', p('webhookId')),
  ),
  sliceEnd: prepared<Place, { due_at: number | null }>((db, p) =>
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
  countBetween: prepared<Place & { until: number; now: number }, Counts<number>>((db, p) =>
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

// Later than every time.
const END = Number.MAX_SAFE_INTEGER;

/** Adds one slice to `total`; where the next one begins, `null` at the end. */
async function countSlice(
  db: Db,
  { webhookId, after, now, slices }: Place & { now: number; slices: Slices },
  total: Counts<number>,
): Promise<Place | null> {
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
