import { median, medianRatio } from '../../statistics.ts';
import { type Floors, sumOfFloors } from '../floors.ts';
import type { PipelineSample } from './pipeline-sample.ts';

/** The events per second at which the floors and the load alone would use all cores. */
export function ceilingOf(own: readonly PipelineSample[], floors: readonly Floors[], cores: number): number {
  const load = median(own.map(({ loadCpuUsPerEvent }) => loadCpuUsPerEvent));
  return (cores * 1_000_000) / (median(floors.map(sumOfFloors)) + load);
}

/** The figures of the benchmark. The ratios compare samples of the same round, which are close in time; their median counts. */
export function pipelineFigures(
  samples: ReadonlyMap<string, readonly PipelineSample[]>,
  floors: readonly Floors[],
  cores: number,
): Record<string, number> {
  const own = samples.get('hubline');
  if (!own) return {};
  const of = (samples: readonly PipelineSample[], key: keyof PipelineSample) =>
    samples.map((sample) => sample[key]);
  const ratios = (name: string, key: keyof PipelineSample): [string, number][] => {
    const peers = samples.get(name);
    return peers ? [[name, medianRatio(of(own, key), of(peers, key))]] : [];
  };
  const names = ['bullmq_undici', 'bullmq_undici_always', 'bullmq_fetch', 'pgboss', 'naive_full'];
  const speed = names.flatMap((name) => ratios(name, 'eventsPerS'));
  const cpu = ratios('bullmq_undici', 'cpuUsPerEvent');
  const batch = samples.get('hubline_batch');
  return {
    ...Object.fromEntries(speed.map(([name, value]) => [`ratio_${name}`, value])),
    ...Object.fromEntries(cpu.map(([name, value]) => [`cpu_vs_${name}`, value])),
    cpu_vs_floor: medianRatio(of(own, 'cpuUsPerEvent'), floors.map(sumOfFloors)),
    ...(batch && { ratio_batch: medianRatio(of(batch, 'eventsPerS'), of(own, 'eventsPerS')) }),
    bytes_per_event: median(own.map(({ bytesPerEvent }) => bytesPerEvent)),
    ceiling_events_per_s: ceilingOf(own, floors, cores),
    events_per_s: median(own.map(({ eventsPerS }) => eventsPerS)),
    p50_ms_half: median(own.map(({ p50MsHalf }) => p50MsHalf)),
    p99_ms_half: median(own.map(({ p99MsHalf }) => p99MsHalf)),
  };
}
