import { expect, it } from 'vitest';
import { Lane } from './lane.ts';
import { StandbyRoom } from './standby-room.ts';

const MIB = 1024 * 1024;
const laneOf = (webhookId: string) => new Lane({ workspaceId: 'a', webhookId }, { first: 4, most: 64 });
const takeAll = (room: StandbyRoom, lane: Lane, { most, bytes }: { most: number; bytes: number }) => {
  let taken = 0;
  while (taken < most && room.take(lane, bytes)) taken += 1;
  return taken;
};

it.each<[what: string, webhooks: number, each: number, bytes: number, taken: number]>([
  ['of one webhook at most 256', 1, 1_000, 1, 256],
  ['of all of them at most 16,384', 100, 256, 1, 16_384],
  ['together at most 32 MiB', 4, 256, MIB, 32],
  ['one of exactly 32 MiB', 1, 2, 32 * MIB, 1],
  ['none above 32 MiB', 1, 1, 32 * MIB + 1, 0],
  ['without a payload as many as with one', 2, 256, 0, 512],
])('there is room for %s', (_what, webhooks, each, bytes, taken) => {
  const room = new StandbyRoom();
  const lanes = Array.from({ length: webhooks }, (_, index) => laneOf(`w${index}`));
  const counts = lanes.map((lane) => takeAll(room, lane, { most: each, bytes }));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(taken);
  expect(lanes.map(({ admitted }) => admitted)).toEqual(counts);
  expect(room.empty).toBe(taken === 0);
});

it('what is given back can be taken again, by others too', () => {
  const room = new StandbyRoom();
  const [one, other] = [laneOf('one'), laneOf('other')];
  expect([room.take(one, 20 * MIB), room.take(other, 20 * MIB)]).toEqual([true, false]);
  room.giveBack(one, 20 * MIB);
  expect([one.admitted, one.idle, room.empty]).toEqual([0, true, true]);
  expect([room.take(other, 20 * MIB), other.idle]).toEqual([true, false]);
});
