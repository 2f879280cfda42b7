import { type RawBuilder, sql } from 'kysely';
import type { QueuePart } from '../../../domain/deliveries/queue-part.ts';

/**
 * The conditions by which an open delivery waits in a part of a webhook queue, as in `partOf`. Each has a partial index. They are
 * literals, not parameters: SQLite uses a partial index only for a condition that it knows when it prepares the statement. 0 is
 * `STATUS.of.pending`.
 */
export const waitsIn = {
  initial: sql<boolean>`due_at is not null and status = 0`,
  retry: sql<boolean>`due_at is not null and status <> 0`,
} satisfies Record<QueuePart, RawBuilder<boolean>>;
