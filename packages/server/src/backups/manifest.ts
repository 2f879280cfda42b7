import { z } from 'zod';

/** The description that is written beside a backup when it is complete. A backup without a manifest does not count. */
const manifestSchema = z.object({
  /** ISO 8601. Everything stored before this time is in the backup. */
  taken_at: z.string(),
  bytes: z.int(),
  /** Hash of the file, in hexadecimal. */
  sha256: z.string(),
  /** The newest migration of its schema. */
  schema: z.string(),
  /** The master key that opens its secrets, by the ID that `server rotate-key` shows. */
  key_id: z.string(),
  /** Rows of the largest tables. */
  rows: z.record(z.string(), z.int()),
});

export type Manifest = z.output<typeof manifestSchema>;

const SUFFIX = '.json';
const NAME = /^hubline-([0-9a-f]{6})-\d{8}T\d{9}Z\.db$/;

/**
 * Two keys in `meta`: the name of its series of backups, and the result of the last attempt, which
 * outlives a restart.
 */
export const [SERIES_META_KEY, STATE_META_KEY] = ['backup_series', 'backup_state'] as const;

/**
 * Names a backup. `series` belongs to the database: several servers can share a destination and never remove each
 * other's backups.
 */
export function nameOf(series: string, takenAt: Date): string {
  return `hubline-${series}-${takenAt.toISOString().replaceAll(/[-:.]/g, '')}.db`;
}

/** The series of a backup; `null` for a file of another name. */
export const seriesOf = (name: string): string | null => NAME.exec(name)?.[1] ?? null;

export const manifestOf = (name: string): string => `${name}${SUFFIX}`;

/** The backup that a file is the manifest of; `null` for any other file. */
export function backupOf(file: string): string | null {
  const name = file.endsWith(SUFFIX) ? file.slice(0, -SUFFIX.length) : '';
  return seriesOf(name) === null ? null : name;
}

/** Reads a manifest; `null` if it is damaged. */
export function parseManifest(text: string): Manifest | null {
  try {
    return manifestSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
