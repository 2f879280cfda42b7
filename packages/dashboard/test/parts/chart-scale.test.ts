// @vitest-environment node
import { expect, it } from 'vitest';
import { timeTicks, valueTicks } from '../../src/components/chart/chart-scale.ts';

const from = (start: string, count: number, stepMinutes: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(start) + at * stepMinutes * 60_000).toISOString(),
  );
const labels = (times: readonly string[]) => timeTicks(times).map(({ label }) => label);

it.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [110, [0, 50, 100, 150]],
  [1_143, [0, 500, 1_000, 1_500]],
])('divides a scale up to %d by round values', (highest, ticks) => {
  expect(valueTicks(highest, 1)).toEqual(ticks);
});

it.each([
  ['an hour', from('2026-01-02T03:04:00Z', 60, 1), ['03:10', '03:20', '03:30', '03:40', '03:50', '04:00']],
  ['a day', from('2026-01-02T06:15:00Z', 96, 15), ['08:00', '12:00', '16:00', '20:00', '3 Jan', '04:00']],
  [
    'a week',
    from('2026-01-02T06:00:00Z', 168, 60),
    ['3 Jan', '4 Jan', '5 Jan', '6 Jan', '7 Jan', '8 Jan', '9 Jan'],
  ],
])('labels %s at times that are round in the local time zone', (_, utc, expected) => {
  // The same local times in any time zone.
  const here = utc.map((time) => {
    const date = new Date(time);
    return new Date(date.getTime() + date.getTimezoneOffset() * 60_000).toISOString();
  });
  expect(labels(here)).toEqual(expected);
});
