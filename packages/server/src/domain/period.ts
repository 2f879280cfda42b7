const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
// A longer period is a typing mistake, although timers and dates could hold it.
const LONGEST_MS = 366 * UNIT_MS.d;

/** Milliseconds of a period such as `24h`, `90m` or `7d`; `null` for any other text, for zero, and for more than 366 days. */
export function periodMs(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit as keyof typeof UNIT_MS] ?? 0);
  return ms > 0 && ms <= LONGEST_MS ? ms : null;
}
