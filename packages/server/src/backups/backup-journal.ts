import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError } from '../config/config.ts';
import type { KnownBackup } from '../system/server-info.ts';
import { explainDataError } from '../data-directory/explain-data-error.ts';
import { readText } from '../data-directory/read-text.ts';
import { writePrivate } from '../data-directory/write-private.ts';
import { openFile } from '../db/sqlite/file/open-file.ts';
import { makePrivate } from '../db/sqlite/file/private-file.ts';
import { isBusy } from '../db/sqlite/sqlite-error.ts';
import { holderOfFile } from '../system/holders.ts';
import { isInS3 } from './destinations/open-destination.ts';

const KEPT = 20;
// Another process holds the lock for milliseconds only, unless its disk hangs.
const LOCK_MS = 5_000;

type Entry = Omit<KnownBackup, 'present'>;

const fileOf = (data: string): string => join(data, 'backups.json');

function read(data: string): readonly Entry[] {
  const file = fileOf(data);
  try {
    const entries: unknown = JSON.parse(readText(file) ?? '[]');
    if (!Array.isArray(entries)) throw new SyntaxError('not a list');
    return entries as Entry[];
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new ConfigError(`${file} is damaged. Remove it: the next backup starts a new list.`);
    throw explainDataError(error, data);
  }
}

/** Adds a backup to the list beside the database; a running server shows that list. */
export function noteBackup(data: string, backup: Entry): void {
  const path = isInS3(backup.path) ? backup.path : resolve(backup.path);
  change(data, (entries) => [{ ...backup, path }, ...entries.filter((entry) => entry.path !== path)]);
}

/** Removes from the list a backup that the server has deleted. */
export function forgetBackup(data: string, path: string): void {
  change(data, (entries) => entries.filter((entry) => entry.path !== path));
}

/** Changes the list while no other process does: a server and a command may end their backups at the same time. */
function change(data: string, changed: (entries: readonly Entry[]) => readonly Entry[]): void {
  const lockFile = join(data, 'backups.lock');
  makePrivate(lockFile);
  const lock = openFile(lockFile, { timeout: LOCK_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    const entries = changed(read(data));
    writePrivate(fileOf(data), `${JSON.stringify(entries.slice(0, KEPT), null, 2)}\n`);
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new ConfigError(
      `${resolve(lockFile)} has been locked for ${LOCK_MS / 1_000} seconds by ${holderOfFile(lockFile) ?? 'another process'}. Let that process end, or stop it.`,
      { cause: error },
    );
  } finally {
    lock.close();
  }
}

/** The last backups, newest first. */
export const listBackups = (data: string): KnownBackup[] =>
  read(data).map((entry) => ({ ...entry, present: isInS3(entry.path) || existsSync(entry.path) }));
