import { isoTimeOrNull } from '../../core/columns/columns.ts';
import { millis } from '../../../domain/time.ts';
import { dialectOf } from '../../dialect-of.ts';
import type { Db } from '../../core/schema.ts';
import type { QueueCounts } from '../../core/statements.ts';

/** Counts the open deliveries. On SQLite it walks the index of the queue in slices, and yields to the event loop in between. */
export async function countQueue(
  db: Db,
  now: string,
): Promise<Omit<QueueCounts, 'first'> & { first: string | null }> {
  const { first, ...counts } = await dialectOf(db).countQueue(db, millis(now));
  return { ...counts, first: isoTimeOrNull(first) };
}
