import { expect, it } from 'vitest';
import { ceilingOf, pipelineFigures } from './pipeline-figures.ts';
import type { PipelineSample } from './pipeline-sample.ts';

const round = (eventsPerS: number, cpuUsPerEvent: number): PipelineSample => ({
  eventsPerS,
  acceptedPerS: eventsPerS,
  cpuUsPerEvent,
  memoryMb: 200,
  loadCpuUsPerEvent: 100,
  othersPercent: 0,
  p50MsHalf: eventsPerS / 1_000,
  p99MsHalf: eventsPerS / 100,
  bytesPerEvent: eventsPerS / 2,
});
const floors = (...sums: number[]) => sums.map((sum) => ({ http: sum / 2, insert: sum / 4, post: sum / 4 }));

// The machine halves its speed in the second round, and doubles it in the third.
const own = [round(2_000, 500), round(1_000, 1_000), round(4_000, 250)];

it('compares samples of the same round, whatever the machine does between rounds', () => {
  const samples = new Map([
    ['hubline', own],
    ['bullmq_undici', [round(1_000, 1_000), round(500, 2_000), round(2_000, 500)]],
    ['pgboss', [round(500, 900), round(200, 900), round(1_000, 900)]],
    ['hubline_batch', [round(3_000, 1), round(2_000, 1), round(4_000, 1)]],
  ]);
  expect(pipelineFigures(samples, floors(250, 400, 200), 2)).toEqual({
    ratio_bullmq_undici: 2,
    ratio_pgboss: 4,
    cpu_vs_bullmq_undici: 0.5,
    cpu_vs_floor: 2,
    ratio_batch: 1.5,
    bytes_per_event: 1_000,
    ceiling_events_per_s: 2_000_000 / 350,
    events_per_s: 2_000,
    p50_ms_half: 2,
    p99_ms_half: 20,
  });
});

it('has no figures without the server itself', () => {
  expect(pipelineFigures(new Map([['pgboss', own]]), floors(250, 400, 200), 2)).toEqual({});
});

it.each([
  [1, 2_500],
  [2, 5_000],
])('%i cores that do only what the floors and the load do make %i events a second', (cores, perS) => {
  expect(ceilingOf([round(1, 1)], floors(300), cores)).toBe(perS);
});
