import { LIMITS } from '@hubline/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StorageUnavailable } from '../../domain/faults/storage-unavailable.ts';
import type { AttemptOutcome, EndedAttempt, LeasedDelivery } from '../delivery-store.ts';
import { Recorder } from './recorder.ts';

const OUTCOME = { ok: true } as AttemptOutcome;
const RETRY_MS = 1_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const turn = () => vi.advanceTimersByTimeAsync(0);

/** `a:1`: a delivery of webhook a. */
const webhookOf = (id: string) => id.split(':')[0];

type Recording = (ids: readonly string[]) => (number | null)[];

/** A store that takes everything but `bad`. `7` is due again at 7, and `done` never. */
const take: Recording = (ids) => {
  if (ids.includes('bad')) throw new Error('a bug');
  return ids.map((id) => (id === 'done' ? null : Number(id)));
};

/** A recorder, with a log of the calls to its store and the results of the attempts, in order. */
function start(recording: Recording = take) {
  const calls: string[] = [];
  /** State that tests change. */
  const world = { available: true, ready: Promise.resolve() };
  const recorder = new Recorder({
    record: async (ended: readonly EndedAttempt[]) => {
      const ids = ended.map(({ delivery }) => delivery.id);
      calls.push(`record ${ids.join(' ')}`);
      await world.ready;
      if (!world.available) throw new StorageUnavailable({ cause: 'the disk is full' });
      return recording(ids);
    },
  });
  const record = (...ids: string[]) => {
    for (const id of ids)
      recorder.record({ id, endpoint: { id: webhookOf(id) } } as LeasedDelivery, OUTCOME).then(
        (dueAt) => calls.push(`${id} is due at ${dueAt}`),
        (error: Error) => calls.push(`${id} fails: ${error.name}`),
      );
  };
  /** Returns the entries since the last time. */
  const newCalls = () => calls.splice(0);
  return { recorder, record, newCalls, world };
}

describe('attempts that end in one turn of the event loop are recorded', () => {
  it.each<[what: string, ids: string[], recording: Recording, calls: string[]]>([
    [
      'together, and each learns when its delivery is due again',
      ['3', 'done', '1'],
      take,
      ['record 3 done 1', '3 is due at 3', 'done is due at null', '1 is due at 1'],
    ],
    [
      'as never due again, when the store says nothing of them',
      ['1', '2'],
      () => [],
      ['record 1 2', '1 is due at null', '2 is due at null'],
    ],
    [
      'one after another, when one of them can never be recorded',
      ['1', 'bad', '3'],
      take,
      [
        'record 1 bad 3',
        'record 1',
        '1 is due at 1',
        'record bad',
        'bad fails: Error',
        'record 3',
        '3 is due at 3',
      ],
    ],
    [
      'no second time, when the only one can never be recorded',
      ['bad'],
      take,
      ['record bad', 'bad fails: Error'],
    ],
  ])('%s', async (_what, ids, recording, expected) => {
    const { record, newCalls } = start(recording);
    record(...ids);
    expect(newCalls()).toEqual([]);
    await turn();
    expect(newCalls()).toEqual(expected);
    // Attempts of a later turn are recorded together again.
    record('7', '8');
    await turn();
    expect(newCalls()[0]).toBe('record 7 8');
  });

  it('with their outcome', async () => {
    const store = { record: vi.fn(async (_ended: readonly EndedAttempt[]) => [7]) };
    const delivery = { id: '7', endpoint: { id: 'a' } } as LeasedDelivery;
    const recorded = new Recorder(store).record(delivery, OUTCOME);
    await turn();
    expect(await recorded).toBe(7);
    expect(store.record.mock.calls).toMatchObject([[[{ delivery, outcome: OUTCOME }]]]);
  });
});

it('attempts that end during a transaction share the next one, in their order', async () => {
  const { record, newCalls, world } = start();
  const { promise, resolve } = Promise.withResolvers<void>();
  world.ready = promise;
  for (const id of ['1', '3', '2']) {
    record(id);
    await turn();
  }
  expect(newCalls()).toEqual(['record 1']);
  resolve();
  await turn();
  expect(newCalls()).toEqual(['1 is due at 1', 'record 3 2', '3 is due at 3', '2 is due at 2']);
});

describe('more than 256 attempts', () => {
  it('are recorded in four units at once, of about the same size', async () => {
    const { record, newCalls, world } = start();
    world.ready = new Promise(() => {});
    record(...Array.from({ length: 1_500 }, (_, index) => String(index)));
    await turn();
    const units = newCalls().map((call) => call.split(' ').slice(1));
    expect(units.map((ids) => ids.length)).toEqual([256, 256, 256, 256]);
    expect(units[1]?.slice(0, 3)).toEqual(['1', '5', '9']);
  });

  it('of one webhook are recorded one unit after another, in their order', async () => {
    const { record, newCalls } = start(() => []);
    const ids = Array.from({ length: 600 }, (_, index) => `a:${index}`);
    record(...ids, 'b:1');
    await turn();
    const units = newCalls().filter((call) => call.startsWith('record '));
    expect(units.map((call) => call.split(' ').slice(1))).toEqual([
      ids.slice(0, 256),
      ['b:1'],
      ids.slice(256, 512),
      ids.slice(512),
    ]);
  });
});

describe('while the database cannot take them', () => {
  it('attempts are recorded again each second, before those that ended meanwhile', async () => {
    const { record, newCalls, world } = start();
    world.available = false;
    record('1', '2');
    await turn();
    record('3');
    await vi.advanceTimersByTimeAsync(RETRY_MS - 1);
    expect(newCalls()).toEqual(['record 1 2']);
    await vi.advanceTimersByTimeAsync(1);
    expect(newCalls()).toEqual(['record 1 2']);
    world.available = true;
    await vi.advanceTimersByTimeAsync(RETRY_MS);
    expect(newCalls()).toEqual(['record 1 2', '1 is due at 1', '2 is due at 2', 'record 3', '3 is due at 3']);
  });

  const GIVEN_UP = ['1 fails: StorageUnavailable', '2 fails: StorageUnavailable'];
  it.each<[what: string, stop: (recorder: Recorder) => void, calls: number]>([
    ['after as long as an attempt may take', () => {}, 1 + LIMITS.attemptTimeoutMs / RETRY_MS],
    ['after the next failure, once the server stops', (recorder) => recorder.stopRetrying(), 1],
  ])('attempts are given up %s, and later ones are not', async (_what, stop, calls) => {
    const { recorder, record, newCalls, world } = start();
    world.available = false;
    record('1', '2');
    await turn();
    stop(recorder);
    await vi.advanceTimersByTimeAsync(calls * RETRY_MS - 1);
    expect(newCalls()).toEqual(Array.from({ length: calls }, () => 'record 1 2'));
    await vi.advanceTimersByTimeAsync(1);
    expect(newCalls()).toEqual(['record 1 2', ...GIVEN_UP]);
    world.available = true;
    record('3');
    await turn();
    expect(newCalls()).toEqual(['record 3', '3 is due at 3']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('attempts are given up after the first failure, when the server has stopped before', async () => {
    const { recorder, record, newCalls, world } = start();
    recorder.stopRetrying();
    world.available = false;
    record('1', '2');
    await turn();
    expect(newCalls()).toEqual(['record 1 2', ...GIVEN_UP]);
    world.available = true;
    record('3');
    await turn();
    expect(newCalls()).toEqual(['record 3', '3 is due at 3']);
  });
});
