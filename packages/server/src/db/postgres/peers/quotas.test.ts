import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StorageLocked } from '../../../domain/faults/storage-unavailable.ts';
import { Quotas } from './quotas.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Quotas of a database that answers each statement when the test says so. */
function open() {
  const asked: { names: unknown; answer: (granted: number) => void; refuse: (error: Error) => void }[] = [];
  const quotas = new Quotas((_text, [names]) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly unknown[]>();
    const answer = (granted: number) =>
      resolve((names as string[]).map((name) => ({ name, granted, used: granted })));
    asked.push({ names, answer, refuse: reject });
    return promise;
  });
  const take = (name: string) =>
    quotas.take({ name, windowStart: 0, limit: 10, waiting: 1, wanted: 0, spent: 0 });
  return { asked, quotas, take };
}

it('while a statement is under way, those who ask share the next one', async () => {
  const { asked, take } = open();
  const first = take('a');
  await vi.waitUntil(() => asked.length === 1);
  const others = [take('a'), take('b'), take('c')];
  await new Promise(setImmediate);
  expect(asked).toHaveLength(1);
  asked[0]?.answer(1);
  expect(await first).toMatchObject({ granted: 1 });
  await vi.waitUntil(() => asked.length === 2);
  expect(asked[1]?.names).toEqual(['a', 'b', 'c']);
  asked[1]?.answer(2);
  expect(await Promise.all(others)).toMatchObject([{ granted: 2 }, { granted: 2 }, { granted: 2 }]);
});

it('after a wait for a lock that was too long, nobody waits for it for five seconds', async () => {
  const { asked, quotas, take } = open();
  const [first] = [take('a')];
  await vi.waitUntil(() => asked.length === 1);
  const behind = take('b');
  asked[0]?.refuse(new StorageLocked({ cause: new Error('locked') }));
  expect(await Promise.all([first, behind, take('c')])).toEqual([null, null, null]);
  await quotas.giveBack([{ name: 'a', windowStart: 0, held: 1 }]);
  await quotas.removeOld();
  expect(asked).toHaveLength(1);
  vi.advanceTimersByTime(5_000);
  const later = take('a');
  await vi.waitUntil(() => asked.length === 2);
  asked[1]?.answer(1);
  expect(await later).toMatchObject({ granted: 1 });
});

it('after another failure, the next one asks again', async () => {
  const { asked, take } = open();
  const first = take('a');
  await vi.waitUntil(() => asked.length === 1);
  asked[0]?.refuse(new Error('gone'));
  expect(await first).toBeNull();
  const next = take('a');
  await vi.waitUntil(() => asked.length === 2);
  asked[1]?.answer(1);
  expect(await next).toMatchObject({ granted: 1 });
});
