import SQLite from 'better-sqlite3';
import { openAttemptCounter } from '../contenders/attempt-counter.ts';
import { createHublineData, type HublineData, startHubline } from '../contenders/hubline-server.ts';
import { copiedId, multiply } from '../contenders/multiply.ts';
import { untilRecorded } from '../contenders/until-recorded.ts';
import type { Load } from '../load/load.ts';
import type { Options } from '../options.ts';

/** A database with deliveries that were copied, not made one by one. */
export interface Stored extends HublineData {
  /** The rows that were copied so far: new IDs follow theirs. */
  copied: number;
}

// 1 KB, as in the other benchmarks, would make a database of 10 GB at 5 million rows. Only the number of rows matters here.
const SHORT_PAYLOAD = '{"mark":"000000000.0000000000000000"}';

/** Stores `rows` events, each delivered to one webhook at the first attempt. */
export async function storeDelivered(
  load: Load,
  options: Options,
  { folder, rows }: { folder: string; rows: number },
): Promise<Stored> {
  const data = await createHublineData(folder, options);
  const [url = ''] = await load.receiver.call('listen', { hooks: 1, ports: 1 });
  {
    await using server = await startHubline(data, options);
    await server.webhook(url);
    const payload = JSON.parse(SHORT_PAYLOAD) as object;
    await server.post(`/workspaces/${data.workspaceId}/events`, { type: 'deploy', source: 'bench', payload });
    using counter = openAttemptCounter(data.database);
    await untilRecorded(counter, 1);
  }
  withDatabase(data, (db) => {
    const created = { id: copiedId(0), created_at: String(Date.parse('2020-01-01T00:00:00.000Z')) };
    multiply(db, { table: 'events', rows, overrides: created });
    multiply(db, { table: 'deliveries', rows, overrides: { ...created, event_id: copiedId(0) } });
  });
  return { ...data, copied: rows };
}

/**
 * Adds deliveries that are still to be made: due, or leased by a process that has died. Each carries its own mark,
 * so that the receiver can tell them apart.
 */
export function addOpen(stored: Stored, rows: number, kind: 'pending' | 'leased'): void {
  const now = Date.now();
  const leased = kind === 'leased';
  const created = { id: copiedId(stored.copied), created_at: String(now) };
  withDatabase(stored, (db) => {
    const payload = `replace(t.payload, '"mark":"000000000', '"mark":"' || printf('%09d', n - 1))`;
    multiply(db, { table: 'events', rows, overrides: { ...created, payload } });
    multiply(db, {
      table: 'deliveries',
      rows,
      overrides: {
        ...created,
        event_id: copiedId(stored.copied),
        status: '0',
        attempt_count: '0',
        scheduled_count: '0',
        next_attempt_at: String(now),
        due_at: String(leased ? now + 60_000 : now),
        lease_owner: leased ? "'run_of_a_dead_process'" : 'null',
        lease_token: leased ? '1' : '0',
        completed_at: 'null',
        ...Object.fromEntries(LAST.map((column) => [`last_${column}`, 'null'])),
      },
    });
  });
  stored.copied += rows;
}

// The columns of the last attempt. They are null, because no attempt has been made.
const LAST = [
  'id',
  'trigger',
  'at',
  'duration_ms',
  'status',
  'error_kind',
  'error_message',
  'headers',
  'body',
];

/** Removes the deliveries that are still to be made, with their events. */
export function removeOpen(stored: Stored): void {
  withDatabase(stored, (db) =>
    db.exec(`
      delete from events where id in (select event_id from deliveries where due_at is not null);
      delete from deliveries where due_at is not null`),
  );
}

/** Counts the deliveries that are still to be made. */
export function countOpen({ database }: HublineData): number {
  const db = new SQLite(database, { readonly: true });
  try {
    const count = (part: string) => `select count(*) from deliveries where due_at is not null and ${part}`;
    // Counted in two parts, because each of them has an index.
    const query = `select (${count('status = 0')}) + (${count('status <> 0')})`;
    return Number(db.prepare(query).pluck().get());
  } finally {
    db.close();
  }
}

function withDatabase(stored: HublineData, work: (db: SQLite.Database) => unknown): void {
  const db = new SQLite(stored.database);
  try {
    db.pragma('synchronous = OFF');
    db.pragma('cache_size = -200000');
    work(db);
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}
