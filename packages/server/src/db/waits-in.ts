import { type RawBuilder, sql } from 'kysely';
import type { Line } from '../domain/line.ts';

/**
 * Whether an open delivery waits in a line, as `lineOf` says; each has a partial index. As literals, not parameters: SQLite
 * takes a partial index only for a condition that it knows when it prepares. 0 is `STATUS.of.pending`.
 */
export const waitsIn = {
  first: sql<boolean>`due_at is not null and status = 0`,
  again: sql<boolean>`due_at is not null and status <> 0`,
} satisfies Record<Line, RawBuilder<boolean>>;
