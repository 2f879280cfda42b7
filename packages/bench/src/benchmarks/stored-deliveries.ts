import SQLite from 'better-sqlite3';
import { openAttemptCounter } from '../contenders/attempt-counter.ts';
import { createHublineData, type HublineData, startHubline } from '../contenders/hubline-server.ts';
import { copiedId, multiply, type Overrides, SLICE } from '../contenders/multiply.ts';
import { untilRecorded } from '../contenders/until-recorded.ts';
import type { Load } from '../load/load.ts';
import type { Options } from '../options.ts';

/** A database with deliveries in it, made without making each of them. */
export interface Stored extends HublineData {
  /** Rows that were copied so far, for ids that are new. */
  copied: number;
}

// 1 KB as in the other benchmarks would make a database of 10 GB at 5 million rows: what grows is the number of rows.
const SHORT_PAYLOAD = '{"mark":"000000000.0000000000000000"}';

/** Stores so many events, each delivered to one webhook at the first attempt. */
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
    const at = '2020-01-01T00:00:00.000Z';
    multiply(db, { table: 'events', rows, overrides: { id: copiedId('evt', 0), created_at: `'${at}'` } });
    multiplyDeliveries(db, rows, {
      id: copiedId('dlv', 0),
      event_id: copiedId('evt', 0),
      created_at: `'${at}'`,
    });
    multiply(db, {
      table: 'attempts',
      rows,
      overrides: { id: copiedId('att', 0), delivery_id: copiedId('dlv', 0) },
    });
  });
  return { ...data, copied: rows };
}

/**
 * Adds deliveries that are still to be made: due, or in the hands of a process that has died. Each carries its own mark,
 * so that the receiver can tell them apart.
 */
export function addOpen(stored: Stored, rows: number, kind: 'pending' | 'leased'): void {
  const now = new Date().toISOString();
  const leased = kind === 'leased';
  withDatabase(stored, (db) =>
    multiplyDeliveries(db, rows, {
      id: copiedId('dlv', stored.copied),
      status: "'pending'",
      attempt_count: '0',
      scheduled_count: '0',
      next_attempt_at: `'${now}'`,
      due_at: leased ? `'${new Date(Date.now() + 60_000).toISOString()}'` : `'${now}'`,
      lease_owner: leased ? "'run_of_a_dead_process'" : 'null',
      lease_token: leased ? '1' : '0',
      created_at: `'${now}'`,
      completed_at: 'null',
    }),
  );
  stored.copied += rows;
}

/** Forgets what is still to be made. */
export function removeOpen(stored: Stored): void {
  withDatabase(stored, (db) =>
    db.exec(`
      delete from delivery_bodies where seq in (select seq from deliveries where due_at is not null);
      delete from deliveries where due_at is not null`),
  );
}

/** Deliveries that are still to be made. */
export function countOpen({ database }: HublineData): number {
  const db = new SQLite(database, { readonly: true });
  try {
    const count = (part: string) => `select count(*) from deliveries where due_at is not null and ${part}`;
    // In the two parts that have an index.
    const query = `select (${count("status = 'pending'")}) + (${count("status <> 'pending'")})`;
    return Number(db.prepare(query).pluck().get());
  } finally {
    db.close();
  }
}

/** Copies the first delivery with its whole body, in which the mark counts the copies from 0. */
function multiplyDeliveries(db: SQLite.Database, rows: number, overrides: Overrides): void {
  // Not the greatest that is there: numbers of rows that were removed are not given again.
  const last = Number(db.prepare("select seq from sqlite_sequence where name = 'deliveries'").pluck().get());
  multiply(db, { table: 'deliveries', rows, overrides });
  const insert = db.prepare(
    `insert into delivery_bodies (seq, body)
     select d.seq, replace(t.body, '"mark":"000000000', '"mark":"' || printf('%09d', d.seq - @last - 1))
     from deliveries d, (
       select b.body || e.payload || b.after_payload as body
       from delivery_bodies b join deliveries using (seq) join events e on e.id = event_id
       order by b.seq limit 1
     ) t
     where d.seq > @after and d.seq <= @after + ${SLICE}`,
  );
  for (let after = last; after < last + rows; after += SLICE) insert.run({ last, after });
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
