import { LIMITS } from '@hubline/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';
import type { AttemptOutcome, EndedAttempt, LeasedDelivery } from './delivery-store.ts';
import { Recorder } from './recorder.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const delivery = (id: string) => ({ id }) as LeasedDelivery;
const outcome = { ok: true } as AttemptOutcome;

/** A recorder over a store that answers as `answer` does, and the batches that reached the store. */
function recorderOver(answer: (ids: readonly string[], call: number) => (number | null)[]) {
  const batches: string[][] = [];
  const recorder = new Recorder({
    record: async (ended: readonly EndedAttempt[]) => {
      const ids = ended.map((one) => one.delivery.id);
      batches.push(ids);
      return answer(ids, batches.length);
    },
  });
  return { batches, recorder, record: (id: string) => recorder.record(delivery(id), outcome) };
}

const dueOf = (ids: readonly string[]) => ids.map((id) => (id === 'done' ? null : Number(id)));
const down = () => {
  throw new StorageUnavailable({ cause: 'the disk is full' });
};

it('records the attempts of one turn of the loop together, in their order', async () => {
  const { batches, record } = recorderOver(dueOf);
  const dues = Promise.all([record('1'), record('done'), record('3')]);
  await vi.runAllTimersAsync();
  expect(await dues).toEqual([1, null, 3]);
  expect(batches).toEqual([['1', 'done', '3']]);
});

it('attempts that end during a transaction share the next one', async () => {
  const later: Promise<number | null>[] = [];
  const { batches, record } = recorderOver((ids, call) => {
    if (call === 1) later.push(record('2'), record('3'));
    return dueOf(ids);
  });
  const first = record('1');
  await vi.runAllTimersAsync();
  expect([await first, ...(await Promise.all(later))]).toEqual([1, 2, 3]);
  expect(batches).toEqual([['1'], ['2', '3']]);
});

it('a store that is down is asked again each second, and nothing is lost', async () => {
  const { batches, record } = recorderOver((ids, call) => (call <= 3 ? down() : dueOf(ids)));
  const due = record('7');
  await vi.advanceTimersByTimeAsync(2_999);
  expect(batches).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(await due).toBe(7);
});

it.each<[what: string, hurries: boolean, ms: number]>([
  ['after as long as an attempt may take', false, LIMITS.attemptTimeoutMs + 1_000],
  ['at once when the server stops', true, 1_000],
])('gives up on a store that stays down %s', async (_, hurries, ms) => {
  const { recorder, record } = recorderOver(down);
  let failed = 0;
  for (const id of ['1', '2']) record(id).catch(() => (failed += 1));
  await vi.advanceTimersByTimeAsync(500);
  if (hurries) recorder.hurry();
  await vi.advanceTimersByTimeAsync(ms - 501);
  expect(failed).toBe(0);
  await vi.advanceTimersByTimeAsync(1_001);
  expect(failed).toBe(2);
});

it('an attempt that can never be recorded fails alone', async () => {
  const { batches, record } = recorderOver((ids) => {
    if (ids.includes('2')) throw new Error('a bug');
    return dueOf(ids);
  });
  const dues = Promise.allSettled([record('1'), record('2'), record('3')]);
  await vi.runAllTimersAsync();
  expect((await dues).map((due) => (due.status === 'fulfilled' ? due.value : 'failed'))).toEqual([
    1,
    'failed',
    3,
  ]);
  expect(batches).toEqual([['1', '2', '3'], ['1'], ['2'], ['3']]);
});
