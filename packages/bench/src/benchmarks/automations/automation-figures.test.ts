import { expect, it } from 'vitest';
import { automationFigures, type AutomationSample } from './automation-figures.ts';

const rounds = (...cpuUs: number[]): AutomationSample[] => cpuUs.map((us) => ({ perS: 1e6 / us, cpuUs: us }));

it('compares each scenario with its floor in the same round', () => {
  const { figures } = automationFigures({
    none: rounds(100, 200, 400),
    '10 unmatched': rounds(101, 202, 404),
    '100 unmatched': rounds(110, 220, 440),
    '1 matched': rounds(150, 500, 600),
    '10 matched': rounds(300, 600, 1_200),
    '100 matched': rounds(3_000, 6_000, 12_000),
    '10,000 stored': rounds(110, 220, 440),
    '10,000 waiting': rounds(110, 220, 440),
  });
  expect(figures).toEqual({
    events_per_s: 5_000,
    cpu_us: 200,
    ratio_10_unmatched: 1.01,
    ratio_100_unmatched: 1.1,
    ratio_1_matched: 1.5,
    ratio_10_matched: 3,
    ratio_100_matched: 30,
    ratio_10000_waiting: 1,
  });
});
