import { Fault } from '../domain/faults/fault.ts';

/**
 * The end of the overlap that a new secret begins; `null` for none. Refuses one during another: only two secrets are valid at a time, so
 * programs that have the oldest would be refused before the time that was promised.
 */
export function overlapUntil(
  { previous_until: earlier }: { previous_until: string | null },
  seconds: number,
  now: Date,
): string | null {
  if (seconds === 0) return null;
  if (earlier !== null && earlier > now.toISOString()) {
    const issue = `must be 0 until ${earlier}, when the overlap of the last change ends; wait for that, or choose 0, which ends both older secrets at once`;
    throw new Fault('conflict', `overlap_seconds ${issue}.`, {
      details: [{ field: 'overlap_seconds', issue }],
    });
  }
  return new Date(now.getTime() + seconds * 1_000).toISOString();
}
