import { expect, it } from 'vitest';
import { FairOrder } from './fair-order.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const NOW = 1_000 * HOUR;
const FIRST = NOW - 600 * SECOND;

it('the first jobs of all workspaces come before the second ones', () => {
  const order = new FairOrder();
  const next = (workspaceId: string, now = NOW) => order.next('work', workspaceId, now);
  expect([next('busy'), next('busy'), next('busy')]).toEqual([FIRST, FIRST + SECOND, FIRST + 2 * SECOND]);
  expect([next('quiet'), next('quiet')]).toEqual([FIRST, FIRST + SECOND]);
  expect(order.next('other work', 'busy', NOW)).toBe(FIRST);
});

it('a job is due at once, however many its workspace has', () => {
  const order = new FairOrder();
  const all = Array.from({ length: 1_000 }, () => order.next('work', 'busy', NOW));
  expect(all.at(-1)).toBe(NOW);
  expect(all).toEqual(all.toSorted((a, b) => a - b));
  // Also after the clock was set back.
  expect(order.next('work', 'busy', NOW - HOUR)).toBe(NOW - HOUR);
});

it('after a pause, a workspace is as good as new', () => {
  const order = new FairOrder();
  for (let count = 0; count < 100; count += 1) order.next('work', 'busy', NOW);
  expect(order.next('work', 'busy', NOW + HOUR)).toBe(FIRST + HOUR);
});

it('remembers a bounded number of workspaces: those that had a job last', () => {
  const order = new FairOrder();
  order.next('work', 'first', NOW);
  for (let count = 1; count < 10_000; count += 1) order.next('work', `ws_${count}`, NOW);
  expect(order.next('work', 'first', NOW)).toBe(FIRST + SECOND);
  order.next('work', 'one more', NOW);
  expect(order.next('work', 'first', NOW)).toBe(FIRST + 2 * SECOND);
  expect(order.next('work', 'ws_1', NOW)).toBe(FIRST);
});
