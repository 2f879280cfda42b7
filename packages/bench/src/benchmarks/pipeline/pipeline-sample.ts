import { cpuUsEach } from '../../throughput.ts';

/** The result of one contender in one round. */
export interface PipelineSample {
  /** Events per second, from the first one accepted to the last one received and recorded. */
  eventsPerS: number;
  acceptedPerS: number;
  cpuUsPerEvent: number;
  memoryMb: number;
  /** The cost of the load itself: the generator and the receiver. */
  loadCpuUsPerEvent: number;
  /** The share of the machine's CPU time that neither the contender nor the load used, in percent. */
  othersPercent: number;
  /** Time from ingest to delivered, at half of `eventsPerS`, or at the rate of the plan. */
  p50MsHalf: number;
  p99MsHalf: number;
  /** The growth of the contender's database file; `NaN` for contenders without one. */
  bytesPerEvent: number;
}

/** The readings of a round at full speed. */
interface Readings {
  events: number;
  /** The number of cores of the machine. */
  cores: number;
  /** From the first event accepted to the last one recorded. */
  seconds: number;
  acceptedUs: number;
  /** CPU time of the contender, of the load, and of all other processes of the machine. */
  cpuMs: number;
  loadCpuMs: number;
  othersCpuMs: number;
}

/** The figures of a round that follow from its readings. */
export const figuresOf = ({ events, cores, seconds, ...readings }: Readings) => ({
  eventsPerS: events / seconds,
  acceptedPerS: events / (readings.acceptedUs / 1_000_000),
  cpuUsPerEvent: cpuUsEach(readings.cpuMs, events),
  loadCpuUsPerEvent: cpuUsEach(readings.loadCpuMs, events),
  // The clocks of the machine and of processes tick at different times, so the difference can be below zero.
  othersPercent: Math.max(0, (readings.othersCpuMs / (seconds * 1_000 * cores)) * 100),
});
