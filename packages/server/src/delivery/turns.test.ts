import { expect, it } from 'vitest';
import { Lane } from './lane.ts';
import { Turns } from './turns.ts';

const queue = (workspaceId: string, webhookId: string) =>
  new Lane({ workspaceId, webhookId }, { first: 4, most: 64 }).queues.first;
const namesOf = (queues: Iterable<{ lane: Lane }>) => [...queues].map(({ lane }) => lane.webhookId);

it('workspaces take turns, however many webhooks each has', () => {
  const turns = new Turns();
  for (const name of ['a1', 'a2', 'a3']) turns.add(queue('a', name));
  turns.add(queue('b', 'b1'));
  expect(turns.workspaces).toBe(2);
  const order = Array.from({ length: 4 }, () => namesOf(turns.next()));
  expect(order).toEqual([['a1', 'a2', 'a3'], ['b1'], ['a1', 'a2', 'a3'], ['b1']]);
});

it('a queue has its turn once, and none when it has left', () => {
  const turns = new Turns();
  const [one, other] = [queue('a', 'a1'), queue('a', 'a2')];
  turns.add(one);
  turns.add(one);
  turns.add(other);
  turns.delete(one);
  turns.delete(one);
  expect(namesOf(turns.next())).toEqual(['a2']);
  turns.delete(other);
  expect(turns.workspaces).toBe(0);
  expect(namesOf(turns.next())).toEqual([]);
  // One that comes back takes its place behind the others.
  turns.add(other);
  turns.add(one);
  expect(namesOf(turns.next())).toEqual(['a2', 'a1']);
});

it('at most half of the places of a webhook are for what is sent again', () => {
  const lane = new Lane({ workspaceId: 'a', webhookId: 'a1' }, { first: 4, most: 8 });
  expect([lane.free('first'), lane.free('again')]).toEqual([4, 2]);
  lane.queues.again.held = 2;
  expect([lane.free('first'), lane.free('again')]).toEqual([2, 0]);
  lane.queues.first.held = 2;
  expect(lane.free('first')).toBe(0);
  for (let index = 0; index < 9; index += 1) lane.learn({ ok: true, durationMs: 5 });
  expect([lane.free('first'), lane.free('again')]).toEqual([4, 2]);
});

it('a webhook is kept in memory for as long as something of it is waited for', () => {
  const lane = new Lane({ workspaceId: 'a', webhookId: 'a1' }, { first: 4, most: 8 });
  const { first, again } = lane.queues;
  expect(lane.idle).toBe(true);
  const busy: [() => void, () => void][] = [
    [() => (lane.working += 1), () => (lane.working -= 1)],
    [() => (again.held += 1), () => (again.held -= 1)],
    [() => (first.dueAt = 5), () => (first.dueAt = Number.POSITIVE_INFINITY)],
    [() => (again.ready = true), () => (again.ready = false)],
    [() => (first.blocked = true), () => (first.blocked = false)],
  ];
  for (const [begin, end] of busy) {
    begin();
    expect(lane.idle).toBe(false);
    end();
    expect(lane.idle).toBe(true);
  }
});
