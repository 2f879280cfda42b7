import { expect, it } from 'vitest';
import { WaitList } from './wait-list.ts';
import { keyOf, type WaitingPart, WebhookQueue } from './webhook-queue.ts';

const BOUNDS = { initial: 4, max: 4 };

/** `a1`: the first webhook of workspace a. */
const part = (name: string): WaitingPart =>
  new WebhookQueue(keyOf({ id: name, workspaceId: name.slice(0, 1) }), BOUNDS).parts.initial;
const [a1, a2, b1] = [part('a1'), part('a2'), part('b1')];

/** The webhooks whose turn comes, one workspace after the other. */
const inTurn = (list: WaitList) =>
  Array.from({ length: list.workspaces }, () => [...list.next()].map(({ queue }) => queue.webhookId));

it.each<[what: string, acts: (list: WaitList) => void, expected: string[][], parked: boolean]>([
  ['nobody waits at first', () => {}, [], false],
  [
    'workspaces take turns, and so do their webhooks',
    (list) => [a1, b1, a2].forEach((each) => list.add(each)),
    [['a1', 'a2'], ['b1']],
    false,
  ],
  [
    'one that waits already keeps its position',
    (list) => [a1, a2, a1].forEach((each) => list.add(each)),
    [['a1', 'a2']],
    false,
  ],
  [
    'after a turn it waits behind the others',
    (list) => [list.add(a1), list.add(a2), list.addAgain(a1)],
    [['a2', 'a1']],
    false,
  ],
  [
    'a parked slow one stays parked, even if more comes',
    (list) => [list.park(a1, 'slow'), list.add(a1)],
    [],
    true,
  ],
  [
    'parked retries stay parked, even if more come',
    (list) => [list.park(a1, 'retry'), list.add(a1)],
    [],
    true,
  ],
  [
    'parked ones get their turn, for the permits that there are now',
    (list) => [list.park(a1, 'slow'), list.park(b1, 'retry'), list.unpark('retry', 9)],
    [['b1']],
    true,
  ],
  [
    'parked workspaces take turns, too',
    (list) => [
      ...[a1, a2, b1].map((each) => list.park(each, 'retry')),
      list.unpark('retry', 2),
      list.leave(a2),
    ],
    [['a1'], ['b1']],
    false,
  ],
  ['a blocked one has no turn, even if more comes', (list) => [list.block(a1), list.add(a1)], [], false],
  ['a blocked one waits again', (list) => [list.block(a1), list.unblock(a1)], [['a1']], false],
  ['one that is not blocked is not added by unblock', (list) => list.unblock(a1), [], false],
  [
    'one that leaves waits nowhere, and is not unblocked later',
    (list) => [
      list.block(a1),
      list.park(a2, 'slow'),
      list.park(b1, 'retry'),
      ...[a1, a2, b1].map((each) => list.leave(each)),
      list.unblock(a1),
    ],
    [],
    false,
  ],
])('%s', (_what, acts, expected, parked) => {
  const list = new WaitList();
  acts(list);
  expect(inTurn(list)).toEqual(expected);
  expect(list.isAnyoneWaiting).toBe(parked || expected.length > 0);
});
