import type { Call } from './witness.process.ts';

/**
 * Something that happens to one of several processes, or to the database under them: killed, stopped and continued, its connections ended,
 * its connections silent; all connections terminated, PostgreSQL restarted, the disk of PostgreSQL full.
 */
export type Blow = 'kill' | 'freeze' | 'sever' | 'silence' | 'cut' | 'restart' | 'full';

/** A blow, in milliseconds since the epoch. */
export interface Hit {
  blow: Blow;
  begun: number;
  ended: number;
}

// Blows under which nobody can store or send anything.
const OF_THE_DATABASE: ReadonlySet<Blow> = new Set(['cut', 'restart', 'full']);
// An attempt and its record, and the second that a process has to itself for what it has stored.
const AROUND_MS = 1_500;
// The first two delays of the schedule. Specification, "Delivery"
const DELAYS_S = [5, 25];

/**
 * By how many milliseconds of the servers' time retries came after their time: the 99th in a hundred, the latest, and the latest among
 * those that no blow can have caught while they were under way.
 */
export function latenessOf(
  calls: readonly Call[],
  { speed, hits }: { speed: number; hits: readonly Hit[] },
): { p99: number; max: number; unhit: number } {
  const late: number[] = [];
  let unhit = 0;
  for (const made of Map.groupBy(calls, ({ id }) => id).values())
    for (const { attempt, at } of made) {
      const before = made.filter((one) => one.attempt === attempt - 1).at(-1);
      const delay = DELAYS_S[attempt - 2];
      if (!before || delay === undefined) continue;
      const due = before.at + (delay * 1_000) / speed;
      late.push((at - due) * speed);
      if (!hits.some((hit) => catches(hit, { made: before.at, due })))
        unhit = Math.max(unhit, (at - due) * speed);
    }
  late.sort((a, b) => a - b);
  return { p99: late[Math.floor(late.length * 0.99)] ?? 0, max: late.at(-1) ?? 0, unhit };
}

/**
 * A blow can catch an attempt whose result is being recorded, after which its retry is due later, and a retry that is due shortly before; one of the database
 * also a retry that is due until it is over.
 */
function catches({ blow, begun, ended }: Hit, { made, due }: { made: number; due: number }): boolean {
  if (Math.abs(made - begun) <= AROUND_MS) return true;
  const until = OF_THE_DATABASE.has(blow) ? ended + AROUND_MS : begun;
  return due >= begun - AROUND_MS && due <= until;
}
