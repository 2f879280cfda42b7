import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ServerConfig } from '../config/config.ts';
import { isInS3 } from './destinations/open-destination.ts';
import { explainBackupError } from './explain-backup-error.ts';

/**
 * Warns of a directory in which backups would fail now; `null` for a usable one, and for S3. The server starts all the
 * same: a disk may be mounted later.
 */
export async function backupWarning({ backupTo, backupEvery }: ServerConfig): Promise<string | null> {
  if (backupTo === undefined || backupEvery === undefined || isInS3(backupTo)) return null;
  const directory = resolve(backupTo);
  try {
    await readdir(directory);
    await access(directory, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const explained = explainBackupError(error, directory);
    return `Backups would fail now: ${explained instanceof Error ? explained.message : String(explained)}`;
  }
}
