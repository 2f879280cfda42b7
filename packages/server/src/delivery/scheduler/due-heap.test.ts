import { describe, expect, it } from 'vitest';
import { DueHeap } from './due-heap.ts';

const heapOf = (times: readonly number[]) => {
  const heap = new DueHeap<string>();
  for (const [index, at] of times.entries()) heap.push(at, `${at}#${index}`);
  return heap;
};
const popAll = (heap: DueHeap<string>, now: number) => {
  const popped: number[] = [];
  for (let entry = heap.popDue(now); entry; entry = heap.popDue(now)) {
    expect(entry.item.split('#')[0]).toBe(String(entry.at));
    popped.push(entry.at);
  }
  return popped;
};

describe('due items come out in the order of their times', () => {
  it.each<[times: number[], now: number, due: number[], earliest: number | null]>([
    [[], 5, [], null],
    [[5], 4, [], 5],
    [[5], 5, [5], null],
    [[3, 1, 2], 9, [1, 2, 3], null],
    [[3, 1, 2], 2, [1, 2], 3],
    [[9, 8, 7, 6, 5, 4, 3, 2, 1], 4, [1, 2, 3, 4], 5],
    [[1, 2, 3, 4, 5, 6, 7], 3, [1, 2, 3], 4],
    [[2, 2, 1, 2], 2, [1, 2, 2, 2], null],
    [[-5, 0, Number.POSITIVE_INFINITY], 1, [-5, 0], Number.POSITIVE_INFINITY],
  ])('%j at %d: %j', (times, now, due, earliest) => {
    const heap = heapOf(times);
    expect(popAll(heap, now)).toEqual(due);
    expect(heap.earliest).toBe(earliest);
  });
});

it('gives the order of a sort, in whatever order items come and go', () => {
  const heap = new DueHeap<string>();
  let sorted: number[] = [];
  // Numbers that look random, the same in every run.
  let state = 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647) % 1_000;
  for (let step = 0; step < 2_000; step += 1) {
    const at = next();
    heap.push(at, `${at}#${step}`);
    sorted.push(at);
    if (step % 7 !== 0) continue;
    sorted.sort((a, b) => a - b);
    const now = next();
    expect(popAll(heap, now)).toEqual(sorted.filter((each) => each <= now));
    sorted = sorted.filter((each) => each > now);
    expect(heap.earliest).toBe(sorted[0] ?? null);
  }
});
