import { usageError } from '../errors/errors.ts';
import type { Command } from '../spec/command.ts';
import type { Flag } from '../spec/flag.ts';
import type { Globals } from '../spec/global-flags.ts';
import { parseDuration } from '../spec/parse-value.ts';

/**
 * Refuses a duration as the time in a write with an idempotency key: it means a different time in each run, so the server would take a
 * retry for another request.
 */
export function refuseMovingTime(
  { list, live, export: exports, flags = {} }: Command,
  { idempotencyKey }: Pick<Globals, 'idempotencyKey'>,
  { name, text }: { name: string; text: string },
): void {
  if (idempotencyKey === undefined || (list ?? live ?? exports)) return;
  if (!isTime(flags[name]) || parseDuration(text) === undefined) return;
  throw usageError(
    `--${name} ${text} means a different time in each run, so --idempotency-key could not recognize a retry.`,
    `Give --${name} a fixed time, such as 2026-12-31T12:00:00Z.`,
  );
}

const isTime = (flag: Flag | undefined): boolean => flag?.type === 'time' || flag?.type === 'later';
