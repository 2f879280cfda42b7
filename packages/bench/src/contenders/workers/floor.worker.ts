import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { EVENT_BODY } from '../../load/event-body.ts';
import { answerParent } from '../../process/worker.ts';
import { listenPeer, SENDERS } from '../peer-http.ts';

interface Work {
  events: number;
  /** Rows in a transaction, or calls under way. */
  group: number;
}

/** Starts a Hono server that checks the bearer token, reads the body and responds. Returns its port. */
function listen(_: object): Promise<number> {
  return listenPeer(() => undefined);
}

let db: SQLite.Database | undefined;

/** Inserts a row for each event and one for its delivery, in grouped transactions at `synchronous=FULL`. */
function insert({ events, group, folder }: Work & { folder: string }): void {
  if (!db) {
    db = new SQLite(join(folder, 'floor.db'));
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.exec(`
      create table events (seq integer primary key, id text not null unique, workspace_id text not null,
                           type text not null, payload text not null, created_at text not null);
      create index events_workspace on events (workspace_id, seq);
      create table deliveries (seq integer primary key, id text not null unique, workspace_id text not null,
                               webhook_id text not null, event_id text not null, status text not null,
                               due_at text, body text not null);
      create index deliveries_workspace on deliveries (workspace_id, seq);
      create index deliveries_due on deliveries (webhook_id, due_at) where due_at is not null`);
  }
  const event = db.prepare('insert into events values (null, ?, ?, ?, ?, ?)');
  const delivery = db.prepare('insert into deliveries values (null, ?, ?, ?, ?, ?, ?, ?)');
  const payload = EVENT_BODY.before + EVENT_BODY.after;
  const insertGroup = db.transaction((size: number) => {
    const now = new Date().toISOString();
    for (let row = 0; row < size; row += 1) {
      // Ordered by time, as the server's IDs are.
      const id = `${now}-${randomUUID()}`;
      event.run(id, 'workspace', 'deploy', payload, now);
      delivery.run(id, 'workspace', 'webhook', id, 'pending', now, payload);
    }
  });
  for (let done = 0; done < events; done += group) insertGroup.immediate(Math.min(group, events - done));
}

/** Signs and posts one call for each event with undici; the receivers take turns. */
async function post({ events, group, urls }: Work & { urls: readonly string[] }): Promise<void> {
  const payload = JSON.parse(EVENT_BODY.before + EVENT_BODY.after) as unknown;
  let begun = 0;
  const sendAll = async (): Promise<void> => {
    while (begun < events) {
      const url = urls[begun % urls.length] ?? '';
      begun += 1;
      await SENDERS.undici(url, { id: randomUUID(), type: 'deploy', source: 'bench', payload });
    }
  };
  await Promise.all(Array.from({ length: group }, sendAll));
}

const methods = { listen, insert, post };
export type FloorMethods = typeof methods;
answerParent(methods);
