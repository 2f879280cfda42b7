import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import SQLite from 'better-sqlite3';
import { ConfigError } from '../../../config/config.ts';

/**
 * Opens an existing database. Root refuses one that it reached through a link of another user, even a link
 * that was made after the directory was checked. SQLite resolves a path once, and then opens no link. Throws
 * `ConfigError`.
 */
export function openFile(file: string, options: SQLite.Options = {}): SQLite.Database {
  // `makePrivate` makes new files: SQLite would make one wherever a link leads.
  const database = new SQLite(file, { ...options, fileMustExist: true });
  if (process.getuid?.() !== 0) return database;
  const [{ file: opened } = { file: '' }] = database.pragma('database_list') as { file: string }[];
  if (opened === trustedPath(file)) return database;
  database.close();
  throw new ConfigError(
    `${file} leads to ${opened} through a link of another user, which root does not follow. Run the command as the owner of the directory, or put the file back in its place.`,
  );
}

/** The path that `file` may lead root to: a link in its place counts only if root made it. */
function trustedPath(file: string): string {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return found?.isSymbolicLink() && found.uid === 0
    ? realpathSync(file)
    : join(realpathSync(dirname(file)), basename(file));
}
