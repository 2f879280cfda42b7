import type { Random } from '../random.ts';

/** The random numbers and the time for something that happens in a tool. */
export interface ToolMoment {
  random: Random;
  now: Date;
}

/** A webhook call as a tool sends it, without a signature or token. */
export interface ToolCall {
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** A connected tool in which things happen. */
export type Tool = (moment: ToolMoment) => ToolCall;

// The start of the company's numbering.
const FIRST_DAY = Date.parse('2026-09-01');

/** A number that grows with time, as the numbers of issues and builds do. */
export const countAt = (
  { now }: ToolMoment,
  { from, everyMinutes }: { from: number; everyMinutes: number },
) => from + Math.max(0, Math.floor((now.getTime() - FIRST_DAY) / (everyMinutes * 60_000)));
