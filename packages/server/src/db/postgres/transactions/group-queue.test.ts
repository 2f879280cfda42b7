import { expect, it, onTestFinished, vi } from 'vitest';
import { nextTurn } from '../../../clock/timer.ts';
import { StorageUnavailable } from '../../../domain/faults/storage-unavailable.ts';
import type { Connection } from './connection.ts';
import { runningUnit } from './running-unit.ts';
import { Gate } from './gate.ts';
import { GroupQueue } from './group-queue.ts';

/** A connection to a database that accepts everything. */
const connect = async () =>
  ({
    hasFailed: false,
    queries: 0,
    begin: async () => {},
    query: async () => ({ rows: [] }),
    ask: async () => [],
    commit: async () => 'COMMIT',
    catchUp: async () => {},
    release: () => {},
    cache: { begin: () => {}, logChanges: async () => {}, committed: () => {} },
  }) as unknown as Connection;

it('a group whose units run again one by one keeps its workspace until the last of them has ended', async () => {
  const gate = new Gate(1_000);
  const queue = new GroupQueue({ gate, connect, groupsMax: 1, groupMs: 1_000, pauseAfter: () => 0 });
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
  await nextTurn();
  expect(gate.tryEnter('a')).toBe(true);
});

it('a unit that waits too long is refused, and a workspace whose turn came for it alone is free again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const gate = new Gate(1_000);
  const queue = new GroupQueue({ gate, connect, groupsMax: 1, groupMs: 10_000, pauseAfter: () => 0 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: signal } = Promise.withResolvers<void>();
  gate.tryEnter('a');
  const late = queue.add('a', () => expect.fail('It has been refused.'));
  // The only group at once.
  const slow = queue.add('b', () => (signal(), released));
  await begun;
  gate.leave('a');
  expect(gate.tryEnter('a')).toBe(false);
  const refused = expect(late).rejects.toBeInstanceOf(StorageUnavailable);
  vi.advanceTimersByTime(1_000);
  await refused;
  expect(gate.tryEnter('a')).toBe(true);
  release();
  await slow;
});
