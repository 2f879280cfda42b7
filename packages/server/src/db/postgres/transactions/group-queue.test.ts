import { expect, it } from 'vitest';
import type { Connection } from './connection.ts';
import { runningUnit } from './connection.ts';
import { Gate } from './gate.ts';
import { GroupQueue } from './group-queue.ts';

/** A connection to a database that accepts everything. */
const connect = async () =>
  ({
    hasFailed: false,
    queries: 0,
    query: async () => ({ rows: [] }),
    ask: async () => [],
    commit: async () => 'COMMIT',
    catchUp: async () => {},
    release: () => {},
    cache: { begin: () => {}, logChanges: async () => {}, committed: () => {} },
  }) as unknown as Connection;

it('a group whose units run again one by one keeps its workspace until the last of them has ended', async () => {
  const gate = new Gate(1_000, () => {});
  const queue = new GroupQueue({ gate, connect, groupsMax: 1, groupMs: 1_000, rest: () => 0 });
  const isFree: boolean[] = [];
  const unit = (fails: boolean) => async () => {
    isFree.push(gate.tryEnter('a'));
    const running = runningUnit();
    if (running) running.wrote = true;
    if (fails) throw new Error('too late to undo it alone');
    return 'stored';
  };
  const units = [unit(false), unit(true), unit(false)].map((one) => queue.add('a', one));
  expect((await Promise.allSettled(units)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  // Each has run twice.
  expect(isFree).toEqual(Array.from({ length: 6 }, () => false));
  await new Promise((resolve) => setImmediate(resolve));
  expect(gate.tryEnter('a')).toBe(true);
});
