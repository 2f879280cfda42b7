import { expect, it } from 'vitest';
import type { DueQueue } from '../domain/deliveries/due-queue.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { Scheduler } from './scheduler/scheduler.ts';
import { Sweeper } from './sweeper.ts';

const SWEEP_MS = 30_000;
const due = (webhookId: string, dueAt: number): DueQueue => ({
  webhookId,
  workspaceId: webhookId.slice(0, 1),
  part: 'retry',
  dueAt,
});

/** A sweeper of a queue with two webhooks, in pages of one, and a record of the calls that it makes, in order. */
function start() {
  const calls: string[] = [];
  const works: Promise<unknown>[] = [];
  const world = { failing: false };
  const timers = new Set<{ run: () => void; ms: number }>();
  const store: Pick<DeliveryStore, 'listDue'> = {
    async *listDue() {
      calls.push('list');
      if (world.failing) throw new Error('lost connection');
      yield [due('a1', 5)];
      calls.push('turn');
      yield [due('b1', 7)];
    },
  };
  const scheduler: Pick<Scheduler, 'expect'> = {
    expect: ({ webhookId, workspaceId }, part, dueAt) =>
      calls.push(`expect ${workspaceId}/${webhookId} ${part} ${dueAt}`),
  };
  const log = (_fields: object, message: string) => void calls.push(`log ${message}`);
  const sweeper = new Sweeper(
    { log: { debug: log, info: log, warn: log, error: log } },
    {
      store,
      scheduler,
      timer: (run, ms) => {
        const timer = { run, ms };
        timers.add(timer);
        return () => void timers.delete(timer);
      },
      track: (work) => works.push(work),
      dispatch: () => void calls.push('dispatch'),
    },
  );
  return {
    sweeper,
    world,
    timers: () => [...timers].map(({ ms }) => ms),
    /** Runs the timer. */
    ring: () => {
      for (const timer of timers) if (timers.delete(timer)) timer.run();
    },
    /** Returns the calls since the last time. */
    newCalls: async () => {
      while (works.length > 0) await works.shift();
      return calls.splice(0);
    },
  };
}

const READ = ['list', 'expect a/a1 retry 5', 'turn', 'expect b/b1 retry 7'];

it('reads the queue page by page on request, also before it is open, and leaves the dispatch to its caller', async () => {
  const { sweeper, newCalls, timers } = start();
  await sweeper.read();
  expect(await newCalls()).toEqual(READ);
  expect(timers()).toEqual([]);
});

it('sweeps every half minute from its opening until it is closed', async () => {
  const { sweeper, newCalls, timers, ring } = start();
  sweeper.sweep();
  expect(await newCalls()).toEqual([]);
  sweeper.open();
  for (let times = 2; times > 0; times -= 1) {
    expect(timers()).toEqual([SWEEP_MS]);
    ring();
    expect(await newCalls()).toEqual([...READ, 'dispatch']);
  }
  sweeper.close();
  expect(timers()).toEqual([]);
  sweeper.sweep();
  expect(await newCalls()).toEqual([]);
});

it('sweeps at once on request, and then again in half a minute, with one timer', async () => {
  const { sweeper, newCalls, timers } = start();
  sweeper.open();
  sweeper.sweep();
  expect(await newCalls()).toEqual([...READ, 'dispatch']);
  expect(timers()).toEqual([SWEEP_MS]);
});

it('tries again after half a minute when the queue could not be read', async () => {
  const { sweeper, world, newCalls, timers, ring } = start();
  sweeper.open();
  world.failing = true;
  ring();
  expect(await newCalls()).toEqual(['list', 'log the queue could not be swept; trying again']);
  expect(timers()).toEqual([SWEEP_MS]);
});

it('sets no timer when it is closed in the middle of a sweep', async () => {
  const { sweeper, newCalls, timers } = start();
  sweeper.open();
  sweeper.sweep();
  sweeper.close();
  await newCalls();
  expect(timers()).toEqual([]);
});
