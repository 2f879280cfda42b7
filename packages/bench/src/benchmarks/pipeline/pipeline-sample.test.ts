import { expect, it } from 'vitest';
import { figuresOf } from './pipeline-sample.ts';

const readings = {
  events: 4_000,
  cores: 2,
  seconds: 2,
  acceptedUs: 1_000_000,
  cpuMs: 2_400,
  loadCpuMs: 800,
  othersCpuMs: 400,
};
const figures = {
  eventsPerS: 2_000,
  acceptedPerS: 4_000,
  cpuUsPerEvent: 600,
  loadCpuUsPerEvent: 200,
  othersPercent: 10,
};

it.each([
  ['all readings', {}, {}],
  ['more cores, of which others used less', { cores: 8 }, { othersPercent: 2.5 }],
  ['clocks that disagree', { othersCpuMs: -10 }, { othersPercent: 0 }],
])('the figures of a round with %s', (_, changed, expected) => {
  expect(figuresOf({ ...readings, ...changed })).toEqual({ ...figures, ...expected });
});
