import { ID_ALPHABET, idPattern } from '@hubline/contract';
import { expect, it } from 'vitest';
import { createIds } from './ids.ts';

const at = (...times: number[]) => {
  let call = 0;
  return () => new Date(times[Math.min(call++, times.length - 1)] ?? 0);
};

/** The first ten characters are the time. */
const timeOf = (id: string) =>
  Array.from(id.split('_')[1]?.slice(0, 10) ?? '', (letter) => ID_ALPHABET.indexOf(letter)).reduce(
    (time, digit) => time * 32 + digit,
    0,
  );

it.each([0, 1, 1_763_683_200_000, 2 ** 40 - 1, 2 ** 40, 2 ** 48 - 1])(
  'ids begin with the time, in milliseconds: %d',
  (time) => {
    const id = createIds(at(time))('event');
    expect(id).toMatch(idPattern('event'));
    expect(timeOf(id)).toBe(time);
  },
);

it('ids sort in the order of their creation, even within a millisecond and when the clock goes back', () => {
  const clock = at(1_000, ...Array<number>(5_000).fill(1_001), 500, 500, 1_002);
  const ids = createIds(clock);
  const made = Array.from({ length: 5_004 }, () => ids('delivery'));
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
  expect(made.map(timeOf)).toEqual([1_000, ...Array<number>(5_002).fill(1_001), 1_002]);
});

it('IDs of different processes differ, even at the same time', () => {
  const made = Array.from({ length: 1_000 }, () => createIds(at(1_000))('request'));
  expect(new Set(made).size).toBe(made.length);
});
