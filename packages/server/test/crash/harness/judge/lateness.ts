import { LIMITS } from '@hubline/contract';
import type { Call } from '../witness.process.ts';

/**
 * Something that happens to one of several processes, or to the database under them. A process is killed, is stopped
 * and continued, or its connections are ended or fall silent. For the database, all connections are terminated,
 * PostgreSQL is restarted, or its disk is full.
 */
export type InjectedFault = 'kill' | 'freeze' | 'sever' | 'silence' | 'cut' | 'restart' | 'full';

/** A fault and its times, in milliseconds since the epoch. */
export interface Hit {
  fault: InjectedFault;
  begun: number;
  ended: number;
}

/** The lateness of retries, in milliseconds of the servers' clock. */
export interface Lateness {
  /** The 99th percentile, and the maximum. */
  p99: number;
  max: number;
  /** The most by which a retry or a repeated call missed its promised time; negative if every promise was kept. */
  beyond: number;
  /** A description of the worst one, to find its cause: its attempts and the faults, in seconds relative to its call. */
  worst: string;
}

// The promised maximum, from the time at which a process can make the retry. A dead process is noticed within it.
const PROMISE_MS = 2_000;
// The time after which a silent process counts as dead: ten seconds and two heartbeats. By then, the database has ended
// its transaction, too.
const SILENT_MS = 11_000;
// The time to connect again, and to store again what could not be stored.
const BACK_MS = 2_000;
// The time for a call and its record.
const CALL_MS = 1_500;
// The first two delays of the schedule after an attempt. Specification, "Delivery" 4
const DELAYS_MS = LIMITS.retryDelaysMs.slice(1, 3);

// Faults that a process survives.
const PAUSES: ReadonlySet<InjectedFault> = new Set(['freeze', 'sever', 'silence']);

/** The time at which the harm of a fault is over, for attempts that were under way or became due in the meantime. */
const OVER = {
  kill: ({ begun }) => begun,
  sever: ({ begun }) => begun,
  freeze: ({ begun }) => begun + SILENT_MS,
  silence: ({ begun }) => begun + SILENT_MS,
  cut: ({ ended }) => ended + BACK_MS,
  restart: ({ ended }) => ended + BACK_MS,
  full: ({ ended }) => ended + BACK_MS,
} satisfies Record<InjectedFault, (hit: Hit) => number>;

/** Measures how late retries came, and how late interrupted calls were repeated after the fault. */
export function latenessOf(
  calls: readonly Call[],
  { speed, hits }: { speed: number; hits: readonly Hit[] },
): Lateness {
  const late: number[] = [];
  let beyond = Number.NEGATIVE_INFINITY;
  let worst = '';
  for (const made of Map.groupBy(calls, ({ id }) => id).values())
    for (const [index, { attempt, at }] of made.entries()) {
      const earlier = made.slice(0, index);
      const same = earlier.findLast((one) => one.attempt === attempt);
      const before = earlier.findLast((one) => one.attempt === attempt - 1);
      const delay = DELAYS_MS[attempt - 2];
      const delayMs = (delay ?? 0) / speed;
      if (!same && before && delay !== undefined) late.push((at - before.at - delayMs) * speed);
      let by = Number.NEGATIVE_INFINITY;
      if (same) by = at - promisedAgain(hits, { calledAt: same.at, at });
      else if (before && delay !== undefined) by = at - promised(hits, { calledAt: before.at, delayMs });
      if (by <= beyond) continue;
      beyond = by;
      worst = describe(made, hits, at);
    }
  late.sort((a, b) => a - b);
  return {
    p99: late[Math.floor(late.length * 0.99)] ?? 0,
    max: late.at(-1) ?? 0,
    beyond: beyond * speed,
    worst,
  };
}

function describe(made: readonly Call[], hits: readonly Hit[], at: number): string {
  const since = (time: number) => ((time - at) / 1_000).toFixed(1);
  const calls = made.map((one) => `attempt ${one.attempt} at ${since(one.at)}`);
  return [
    ...calls,
    ...hits.map(({ fault, begun, ended }) => `${fault} from ${since(begun)} to ${since(ended)}`),
  ].join(', ');
}

/** Reports whether a fault affected something that happened at that time. */
const meets = (hit: Hit, at: number) =>
  at >= hit.begun - CALL_MS && at <= Math.max(hit.begun, OVER[hit.fault](hit));

/**
 * The time at which something that began at `at` is no longer held up. One fault may come before the harm of another is
 * over.
 */
function freeFrom(hits: readonly Hit[], at: number): number {
  let time = at;
  for (const hit of hits) if (meets(hit, time)) time = Math.max(time, OVER[hit.fault](hit));
  return time;
}

/** The latest time for a retry of an attempt. */
function promised(
  hits: readonly Hit[],
  { calledAt, delayMs }: { calledAt: number; delayMs: number },
): number {
  // The death of a process is noticed within the promise, and a call whose result it has not stored is made again.
  const others = hits.filter(({ fault }) => fault !== 'kill');
  return freeFrom(others, freeFrom(others, calledAt) + delayMs) + PROMISE_MS;
}

/**
 * The latest time for repeating the call of an attempt. Infinity if no fault interrupted the first call, or if this call
 * began before a fault and continues.
 */
function promisedAgain(hits: readonly Hit[], { calledAt, at }: { calledAt: number; at: number }): number {
  const goesOn = hits.some(({ fault, ended }) => PAUSES.has(fault) && Math.abs(at - ended) <= CALL_MS);
  if (goesOn || !hits.some((hit) => meets(hit, calledAt))) return Number.POSITIVE_INFINITY;
  return freeFrom(hits, calledAt) + PROMISE_MS;
}
