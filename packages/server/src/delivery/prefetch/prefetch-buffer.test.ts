import { expect, it } from 'vitest';
import type { LeasedDelivery } from '../delivery-store.ts';
import { type Prefetched, PrefetchBuffer } from './prefetch-buffer.ts';

const MIB = 1024 * 1024;
const delivery = (webhookId: string, { seq = 0, bytes = 0, leaseEnd = 0 } = {}) =>
  ({
    delivery: { endpoint: { id: webhookId }, lease: { seq, token: 1 }, bytes } as LeasedDelivery,
    leaseEnd,
    offer: 1,
  }) satisfies Prefetched;
const seqsOf = (deliveries: readonly Prefetched[]) => deliveries.map((one) => one.delivery.lease.seq);
const bufferOf = (webhookId: string, leaseEnds: readonly number[]) => {
  const buffer = new PrefetchBuffer();
  for (const [seq, leaseEnd] of leaseEnds.entries()) buffer.add(delivery(webhookId, { seq, leaseEnd }));
  return buffer;
};

it.each<[what: string, webhooks: number, each: number, bytes: number, taken: number]>([
  ['of one webhook a sixteenth of what is free', 1, 2_000, 1, 964],
  ['at most 16,384 of all', 100, 256, 1, 16_384],
  ['at most 32 MiB together', 4, 256, MIB, 32],
  ['one of exactly 32 MiB', 1, 2, 32 * MIB, 1],
  ['none above 32 MiB', 1, 1, 32 * MIB + 1, 0],
  ['as many without bytes as with', 2, 256, 0, 512],
])('takes %s', (_what, webhooks, each, bytes, taken) => {
  const buffer = new PrefetchBuffer();
  const offered = Array.from({ length: webhooks * each }, (_, index) => `w${index % webhooks}`);
  const foretold = offered.filter((webhookId) => {
    const hasRoom = buffer.hasRoom(webhookId, bytes);
    return buffer.add(delivery(webhookId, { bytes })) === hasRoom;
  });
  expect(foretold).toHaveLength(offered.length);
  expect([buffer.items, buffer.used, buffer.refused]).toEqual([taken, taken * bytes, offered.length - taken]);
});

it('has room for 256 deliveries of one more webhook when little is free', () => {
  const buffer = new PrefetchBuffer();
  for (let index = 0; index < 60 * 256; index++) buffer.add(delivery(`w${index % 60}`));
  for (let index = 0; index < 1_000; index++) buffer.add(delivery('last'));
  expect(buffer.items).toBe(60 * 256 + 256);
});

it('has room for a backlog in half of it, as many as if all were as large as the last one that came, but at least one', () => {
  const buffer = new PrefetchBuffer({ bytes: 100_000 });
  expect(buffer.roomForBacklog).toBe(49);
  buffer.add(delivery('a', { bytes: 10_000 }));
  expect(buffer.roomForBacklog).toBe(4);
  buffer.add(delivery('a', { bytes: 200_000 }));
  expect([buffer.items, buffer.roomForBacklog]).toEqual([1, 1]);
  buffer.add(delivery('a', { bytes: 0 }));
  expect(buffer.roomForBacklog).toBe(8_190);
  buffer.add(delivery('a', { bytes: 40_000 }));
  expect([buffer.items, buffer.roomForBacklog]).toEqual([3, 0]);
});

it('gives out the oldest deliveries of a webhook first, and has their room again', () => {
  const buffer = new PrefetchBuffer({ bytes: 10 });
  for (const seq of [1, 2]) buffer.add(delivery('a', { seq, bytes: 4 }));
  expect(buffer.add(delivery('b', { seq: 3, bytes: 4 }))).toBe(false);
  expect(seqsOf(buffer.take('a', 1))).toEqual([1]);
  expect(buffer.add(delivery('b', { seq: 3, bytes: 4 }))).toBe(true);
  expect([seqsOf(buffer.take('a', 9)), seqsOf(buffer.take('b', 9)), seqsOf(buffer.take('c', 9))]).toEqual([
    [2],
    [3],
    [],
  ]);
  expect([buffer.items, buffer.used]).toEqual([0, 0]);
});

it('deliveries that are put back come first again, in their order', () => {
  const buffer = bufferOf('a', [0, 0, 0, 0]);
  buffer.putBack(buffer.take('a', 2));
  expect(seqsOf(buffer.take('a', 4))).toEqual([0, 1, 2, 3]);
  buffer.putBack([delivery('a', { seq: 7, bytes: 5 })]);
  expect([buffer.items, buffer.used]).toEqual([1, 5]);
});

it.each<[moment: number | undefined, taken: number[], left: number[]]>([
  [10, [], [0, 1, 2]],
  [11, [0], [1, 2]],
  [30, [0, 1], [2]],
  [undefined, [0, 1, 2], []],
])('of leases that end before %s, it gives up %j and keeps %j', (moment, taken, left) => {
  const buffer = bufferOf('a', [10, 20, 30]);
  expect(seqsOf(buffer.takeLeasedUntil(moment))).toEqual(taken);
  expect(seqsOf(buffer.take('a', 9))).toEqual(left);
});
