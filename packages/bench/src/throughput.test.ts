import { expect, it } from 'vitest';
import { type Throughput, throughputColumns, throughputOf, speedRatio } from './throughput.ts';

it.each<[count: number, tookUs: number, cpuMs: number, throughput: Throughput]>([
  [1, 1_000_000, 1, { perS: 1, cpuUs: 1_000 }],
  [10_000, 2_000_000, 3_000, { perS: 5_000, cpuUs: 300 }],
  // Two threads use more CPU time than has passed.
  [500, 250_000, 500, { perS: 2_000, cpuUs: 1_000 }],
])('%i that took %i µs and %i ms of CPU time', (count, tookUs, cpuMs, throughput) => {
  expect(throughputOf(count, { tookUs, cpuMs })).toEqual(throughput);
});

// The machine halves its speed in the second round, and doubles it in the third.
const rounds = {
  own: [
    { perS: 300, cpuUs: 20 },
    { perS: 150, cpuUs: 40 },
    { perS: 600, cpuUs: 10 },
  ],
  bare: [
    { perS: 400, cpuUs: 15 },
    { perS: 100, cpuUs: 30 },
    { perS: 800, cpuUs: 5 },
  ],
};

it('compares speeds of the same round, whatever the machine does between rounds', () => {
  expect(speedRatio(rounds)).toBe(0.75);
});

it('has the medians of both: first the speeds, then the CPU times', () => {
  expect(throughputColumns(rounds)).toEqual([300, 400, 20, 15]);
});
