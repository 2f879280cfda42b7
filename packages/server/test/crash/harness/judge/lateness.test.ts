import { expect, it } from 'vitest';
import { type InjectedFault, latenessOf } from './lateness.ts';
import type { Call } from '../witness.process.ts';

const call = (attempt: number, seconds: number) => ({ id: 'dlv', attempt, at: seconds * 1_000 }) as Call;

/** The number of seconds by which the promise for these calls was broken. */
function beyond(calls: readonly Call[], fault?: InjectedFault, begun = 0, ended = begun): number {
  const hits = fault === undefined ? [] : [{ fault, begun: begun * 1_000, ended: ended * 1_000 }];
  return latenessOf(calls, { speed: 1, hits }).beyond / 1_000;
}

it.each<[string, number, Parameters<typeof beyond>]>([
  ['in time', -2, [[call(1, 0), call(2, 5)]]],
  ['late without a fault', 0.5, [[call(1, 0), call(2, 7.5)]]],
  ['claimed by a process that is killed then', 1.2, [[call(1, 0), call(2, 8.2)], 'kill', 5.2]],
  ['late, and due long before the kill', 3, [[call(1, 0), call(2, 10)], 'kill', 9]],
  ['made just before the kill, and due after it', 1, [[call(1, 0), call(2, 8)], 'kill', 0.5]],
  ['cut off by a kill, and made again', 1, [[call(1, 0), call(1, 3.2)], 'kill', 0.2]],
  [
    'cut off by a kill, made again, and due after that',
    0,
    [[call(1, 0), call(1, 2.2), call(2, 9.2)], 'kill', 0.2],
  ],
  ['claimed by a process that is frozen then', -1, [[call(1, 0), call(2, 17)], 'freeze', 5, 75]],
  ['late, and due after a frozen one was gone', 10, [[call(1, 20), call(2, 37)], 'freeze', 5, 75]],
  ['due while the database was away', -1, [[call(1, 0), call(2, 10)], 'restart', 4, 7]],
  [
    'of a result that was stored once the database was back',
    -1,
    [[call(1, 0), call(2, 13)], 'restart', 1, 5],
  ],
])('a retry %s', (_, seconds, input) => {
  expect(beyond(...input)).toBeCloseTo(seconds);
});
