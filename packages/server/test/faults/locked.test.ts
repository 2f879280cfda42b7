import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { startReceiver, type Receiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { SENDER_MODES } from '../delivery/sender-modes.ts';
import { type WatchedSqlite, watchSqlite } from './watch-sqlite.ts';
import { Ledger } from './ledger.ts';

let sqlite: WatchedSqlite;
let workspace: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;
let other: SQLite.Database;
let ledger: Ledger;
/** The time for which each try to begin a transaction blocked the event loop, in milliseconds. */
let blocked: number[];

async function start(senders: number): Promise<void> {
  sqlite = watchSqlite();
  workspace = await startWorkspace({ flags: { senders } });
  receiver = await startReceiver();
  // SQLite locks between connections as it does between processes.
  other = new SQLite(join(workspace.server.data, 'hubline.db'));
  ledger = new Ledger({ ...workspace, receiver });
  await ledger.subscribe();
  blocked = [];
  sqlite.instead('BEGIN IMMEDIATE', (begin) => {
    const started = performance.now();
    try {
      return begin();
    } finally {
      blocked.push(performance.now() - started);
    }
  });
}
afterEach(async () => {
  other.close();
  await workspace.stop();
  await receiver.stop();
  sqlite.restore();
});

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

describe.each(SENDER_MODES)('%s, a database that another process has locked', (_, senders) => {
  beforeEach(() => start(senders));

  it('is waited for in steps that leave the loop free, and reads go on in the meantime', async () => {
    other.exec('BEGIN IMMEDIATE');
    const waiting = Promise.all(Array.from({ length: 5 }, () => ledger.publish()));
    await until('several tries', () => blocked.length > 4);
    for (let read = 0; read < 5; read += 1) await workspace.api.call('workspaces.list');
    // The median, because one of them may have been slow on a busy machine.
    expect(median(blocked)).toBeLessThan(250);
    expect(ledger.acknowledged).toEqual([]);
    other.exec('COMMIT');
    expect(await waiting).toEqual([true, true, true, true, true]);
    ledger.acknowledged.sort((a, b) => a - b);
    await ledger.check();
  });

  it('is waited for up to a limit: then writes are refused, and work again when it is free', async () => {
    expect(await ledger.publish()).toBe(true);
    other.exec('BEGIN IMMEDIATE');
    expect(await ledger.publish()).toBe(false);
    other.exec('COMMIT');
    await until('a write', () => ledger.publish());
    await ledger.check();
  });
});
