import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import {
  databaseFileOf,
  type DataDirectory,
  hasDatabase,
  lockDataDirectory,
  openDataDirectory,
  readMasterKeys,
  readRetiredKeys,
} from '../data-directory/data-directory.ts';
import { judgeMigrations } from '../db/migrations/migrate.ts';
import {
  checkDatabase,
  copyAtRest,
  copyLive,
  readDatabaseInfo,
  readSealingKeys,
  UnusableDatabase,
} from '../db/sqlite/file/sqlite-copy.ts';
import { codeOf } from '../db/core/storage-errors.ts';
import { openFile } from '../db/sqlite/file/open-file.ts';
import { handOver } from '../db/sqlite/file/private-file.ts';
import { describeFileError } from '../system/file-reason.ts';
import { noteBackup } from './backup-journal.ts';
import { removeUnfinished } from './leftovers.ts';
import { explainWritten, requireReadable, requireWritable } from './named-file.ts';
import { explainDataError } from '../data-directory/explain-data-error.ts';
import { refuseForeignPath } from '../data-directory/foreign-links.ts';
import { SERIES_META_KEY, STATE_META_KEY } from './manifest.ts';
import { keyRefusal, refuseNewer, secretsRefusal } from './require-fitting.ts';
import { makePrivateFolder } from '../data-directory/make-directory.ts';

/** A file that was written. */
export interface BackedUp {
  path: string;
  /** Its size. */
  bytes: number;
  /** ISO 8601. Everything stored before this time is in the file. */
  taken_at: string;
  /** The reason why the backup is not in the list of backups, such as a full disk; `null` if it is, or need not be. */
  unlisted: string | null;
}

/** A database that was restored. */
export interface Restored {
  /** The database. */
  path: string;
  /** The file that keeps the database that was there before; `null` if there was none. */
  replaced: string | null;
}

/**
 * Copies the database of a server, which may be running, into one file. The master key is not in it: a stranger who
 * finds the backup cannot read its secrets, and a restore needs the key. `listed: false` keeps a temporary file off the
 * list of backups. Throws `ConfigError`.
 */
export function backup(config: ServerConfig, file: string, { force = false, listed = true } = {}): BackedUp {
  refusePostgres(config, 'Back it up with pg_dump, and keep the master key elsewhere.');
  const source = databaseFileOf(config.data);
  if (!hasDatabase(config.data))
    throw new ConfigError(`There is no database in ${resolve(config.data)}. Name its directory with --data.`);
  const path = resolve(file);
  if (dirname(path) === resolve(config.data))
    throw new ConfigError(
      `${file} is beside the database. Keep a backup elsewhere, ideally on another disk.`,
    );
  refuseForeignPath(dirname(path));
  requireWritable(path, { force });
  const taken = new Date().toISOString();
  copyInto(path, source, config.data);
  if (path.startsWith(join(resolve(config.data), sep))) handOver(path);
  const made = { path, bytes: statSync(path).size, taken_at: taken };
  return { ...made, unlisted: listed ? tryToNote(config.data, made) : null };
}

/**
 * Copies the database into the named file. Errors of SQLite are about the database, those of the system about the file.
 */
function copyInto(path: string, source: string, data: string): void {
  withExplainedErrors(() => {
    try {
      copyLive(source, path);
    } catch (error) {
      const explained = explainWritten(error, path);
      throw explained === error ? explainDataError(error, data) : explained;
    }
  });
}

/** Adds a backup to the list. Returns the reason if that fails: the copy is complete all the same. */
function tryToNote(data: string, made: Omit<BackedUp, 'unlisted'>): string | null {
  try {
    noteBackup(data, made);
    return null;
  } catch (error) {
    const explained = explainDataError(error, data);
    if (explained instanceof ConfigError) return explained.message;
    throw error;
  }
}

/** The facts about a backup. */
export interface VerifiedBackup {
  path: string;
  /** Its size. */
  bytes: number;
  /** The newest migration of its schema; `null` for a database that has none. */
  schema: string | null;
  /** True if the master key of the data directory opens it; `null` if there is no key to compare. */
  key_fits: boolean | null;
  /** The reason why it does not, and the fix; `null` if it does, or there is no key to compare. */
  unfit: string | null;
}

/**
 * Reads a whole backup and returns its facts. Refuses a file that is damaged or too new for this version. `known` is
 * the name by which the operator knows it. Throws `ConfigError`.
 */
export function verifyBackup(config: ServerConfig, file: string, known = file): VerifiedBackup {
  const path = resolve(file);
  requireReadable(path);
  refuseInUse(path, known);
  const { migrations, fingerprint, keyIds } = withExplainedErrors(() => {
    try {
      checkDatabase(path, known);
      return { ...readDatabaseInfo(path), keyIds: readSealingKeys(path) };
    } finally {
      removeLog(path);
    }
  });
  refuseNewer(migrations, known);
  const masterKeys = readMasterKeys(config);
  const isComparable = masterKeys !== null && fingerprint !== null;
  const keys = { masterKeys, retiredKeys: isComparable ? readRetiredKeys(config) : null };
  const unfit = isComparable
    ? (keyRefusal(keys, { name: known, fingerprint }) ?? secretsRefusal(keys, { name: known, keyIds }))
    : null;
  return {
    path: known === file ? path : known,
    bytes: statSync(path).size,
    schema: migrations.at(-1) ?? null,
    key_fits: isComparable ? unfit === null : null,
    unfit,
  };
}

/**
 * Puts a backup in place of the database of a server that is not running. Refuses a file that is damaged or too new, a
 * master key that does not open it, and, without `force`, a directory that has a database. Refuses keys that open only some of its secrets,
 * unless it may be restored `withoutSecrets`. `known` is the name by which the operator knows it. Throws `ConfigError`.
 */
export function restore(
  config: ServerConfig,
  file: string,
  { force = false, withoutSecrets = false, known = file } = {},
): Restored {
  refusePostgres(config, 'Restore it with pg_restore or psql.');
  const path = resolve(file);
  requireReadable(path);
  refuseInUse(path, known);
  const directory = openDataDirectory(config);
  const lock = lockDataDirectory(config.data, '');
  try {
    refuseUnfit(directory, path, { name: known, withoutSecrets });
    if (existsSync(directory.databaseFile) && !force) {
      throw new ConfigError(
        `${config.data} already has a database. Replace it with --force; the old one is kept beside it.`,
      );
    }
    const ready = join(config.data, 'hubline.restored.db');
    withExplainedErrors(() => copyBack(path, ready));
    handOver(ready);
    const replaced = setAside(directory.databaseFile);
    renameSync(ready, directory.databaseFile);
    return { path: resolve(directory.databaseFile), replaced };
  } finally {
    lock.release();
    removeLog(path);
  }
}

function refuseInUse(path: string, file: string): void {
  if (!existsSync(`${path}-wal`)) return;
  throw new ConfigError(
    `${file} has a write-ahead log beside it: it is a database in use, not a backup. Make one with hubline server backup.`,
  );
}

/**
 * Removes the log that SQLite leaves beside a file that it has only read. `refuseInUse` made sure that there was none
 * before.
 */
function removeLog(path: string): void {
  for (const name of [`${path}-wal`, `${path}-shm`]) if (existsSync(name)) rmSync(name);
}

/**
 * Copies a backup into the data directory. Errors of the system are about that directory: the backup could be read
 * before.
 */
function copyBack(path: string, ready: string): void {
  try {
    // If it kept the series, a restore drill with the settings of the real server would remove that server's backups as its own.
    copyAtRest(path, ready, [SERIES_META_KEY, STATE_META_KEY]);
  } catch (error) {
    throw explainDataError(error, dirname(ready));
  }
}

/** Copies the database before a migration changes it. Returns the file; `null` when there is nothing to keep. */
export async function backupBeforeMigration(directory: DataDirectory): Promise<string | null> {
  if (!existsSync(directory.databaseFile)) return null;
  const [next] = pendingOf(directory.databaseFile);
  if (next === undefined) return null;
  const folder = join(dirname(directory.databaseFile), 'backups');
  makePrivateFolder(folder);
  const file = join(folder, `before-${next}.db`);
  await removeUnfinished(file);
  withExplainedErrors(() => copyLive(directory.databaseFile, file), {
    failed: `A copy of the database from before its migration cannot be made in ${resolve(folder)}: `,
    cure: 'Nothing was changed. Fix that, or start with HUBLINE_MIGRATION_BACKUP=false if you have a backup.',
  });
  handOver(file);
  noteBackup(dirname(directory.databaseFile), {
    path: file,
    bytes: statSync(file).size,
    taken_at: new Date().toISOString(),
  });
  return file;
}

/** The migrations still to run; none for a database without a schema, which has nothing to lose. */
function pendingOf(databaseFile: string): string[] {
  try {
    const { migrations } = readDatabaseInfo(databaseFile);
    return migrations.length > 0 ? judgeMigrations(migrations).pending : [];
  } catch (error) {
    // A start that was cut off before the first commit leaves an empty file.
    if (error instanceof UnusableDatabase) return [];
    throw error;
  }
}

function refusePostgres({ databaseUrl }: ServerConfig, instead: string): void {
  if (databaseUrl !== undefined) throw new ConfigError(`This server uses PostgreSQL. ${instead}`);
}

function refuseUnfit(
  directory: DataDirectory,
  path: string,
  { name, withoutSecrets }: { name: string; withoutSecrets: boolean },
): void {
  const { migrations, fingerprint } = withExplainedErrors(() => readDatabaseInfo(path));
  refuseNewer(migrations, name);
  const refusal = keyRefusal(directory, { name, fingerprint });
  if (refusal !== null) throw new ConfigError(refusal);
  // Their key may be lost for good.
  if (withoutSecrets) return;
  const keyIds = withExplainedErrors(() => readSealingKeys(path));
  const incomplete = secretsRefusal(directory, { name, keyIds });
  if (incomplete !== null)
    throw new ConfigError(`${incomplete} If the key is lost, restore it without them: --without-secrets.`);
}

/** Renames the existing database, and leaves no write-ahead log that SQLite would apply to the new one. */
function setAside(databaseFile: string): string | null {
  if (!existsSync(databaseFile)) return null;
  const kept = keptNameOf(databaseFile);
  try {
    const old = openFile(databaseFile);
    old.pragma('wal_checkpoint(TRUNCATE)');
    old.close();
  } catch {
    // It may be damaged, which is a reason to restore. Its log is kept with it.
  }
  try {
    // A link, so that this name is never without a database.
    linkSync(databaseFile, kept);
  } catch {
    // Some file systems have no links.
    renameSync(databaseFile, kept);
  }
  if (existsSync(`${databaseFile}-wal`)) renameSync(`${databaseFile}-wal`, `${kept}-wal`);
  rmSync(`${databaseFile}-shm`, { force: true });
  return resolve(kept);
}

/** Finds a free name: two databases may be replaced within a second. The directory is locked. */
function keptNameOf(databaseFile: string): string {
  const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  for (let count = 1; ; count += 1) {
    const time = count === 1 ? stamp : `${stamp}-${count}`;
    const kept = join(dirname(databaseFile), `replaced-${time}-${basename(databaseFile)}`);
    if (!existsSync(kept) && !existsSync(`${kept}-wal`)) return kept;
  }
}

/**
 * Turns file errors, which the operator can fix, into `ConfigError`. `failed` begins the message, and `cure` ends it.
 */
function withExplainedErrors<Result>(work: () => Result, { failed = '', cure = '' } = {}): Result {
  try {
    return work();
  } catch (error) {
    const isKnown = error instanceof UnusableDatabase || error instanceof ConfigError;
    if (!(error instanceof Error) || (!isKnown && !/^(?:SQLITE_|E[A-Z]+$)/.test(codeOf(error)))) throw error;
    throw new ConfigError(`${failed}${describeFileError(error)}. ${cure}`.trim(), { cause: error });
  }
}
