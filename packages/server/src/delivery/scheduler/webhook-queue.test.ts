import { expect, it } from 'vitest';
import type { QueuePart } from '../../domain/deliveries/queue-part.ts';
import { SLOW_MS } from './adaptive-concurrency.ts';
import { keyOf, type WaitingPart, WebhookQueue } from './webhook-queue.ts';

const queueOf = (limit = 4) =>
  new WebhookQueue(keyOf({ id: 'a1', workspaceId: 'a' }), { initial: limit, max: limit });

it('is named after its webhook', () => {
  expect(queueOf()).toMatchObject({ webhookId: 'a1', workspaceId: 'a' });
});

it.each<
  [limit: number, used: [initial: number, retry: number], retryStored: boolean, free: [number, number]]
>([
  [4, [0, 0], false, [4, 2]],
  [4, [3, 0], false, [1, 1]],
  [4, [0, 1], false, [3, 1]],
  [4, [0, 2], false, [2, 0]],
  [4, [4, 0], false, [0, 0]],
  // Half is kept for retries that wait, less those that run.
  [4, [0, 0], true, [2, 2]],
  [4, [0, 1], true, [2, 1]],
  [4, [0, 2], true, [2, 0]],
  [4, [2, 0], true, [0, 2]],
  // An odd limit: retries may have the larger half, and the smaller is kept for them.
  [5, [0, 0], true, [3, 3]],
  [5, [0, 2], true, [3, 1]],
  [5, [0, 3], true, [2, 0]],
  [1, [0, 0], true, [1, 1]],
  [1, [0, 1], true, [0, 0]],
  // The limit has been halved under what runs.
  [2, [4, 0], false, [-2, -2]],
])('with a limit of %i and %j used, retries waiting: %j, %j are free', (limit, used, retryStored, free) => {
  const queue = queueOf(limit);
  const { initial, retry } = queue.parts;
  for (const [index, part] of [initial, retry].entries()) {
    part.wake();
    part.take(used[index] ?? 0);
    part.claim();
  }
  if (retryStored) retry.wake();
  expect([queue.free('initial'), queue.free('retry')]).toEqual(free);
});

it.each<[what: string, sinces: number[], lastMs: number | null, slow: boolean]>([
  ['nothing has been sent yet', [], null, false],
  ['one is under way for exactly 250 ms', [1_000 - SLOW_MS], null, false],
  ['one is under way for longer', [1_000 - SLOW_MS - 1], null, true],
  ['the oldest of several is', [0, 1_000], null, true],
  ['the last one that ended was quick', [], SLOW_MS - 1, false],
  ['the last one that ended took 250 ms', [], SLOW_MS, true],
  ['one is under way since a moment, and the last one was slow', [1_000], SLOW_MS, true],
])('a receiver is slow or not: %s', (_what, sinces, lastMs, slow) => {
  const queue = queueOf();
  for (const since of sinces) queue.begin({ part: 'initial', since });
  const last = { part: 'initial' as const, since: 0 };
  if (lastMs !== null) queue.end(last, { ok: true, durationMs: lastMs });
  expect(queue.isSlow(1_000)).toBe(slow);
});

it('an attempt that was not made gives its permit back, and tells nothing about the receiver', () => {
  const queue = new WebhookQueue(keyOf({ id: 'a1', workspaceId: 'a' }), { initial: 2, max: 4 });
  const { initial } = queue.parts;
  /** Ends one attempt after another; returns the permits that are free after each. */
  const freeAfter = (...responses: ({ ok: boolean; durationMs: number } | null)[]) =>
    responses.map((response) => {
      const attempt = { part: 'initial' as const, since: 0 };
      initial.wake();
      initial.take(1);
      queue.begin(attempt);
      queue.end(attempt, response);
      return queue.free('initial');
    });
  expect(freeAfter({ ok: true, durationMs: 1 }, null, { ok: true, durationMs: 1 }, null)).toEqual([
    3, 3, 4, 4,
  ]);
  expect(queue.isSlow(60_000)).toBe(false);
  expect(freeAfter({ ok: false, durationMs: SLOW_MS }, null)).toEqual([2, 2]);
  expect(queue.isSlow(60_000)).toBe(true);
});

it.each<[what: string, part: QueuePart, change: (part: WaitingPart) => void, idle: boolean]>([
  ['nothing', 'initial', () => {}, true],
  ['a new delivery in the future', 'initial', (part) => part.expect(1), false],
  ['a retry in the future', 'retry', (part) => part.expect(1), false],
  ['a delivery in the buffer', 'initial', (part) => part.buffer(1), false],
  ['new ones in the database', 'initial', (part) => part.wake(), false],
  ['retries in the database', 'retry', (part) => part.wake(), false],
  ['a permit for a new one', 'initial', (part) => (part.buffer(1), part.take(1)), false],
  ['a permit for a retry', 'retry', (part) => (part.wake(), part.take(1), part.claim()), false],
])('is idle while it has nothing: %s', (_what, part, change, idle) => {
  const queue = queueOf();
  change(queue.parts[part]);
  expect(queue.idle).toBe(idle);
});

it('is not idle while a delivery of it is being sent or recorded', () => {
  const queue = queueOf();
  const [part, attempt] = [queue.parts.initial, { part: 'initial' as const, since: 0 }];
  part.buffer(1);
  part.take(1);
  queue.begin(attempt);
  queue.end(attempt, { ok: true, durationMs: 1 });
  expect(queue.idle).toBe(false);
  queue.noteRecorded();
  expect(queue.idle).toBe(true);
});

it.each<[what: string, until: number, found: number | null]>([
  ['no pause', 0, null],
  ['a pause that is over', 5_000, null],
  ['a pause', 5_500, 5_500],
  // The clock was set back.
  ['a pause that is longer than a rate limit makes', 6_001, null],
])('%s', (_what, until, found) => {
  const queue = queueOf();
  queue.pause(until);
  expect(queue.pausedUntil(5_000)).toBe(found);
});
