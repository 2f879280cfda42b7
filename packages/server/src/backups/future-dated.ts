import type { StoredBackup } from './destinations/destination.ts';

// The clocks of machines that share a destination differ by less than this.
const AHEAD_MS = 24 * 60 * 60_000;

/** Reports whether a backup is dated so far in the future that a clock must have been wrong. */
export const isFutureDated = (takenAt: string, now: Date): boolean =>
  Date.parse(takenAt) - now.getTime() > AHEAD_MS;

/** Moves backups that are dated in the future behind all others. Otherwise they would be the latest for years. */
export const futureDatedLast = (newestFirst: readonly StoredBackup[], now: Date): StoredBackup[] => [
  ...newestFirst.filter((backup) => !isFutureDated(backup.taken_at, now)),
  ...newestFirst.filter((backup) => isFutureDated(backup.taken_at, now)),
];
