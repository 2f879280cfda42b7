import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { answerParent } from '../../process/worker.ts';
import { listenPeer, type PeerEvent, SENDERS } from '../peer-http.ts';

interface Job {
  delivery: number;
  event: PeerEvent;
}

const CONCURRENCY = 64;

/** A table, a loop and `fetch`: every write is its own transaction, at `synchronous=FULL`. */
async function start({ folder, receiverUrl }: { folder: string; receiverUrl: string }): Promise<number> {
  const db = new SQLite(join(folder, 'naive.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(`
    create table events (id text primary key, type text not null, source text not null, payload text not null);
    create table deliveries (id integer primary key, event_id text not null references events, status text not null);
    create index deliveries_status on deliveries (status);
    create table attempts (id integer primary key, delivery_id integer not null references deliveries,
                           status integer not null, at text not null)`);
  const insertEvent = db.prepare('insert into events values (?, ?, ?, ?)');
  const insertDelivery = db.prepare("insert into deliveries (event_id, status) values (?, 'pending')");
  const insertAttempt = db.prepare('insert into attempts (delivery_id, status, at) values (?, ?, ?)');
  const setStatus = db.prepare('update deliveries set status = ? where id = ?');

  const queue: Job[] = [];
  let running = 0;
  const work = async ({ delivery, event }: Job): Promise<void> => {
    const status = await SENDERS.fetch(receiverUrl, event);
    insertAttempt.run(delivery, status, new Date().toISOString());
    setStatus.run(status < 300 ? 'delivered' : 'failed', delivery);
    running -= 1;
    pump();
  };
  const pump = (): void => {
    while (running < CONCURRENCY) {
      const job = queue.shift();
      if (!job) return;
      running += 1;
      void work(job);
    }
  };
  return listenPeer((event) => {
    insertEvent.run(event.id, event.type, event.source, JSON.stringify(event.payload));
    const delivery = Number(insertDelivery.run(event.id).lastInsertRowid);
    queue.push({ delivery, event });
    pump();
  });
}

const methods = { start };
export type NaiveMethods = typeof methods;
answerParent(methods);
