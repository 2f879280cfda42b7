import type { Random } from '../random.ts';

/** Chance and time, as a tool sees them when something happens in it. */
export interface Moment {
  random: Random;
  now: Date;
}

/** A webhook call as a tool sends it. What proves its origin is left out: nobody outside takes part. */
export interface ToolCall {
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** A connected tool in which things happen. */
export type Tool = (moment: Moment) => ToolCall;

// The company began to count then.
const FIRST_DAY = Date.parse('2026-09-01');

/** A number that grows with time, as the numbers of issues and builds do. */
export const countAt = ({ now }: Moment, { from, everyMinutes }: { from: number; everyMinutes: number }) =>
  from + Math.max(0, Math.floor((now.getTime() - FIRST_DAY) / (everyMinutes * 60_000)));
