import { expect, it } from 'vitest';
import { renderResult } from './print.ts';
import type { Goal } from './result.ts';

/** The printed line of a figure, without the space around it. */
function lineOf(value: number, goal?: Goal): string {
  const goals = goal ? { figure: goal } : {};
  const printed = renderResult({ tables: [], notes: [], figures: { figure: value }, goals });
  return printed.split('\n').at(-1)?.trim().replaceAll(/ +/g, ' ') ?? '';
}

it.each<[value: number, goal: Goal | undefined, line: string]>([
  [2.5, { atLeast: 2.5 }, 'figure 2.5 >= 2.5 met'],
  [2.4999, { atLeast: 2.5 }, 'figure 2.5 >= 2.5 MISSED'],
  [1.2, { atMost: 1.2 }, 'figure 1.2 <= 1.2 met'],
  [1.3, { atMost: 1.2 }, 'figure 1.3 <= 1.2 MISSED'],
  [0, { atMost: 0 }, 'figure 0 <= 0 met'],
  [1, { atMost: 0 }, 'figure 1 <= 0 MISSED'],
  // A figure that could not be measured meets no goal.
  [Number.NaN, { atMost: 1 }, 'figure NaN <= 1 MISSED'],
  [Number.NaN, { atLeast: 1 }, 'figure NaN >= 1 MISSED'],
  [1_234.56, undefined, 'figure 1235'],
  [12.345, undefined, 'figure 12.3'],
  [0.000_123_4, undefined, 'figure 0.000123'],
])('%d with the goal %j', (value, goal, line) => {
  expect(lineOf(value, goal)).toBe(line);
});

it('columns are aligned, numbers on the right and texts on the left', () => {
  const table = {
    title: 'Title',
    columns: ['name', 'n'],
    rows: [['a', 1] as const, ['longer', 200] as const],
  };
  const printed = renderResult({ tables: [table], notes: ['what to know'], figures: {}, goals: {} });
  expect(printed).toMatch(
    /^Title\n  name      n\n  a         1\n  longer  200\n\nFigures\n  key  value  goal\n\nNote: what to know$/,
  );
});
