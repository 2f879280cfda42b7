import { chaos } from '#chaos';
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Db, Tx } from './schema.ts';

/** Tables whose rows grow old, in the order of `seq`. */
export type AgingTable = 'events' | 'deliveries' | 'audit_log' | 'idempotency_keys';

/** A few rows that may go, oldest first, and where the next few begin; `null` when what follows is younger. */
interface Aged {
  seqs: number[];
  next: number | null;
  /** When the first of them was stored. */
  first: string;
}

const isOld = (oldest: string) => sql<SqlBool>`created_at < ${oldest}`;

/** Nothing that is still to be sent, or was asked for again, grows old; the age of a delivery begins where it ended. */
const REMOVABLE = {
  events: isOld,
  deliveries: (oldest) => sql<SqlBool>`due_at is null and completed_at < ${oldest}`,
  audit_log: isOld,
  idempotency_keys: isOld,
} satisfies Record<AgingTable, (oldest: string) => RawBuilder<SqlBool>>;

/**
 * The next rows that are older than `oldest`. Walks the primary key, which is the order of age: looking for old rows by
 * their time would read the whole table, or need an index that every insert pays for.
 */
export async function listAged(
  db: Db,
  table: AgingTable,
  { after, oldest, limit }: { after: number; oldest: string; limit: number },
): Promise<Aged> {
  const rows = await db
    .selectFrom(table)
    .select(['seq', 'created_at'])
    .select(REMOVABLE[table](oldest).as('removable'))
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const last = rows.at(-1);
  // SQLite says 1 and 0.
  const removable = rows.filter((row) => Boolean(row.removable));
  const allYoung = rows.every((row) => row.created_at >= oldest);
  return {
    seqs: removable.map((row) => row.seq),
    first: removable[0]?.created_at ?? oldest,
    next: last === undefined || rows.length < limit || allYoung ? null : last.seq,
  };
}

/**
 * Removes those rows, unless they have come back to life; what belongs to a delivery goes with it. What remains of an event,
 * the bodies of its deliveries, gets the payload.
 */
export async function removeAged(
  tx: Tx,
  table: AgingTable,
  { seqs, oldest }: { seqs: readonly number[]; oldest: string },
): Promise<void> {
  if (table === 'events') await completeBodies(tx, seqs);
  await tx.deleteFrom(table).where('seq', 'in', seqs).where(REMOVABLE[table](oldest)).execute();
  chaos.reach('retention.removed');
}

async function completeBodies(tx: Tx, events: readonly number[]): Promise<void> {
  await sql`
    update delivery_bodies
    set body = body || (
          select e.payload from deliveries d join events e on e.id = d.event_id where d.seq = delivery_bodies.seq
        ) || after_payload,
        after_payload = null
    where after_payload is not null
      and seq in (
        select d.seq from events e join deliveries d on d.event_id = e.id where e.seq in (${sql.join(events)})
      )`.execute(tx);
}
