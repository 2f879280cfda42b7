import type { Database } from './database.ts';

/** What the server has stored about events, in the words of its own tables. */
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

/** Reads all, or what belongs to those events. */
export async function readStored(database: Database, eventIds?: readonly string[]): Promise<Stored> {
  const names = eventIds?.map((id) => `'${id}'`).join(', ');
  const ofEvents = names === undefined ? '' : `where id in (${names})`;
  const ofDeliveries = names === undefined ? '' : `where event_id in (${names})`;
  return {
    events: await database.all(`select id, payload from events ${ofEvents} order by seq`),
    deliveries: await database.all(
      `select id, event_id, webhook_id, status, attempt_count, next_attempt_at, due_at, lease_owner, created_at, completed_at
       from deliveries ${ofDeliveries} order by seq`,
    ),
    attempts: await database.all(
      `select delivery_id, attempt, response_status, error_kind from attempts
       ${ofDeliveries && `where delivery_id in (select id from deliveries ${ofDeliveries})`} order by delivery_id, attempt`,
    ),
  };
}

// Older than anything is kept for.
const LONG_AGO = '2000-01-01T00:00:00.000Z';

/**
 * Lets years pass for the oldest events of which nothing is left to be sent, so that the next start removes them. Answers
 * what was stored about them: once they are gone, nobody else can tell.
 */
export async function age(database: Database, most: number): Promise<Stored> {
  const oldest = await database.all<{ id: string }>(
    `select id from events where created_at > '${LONG_AGO}' and not exists
       (select 1 from deliveries where event_id = events.id and due_at is not null)
     order by seq limit ${most}`,
  );
  const ids = oldest.map(({ id }) => id);
  if (ids.length === 0) return { events: [], deliveries: [], attempts: [] };
  const stored = await readStored(database, ids);
  const names = ids.map((id) => `'${id}'`).join(', ');
  await database.run(`update events set created_at = '${LONG_AGO}' where id in (${names})`);
  await database.run(
    `update deliveries set created_at = '${LONG_AGO}', completed_at = '${LONG_AGO}' where event_id in (${names})`,
  );
  return stored;
}
