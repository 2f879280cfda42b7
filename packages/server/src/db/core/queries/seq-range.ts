import { LIMITS } from '@hubline/contract';
import type { SelectQueryBuilder } from 'kysely';
import { type IdBytes, idBytesFrom, idText } from '../columns/columns.ts';
import { millis } from '../../../domain/time.ts';
import { type Given, prepared, type Placeholder } from './prepared-query.ts';
import type { Database, Db } from '../schema.ts';

/** The tables that are listed by time. */
type Table = 'events' | 'deliveries' | 'audit_log';

/** A range of `seq` in which rows can be. Both ends are exclusive; `undefined` is open. */
export interface SeqRange {
  above: number | undefined;
  below: number | undefined;
}

/**
 * The most rows that a request reads for a filter without an index. There its page ends, and the next one begins.
 */
export const LOOKED_AT_MAX = LIMITS.searchedEvents;

/**
 * The last row that a request reads of a list without an index for its filter; `null` if the list ends before that. `list`: the rows after
 * the cursor, without the filter.
 */
export async function lastLookedAt<Table extends 'automation_runs' | 'notification_messages' | 'audit_log'>(
  list: SelectQueryBuilder<Database, Table, unknown>,
): Promise<number | null> {
  const stop = await (list as SelectQueryBuilder<Database, 'automation_runs', unknown>)
    .select('seq')
    .orderBy('seq', 'desc')
    .limit(1)
    .offset(LOOKED_AT_MAX - 1)
    .executeTakeFirst();
  return stop?.seq ?? null;
}

// The time in an ID differs from `created_at` of its row by less than this, and the order of IDs from that of commits.
const MARGIN_MS = 60 * 60_000;

/** An ID as its table holds it: the audit log, which people read, has it as text. */
type Id = IdBytes | string;
const idOf = (table: Table, id: IdBytes): Id => (table === 'audit_log' ? idText('audit', id) : id);

const lastBefore = byTable((table) =>
  prepared<{ id: Id }, { seq: number }>((db, p) =>
    db.selectFrom(table).select('seq').where('id', '<', p('id')).orderBy('id', 'desc').limit(1),
  ),
);
const firstAfter = byTable((table) =>
  prepared<{ id: Id }, { seq: number }>((db, p) =>
    db.selectFrom(table).select('seq').where('id', '>', p('id')).orderBy('id').limit(1),
  ),
);

// An ID from a clock that was ahead would otherwise count as the end of a range that has not ended.
const newestAfter = byTable((table) =>
  prepared<{ id: Id }, { id: unknown }>((db, p) =>
    db
      .selectFrom(db.selectFrom(table).select('id').orderBy('seq', 'desc').limit(1).as('newest'))
      .select('newest.id')
      .where('newest.id', '>', p('id')),
  ),
);

/**
 * Finds the range of rows that were created between two times. Lists follow `seq` and have no index by time,
 * which would cost every insert. IDs begin with their time and are indexed.
 */
export async function seqRange(
  db: Db,
  table: Table,
  { since, until }: { since?: string | undefined; until?: string | undefined },
): Promise<SeqRange> {
  const idAt = (time: string, margin: number) => idOf(table, idBytesFrom(millis(time) + margin));
  const [above] = since === undefined ? [] : await lastBefore[table](db, { id: idAt(since, -MARGIN_MS) });
  const end = until === undefined ? null : { id: idAt(until, MARGIN_MS) };
  const [newest] = end === null ? [] : await newestAfter[table](db, end);
  const [below] = end === null || !newest ? [] : await firstAfter[table](db, end);
  return { above: above?.seq, below: below?.seq };
}

/** Finds the range of a page's rows: after a cursor, newest first, and between two times. */
export async function pageRange(
  db: Db,
  table: Table,
  { after, ...times }: { after: string | null; since?: string | undefined; until?: string | undefined },
): Promise<SeqRange> {
  const { above, below } = await seqRange(db, table, times);
  if (after === null) return { above, below };
  return { above, below: Math.min(Number(after), below ?? Number.POSITIVE_INFINITY) };
}

/** Narrows a query to a range. */
export function within<T extends Table, Row, Parameters extends SeqRange>(
  query: SelectQueryBuilder<Database, T, Row>,
  placeholder: Placeholder<Parameters>,
  given: Given<Parameters>,
): SelectQueryBuilder<Database, T, Row> {
  let narrowed = query as unknown as SelectQueryBuilder<Database, Table, Row>;
  if (given('above')) narrowed = narrowed.where('seq', '>', placeholder('above') as number);
  if (given('below')) narrowed = narrowed.where('seq', '<', placeholder('below') as number);
  return narrowed;
}

function byTable<Query>(make: (table: Table) => Query): Record<Table, Query> {
  return { events: make('events'), deliveries: make('deliveries'), audit_log: make('audit_log') };
}
