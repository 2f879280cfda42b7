import { median, medianRatio } from './statistics.ts';

/** The speed and the cost of one round of equal pieces of work, such as deliveries. */
export interface Throughput {
  perS: number;
  /** CPU time of one, in microseconds. */
  cpuUs: number;
}

/** Rounds of Hubline, and those of another program that did the same at about the same time. */
export interface Rounds {
  own: readonly Throughput[];
  bare: readonly Throughput[];
}

/** CPU time of one of `count` pieces of work, in microseconds. */
export const cpuUsEach = (cpuMs: number, count: number): number => (cpuMs * 1_000) / count;

/** The throughput of `count` pieces of work that together took so much time, and CPU time. */
export const throughputOf = (
  count: number,
  { tookUs, cpuMs }: { tookUs: number; cpuMs: number },
): Throughput => ({
  perS: count / (tookUs / 1_000_000),
  cpuUs: cpuUsEach(cpuMs, count),
});

export const medianOf = (rounds: readonly Throughput[], key: keyof Throughput): number =>
  median(rounds.map((round) => round[key]));

/** The speed of Hubline in relation to the other, in the middle round. */
export const speedRatio = ({ own, bare }: Rounds): number =>
  medianRatio(
    own.map(({ perS }) => perS),
    bare.map(({ perS }) => perS),
  );

/** The columns of a table: the speed of both, then the CPU time of both. */
export const throughputColumns = ({ own, bare }: Rounds): number[] => [
  medianOf(own, 'perS'),
  medianOf(bare, 'perS'),
  medianOf(own, 'cpuUs'),
  medianOf(bare, 'cpuUs'),
];
