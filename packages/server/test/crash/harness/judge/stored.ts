import { ERROR_KIND, STATUS } from '../../../../src/db/core/columns/codes.ts';
import { type IdBytes, idBytes, idText } from '../../../../src/db/core/columns/columns.ts';
import { Tally } from '../../../../src/domain/stats/tally.ts';
import { isoTime } from '../../../../src/domain/time.ts';
import type { Database } from '../database.ts';

/** The stored rows about events, in the columns of the tables. */
export interface Stored {
  events: StoredEvent[];
  deliveries: StoredDelivery[];
  attempts: StoredAttempt[];
}

interface StoredEvent {
  id: string;
  payload: string;
}

interface StoredDelivery {
  id: string;
  event_id: string;
  webhook_id: string;
  status: string;
  attempt_count: number;
  next_attempt_at: string | null;
  due_at: string | null;
  lease_owner: string | null;
  created_at: string;
  completed_at: string | null;
}

interface StoredAttempt {
  delivery_id: string;
  attempt: number;
  response_status: number | null;
  error_kind: string | null;
}

// IDs as literals in the SQL of each database.
const literal = (id: string) => idBytes(id).toString('hex');
const inSqlite = (id: string) => `x'${literal(id)}'`;
const inPostgres = (id: string) => `'\\x${literal(id)}'`;

/** Reads all rows, or those of these events. */
export async function readStored(database: Database, eventIds?: readonly string[]): Promise<Stored> {
  const names = eventIds?.map(database.dialect === 'postgres' ? inPostgres : inSqlite).join(', ');
  const ofEvents = names === undefined ? '' : `where id in (${names})`;
  const ofDeliveries = names === undefined ? '' : `where event_id in (${names})`;
  const events = await database.all<{ id: IdBytes; payload: string }>(
    `select id, payload from events ${ofEvents} order by seq`,
  );
  const deliveries = await database.all<DeliveryColumns>(
    `select seq, id, event_id, webhook_id, status, attempt_count, next_attempt_at, due_at, lease_owner, created_at,
       completed_at, last_status, last_error_kind, last_id
     from deliveries ${ofDeliveries} order by seq`,
  );
  const earlier = await database.all<AttemptColumns>(
    `select delivery, attempt, response_status, error_kind from attempts order by delivery, attempt`,
  );
  const nameOf = new Map(deliveries.map(({ seq, id }) => [Number(seq), idText('delivery', id)]));
  return {
    events: events.map(({ id, payload }) => ({ id: idText('event', id), payload })),
    deliveries: deliveries.map((row) => ({
      id: idText('delivery', row.id),
      event_id: idText('event', row.event_id),
      webhook_id: idText('webhook', row.webhook_id),
      status: STATUS.name(row.status),
      attempt_count: row.attempt_count,
      next_attempt_at: time(row.next_attempt_at),
      due_at: time(row.due_at),
      lease_owner: row.lease_owner,
      created_at: time(row.created_at) ?? '',
      completed_at: time(row.completed_at),
    })),
    attempts: deliveries.flatMap((row) => {
      const made = earlier.filter(({ delivery }) => Number(delivery) === Number(row.seq));
      if (row.last_id !== null)
        made.push({
          delivery: row.seq,
          attempt: row.attempt_count,
          response_status: row.last_status,
          error_kind: row.last_error_kind,
        });
      return made.map(({ attempt, response_status, error_kind }) => ({
        delivery_id: nameOf.get(Number(row.seq)) ?? '',
        attempt,
        response_status,
        error_kind: error_kind === null ? null : ERROR_KIND.name(error_kind),
      }));
    }),
  };
}

/** Sums of the statistics. */
export interface CountedSums {
  events: number;
  attempts: number;
}

/** Reads the statistics: the sums, and the tallies that wait to be added. */
export async function readCounted(database: Database): Promise<CountedSums> {
  const sums = { events: 0, attempts: 0 };
  const hours = await database.all<{ events: number; attempts: number }>(
    `select events, attempts_succeeded + attempts_failed as attempts from workspace_stats
     where resolution = 3600 and webhook_id = ''`,
  );
  const waiting = new Tally();
  for (const { counts } of await database.all<{ counts: string }>('select counts from stats_tallies'))
    waiting.add(counts);
  const more = waiting.parts.map(({ counts: [events = 0, succeeded = 0, failed = 0] }) => ({
    events,
    attempts: succeeded + failed,
  }));
  for (const { events, attempts } of [...hours, ...more]) {
    sums.events += events;
    sums.attempts += attempts;
  }
  return sums;
}

interface DeliveryColumns extends Omit<
  StoredDelivery,
  'id' | 'event_id' | 'webhook_id' | 'status' | `${string}_at`
> {
  seq: number | string;
  id: IdBytes;
  event_id: IdBytes;
  webhook_id: IdBytes;
  status: number;
  next_attempt_at: Millis | null;
  due_at: Millis | null;
  created_at: Millis;
  completed_at: Millis | null;
  last_id: IdBytes | null;
  last_status: number | null;
  last_error_kind: number | null;
}

interface AttemptColumns {
  delivery: number | string;
  attempt: number;
  response_status: number | null;
  error_kind: number | null;
}

/** The PostgreSQL driver returns large numbers as text. */
type Millis = number | string;
const time = (at: Millis | null) => (at === null ? null : isoTime(Number(at)));

// Older than any retention.
const LONG_AGO = Date.parse('2000-01-01T00:00:00.000Z');

/**
 * Makes the oldest finished events years older, so that the next start removes them. Returns their rows: once they are
 * gone, nothing else has that evidence.
 */
export async function age(database: Database, most: number): Promise<Stored> {
  const oldest = await database.all<{ id: IdBytes }>(
    `select id from events where created_at > ${LONG_AGO} and not exists
       (select 1 from deliveries where event_id = events.id and due_at is not null)
     order by seq limit ${most}`,
  );
  const ids = oldest.map(({ id }) => idText('event', id));
  if (ids.length === 0) return { events: [], deliveries: [], attempts: [] };
  const stored = await readStored(database, ids);
  const names = ids.map(database.dialect === 'postgres' ? inPostgres : inSqlite).join(', ');
  await database.run(`update events set created_at = ${LONG_AGO} where id in (${names})`);
  await database.run(
    `update deliveries set created_at = ${LONG_AGO}, completed_at = ${LONG_AGO} where event_id in (${names})`,
  );
  return stored;
}
