import { chaos } from '#chaos';
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { millis } from '../domain/time.ts';
import { dialectOf } from './dialect-of.ts';
import { keepBodies } from './webhooks/delivery-bodies.ts';
import type { Db, Tx } from './core/schema.ts';

/** Tables whose rows grow old, in the order of `seq`. */
export type AgingTable =
  | 'events'
  | 'deliveries'
  | 'audit_log'
  | 'idempotency_keys'
  | 'notification_messages'
  | 'notifications'
  | 'automation_runs';

/** A few rows that may be removed, oldest first, and the position to continue from; `null` when all rows after it are younger. */
interface Aged {
  seqs: number[];
  next: number | null;
  /** The time at which the first of them was stored. */
  first: string;
}

const isOld = (oldest: Time) => sql<SqlBool>`created_at < ${oldest}`;

/** A time as it is stored: the audit log, which people read, has it as text. */
type Time = number | string;
const stored = (table: AgingTable, time: string): Time => (table === 'audit_log' ? time : millis(time));

/** Conditions of old rows. Open work is never old, nor is work that was requested again. Finished work ages from its end. */
const REMOVABLE = {
  events: isOld,
  deliveries: (oldest) => sql<SqlBool>`due_at is null and completed_at < ${oldest}`,
  automation_runs: (oldest) => sql<SqlBool>`completed_at < ${oldest}`,
  audit_log: isOld,
  idempotency_keys: isOld,
  notification_messages: (oldest) => sql<SqlBool>`completed_at < ${oldest}`,
  notifications: isOld,
} satisfies Record<AgingTable, (oldest: Time) => RawBuilder<SqlBool>>;

/**
 * The next rows that are older than `oldest`, read by the primary key, which is the order of age. Looking for old rows by their time would
 * read the whole table, or need an index that every insert pays for.
 */
export async function listAged(
  db: Db,
  table: AgingTable,
  { after, oldest, limit }: { after: number; oldest: string; limit: number },
): Promise<Aged> {
  const rows = await db
    .selectFrom(table)
    .select('seq')
    .select(sql<Time>`created_at`.as('created_at'))
    .select(REMOVABLE[table](stored(table, oldest)).as('removable'))
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const last = rows.at(-1);
  // SQLite returns 1 and 0.
  const removable = rows.filter((row) => Boolean(row.removable));
  const created = rows.map((row) => new Date(row.created_at).toISOString());
  const allYoung = created.every((at) => at >= oldest);
  return {
    seqs: removable.map((row) => row.seq),
    first: created[rows.findIndex((row) => row.removable)] ?? oldest,
    next: last === undefined || rows.length < limit || allYoung ? null : last.seq,
  };
}

/**
 * Removes rows that `listAged` has found, unless they are in use again. The attempts of a delivery go with it. The bodies of an
 * event's deliveries remain: if there are more than `limit`, that many are stored, and nothing is removed yet. Returns `false` then.
 */
export async function removeAged(
  tx: Tx,
  table: AgingTable,
  { seqs, oldest, limit }: { seqs: readonly number[]; oldest: string; limit: number },
): Promise<boolean> {
  if (table === 'events' && !(await keepBodies(tx, seqs, limit))) return false;
  await tx
    .deleteFrom(table)
    .where(dialectOf(tx).isOneOf('seq', seqs))
    .where(REMOVABLE[table](stored(table, oldest)))
    .execute();
  chaos.reach('retention.removed');
  return true;
}
