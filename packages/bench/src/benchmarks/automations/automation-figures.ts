import type { Result } from '../../report/result.ts';
import { median, medianRatio } from '../../statistics.ts';

/** One round of a scenario. */
export interface AutomationSample {
  perS: number;
  cpuUs: number;
}

export const SCENARIOS = [
  'none',
  '10 unmatched',
  '100 unmatched',
  '1 matched',
  '10 matched',
  '100 matched',
  '10,000 stored',
  '10,000 waiting',
] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

/**
 * CPU time of an event with automations, as a multiple of that without any, round by round. Waiting runs are compared with the same
 * number of stored events that started none, because stored events cost something by themselves.
 */
export function automationFigures(
  samples: Readonly<Record<ScenarioName, readonly AutomationSample[]>>,
): Pick<Result, 'figures' | 'goals'> {
  const cpu = (name: ScenarioName) => samples[name].map(({ cpuUs }) => cpuUs);
  const against = (name: ScenarioName, floor: ScenarioName = 'none') => medianRatio(cpu(name), cpu(floor));
  return {
    figures: {
      events_per_s: median(samples.none.map(({ perS }) => perS)),
      cpu_us: median(cpu('none')),
      ratio_10_unmatched: against('10 unmatched'),
      ratio_100_unmatched: against('100 unmatched'),
      ratio_1_matched: against('1 matched'),
      ratio_10_matched: against('10 matched'),
      ratio_100_matched: against('100 matched'),
      ratio_10000_waiting: against('10,000 waiting', '10,000 stored'),
    },
    goals: {
      ratio_100_unmatched: { atMost: 1.15 },
      ratio_1_matched: { atMost: 2 },
      ratio_10000_waiting: { atMost: 1.05 },
    },
  };
}
