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

/** A number that grows with time, as the numbers of issues and builds do. */
export const countAt = ({ now }: Moment, { from, everyMinutes }: { from: number; everyMinutes: number }) =>
  from + (Math.floor(now.getTime() / (everyMinutes * 60_000)) % 100_000);
