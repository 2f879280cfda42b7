import { usageError } from '../errors.ts';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** `10/s`, `100/m` → milliseconds from one to the next; no rate is 0. */
export function parseRate(text: string | undefined): number {
  if (text === undefined) return 0;
  const [, count, unit] = /^(\d+(?:\.\d+)?)\/(s|m|h)$/.exec(text) ?? [];
  if (!Number(count))
    throw usageError(`--rate takes a rate; not "${text}".`, 'For example: --rate 10/s, or --rate 100/m');
  return UNIT_MS[unit as keyof typeof UNIT_MS] / Number(count);
}
