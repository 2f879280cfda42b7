import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, lstatSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type SQLite from 'better-sqlite3';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import type { MasterKeys } from '../secrets/vault.ts';
import { codeOf } from '../db/core/storage-errors.ts';
import { openFile } from '../db/sqlite/file/open-file.ts';
import { makePrivate } from '../db/sqlite/file/private-file.ts';
import { isBusy } from '../db/sqlite/sqlite-error.ts';
import { holderOfFile } from '../system/holders.ts';
import { requireFiles } from '../config/require-limits.ts';
import { explainDataError } from './explain-data-error.ts';
import { refuseForeignLinks } from './foreign-links.ts';
import { prepareDirectory } from './prepare-directory.ts';
import { readText } from './read-text.ts';
import { refuseSpecialFiles } from './special-files.ts';
import { writePrivate } from './write-private.ts';
import { shellWord } from '../system/shell-word.ts';

const KEY_BYTES = 32;

/** The files of one server. */
export interface DataDirectory {
  databaseFile: string;
  /** The keys from the environment or from `master.key`, the current one first; `null` if there are none. */
  readonly masterKeys: MasterKeys | null;
  /** The keys of `master.key`, even if those of the environment are used instead; `null` if there are none. */
  readonly fileKeys: MasterKeys | null;
  /** The keys of `master.key.retired`, which older backups need; `null` if there are none. */
  readonly retiredKeys: MasterKeys | null;
  /**
   * Makes `master.key`, or reads the one that another process has made in the meantime. Only for a database without
   * secrets.
   */
  createMasterKey(): MasterKeys;
}

/** Opens the data directory. A missing one is made, readable by its owner only. */
export function openDataDirectory(config: Pick<ServerConfig, 'data' | 'masterKey'>): DataDirectory {
  prepareDirectory(config.data);
  const keyFile = keyFileOf(config);
  refuseDeadLink(config);
  return {
    databaseFile: databaseFileOf(config.data),
    // Another process on the same directory may make it at any time.
    get masterKeys() {
      return readMasterKeys(config);
    },
    get fileKeys() {
      return readKeys(keyFile);
    },
    get retiredKeys() {
      return readRetiredKeys(config);
    },
    createMasterKey() {
      writeKeys(keyFile, [newKey()], giveName);
      const keys = readKeys(keyFile);
      if (keys === null) throw new ConfigError(`${keyFile} was removed while the server started.`);
      return keys;
    },
  };
}

/** Reports whether a data directory has a database. Throws `ConfigError` for one that this user may not open. */
export function hasDatabase(directory: string): boolean {
  requireFiles();
  refuseForeignLinks(directory);
  refuseSpecialFiles(directory);
  return isThere(databaseFileOf(directory), directory);
}

function isThere(file: string, directory: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw explainDataError(error, directory);
  }
}

/** The database of a data directory. */
export const databaseFileOf = (directory: string): string => join(directory, 'hubline.db');

/** The keys from the environment or from `master.key`, the current one first; `null` if there are none. */
export function readMasterKeys({
  data,
  masterKey,
}: Pick<ServerConfig, 'data' | 'masterKey'>): MasterKeys | null {
  return masterKey === undefined ? readKeys(keyFileOf({ data })) : parseKeys(masterKey, ',');
}

/** Puts a new key in front of those in `master.key`; from then on the old ones only open what they have sealed. */
export function addMasterKey(config: Pick<ServerConfig, 'data'>, keys: MasterKeys): MasterKeys {
  const added: MasterKeys = [newKey(), ...keys];
  writeKeys(keyFileOf(config), added);
  return added;
}

/**
 * Keeps only the current key in `master.key`, and adds the others to `master.key.retired`. Returns the path of that
 * file.
 */
export function retireMasterKeys(
  config: Pick<ServerConfig, 'data'>,
  [current, ...retired]: MasterKeys,
): string {
  const file = retiredFileOf(config);
  const [first, ...others] = [...(readRetiredKeys(config) ?? []), ...retired];
  // The retired keys are written first, so that the keys of older backups are never missing.
  if (first) writeKeys(file, [first, ...others]);
  writeKeys(keyFileOf(config), [current]);
  return file;
}

const keyFileOf = ({ data }: Pick<ServerConfig, 'data'>): string => join(data, 'master.key');

const retiredFileOf = (config: Pick<ServerConfig, 'data'>): string => `${keyFileOf(config)}.retired`;

/**
 * The keys of `master.key.retired`, which older backups need; `null` if there are none. Throws `ConfigError` for a file
 * that cannot be read.
 */
export const readRetiredKeys = (config: Pick<ServerConfig, 'data'>): MasterKeys | null =>
  readKeys(retiredFileOf(config));

const newKey = (): Buffer => randomBytes(KEY_BYTES);

function writeKeys(file: string, keys: MasterKeys, name?: (partial: string, file: string) => void): void {
  try {
    writePrivate(file, keys.map((key) => `${key.toString('base64')}\n`).join(''), name);
  } catch (error) {
    throw explainDataError(error, dirname(file));
  }
}

/**
 * Refuses a `master.key` that is a dead link: a new key could not be made in its place, and the real one may be on a
 * disk that is not mounted. Throws `ConfigError`.
 */
export function refuseDeadLink(config: Pick<ServerConfig, 'data' | 'masterKey'>): void {
  if (config.masterKey !== undefined) return;
  const file = keyFileOf(config);
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (!isLink || existsSync(file)) return;
  throw new ConfigError(
    `${file} is a link to ${readlinkSync(file)}, which cannot be opened. Mount the disk with the key, or let this user open it. For a new server, remove the link: the server makes its own key.`,
  );
}

/**
 * Gives the new key its name, but never replaces one: if two processes start at once, both take the key of the first.
 */
function giveName(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // Some file systems have no links.
    if (!existsSync(file)) renameSync(partial, file);
  }
}

function readKeys(file: string): MasterKeys | null {
  const text = readKeyText(file);
  if (text === null) return null;
  const keys = parseKeys(text.trim(), '\n');
  if (keys !== null) return keys;
  throw new ConfigError(
    `${file} must hold one key per line, each of ${KEY_BYTES} bytes in base64. Put back your copy of it: backups do not contain it.`,
  );
}

function readKeyText(file: string): string | null {
  try {
    return readText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw explainDataError(error, dirname(file));
    throw new ConfigError(
      `${file} cannot be read by user ${process.getuid?.()}, who runs this process. Make that user its owner (chown), and close it to others (chmod 600).`,
      { cause: error },
    );
  }
}

/** The keys in a text; `null` if one is not a key. */
function parseKeys(text: string, separator: ',' | '\n'): MasterKeys | null {
  const [first, ...others] = text.split(separator).map((each) => Buffer.from(each.trim(), 'base64'));
  return first && [first, ...others].every(({ length }) => length === KEY_BYTES) ? [first, ...others] : null;
}

/**
 * Keeps a second server out of the data directory for as long as the process lives. The lock is SQLite's own, on a file
 * beside the database: the system releases it when the process ends, even in a crash.
 */
export function lockDataDirectory(directory: string, otherCure?: string): { release(): void } {
  const file = lockFileOf(directory);
  let lock: SQLite.Database | undefined;
  try {
    prepareDirectory(directory);
    makePrivate(file);
    lock = openFile(file, { timeout: 0 });
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
    // A server that was killed has left it: its process ID may be that of another program by now.
    rmSync(join(directory, 'server.json'), { force: true });
    const locked = lock;
    return { release: () => locked.close() };
  } catch (error) {
    lock?.close();
    if (!isBusy(error)) throw explainLockError(error, directory);
    throw inUse(directory, otherCure);
  }
}

/** Another fix at the start of a server: to run it in its own directory. */
const SECOND_SERVER = ' To run a second server, name another directory with --data.';

/** The refusal of a data directory that a server uses, with its process if known. */
export function inUse(directory: string, otherCure = SECOND_SERVER): ConfigError {
  const holder = holderOfFile(lockFileOf(directory));
  return new ConfigError(
    `Another server is using ${directory}${holder === null ? '' : `: ${holder}`}. ` +
      `Stop it first: hubline server stop --data ${shellWord(directory)}.${otherCure}`,
  );
}

/** Reports whether a server on SQLite runs in this data directory. Writes nothing: the disk may be full, or read-only. Throws `ConfigError`. */
export function isInUse(directory: string): boolean {
  const file = lockFileOf(directory);
  if (!isThere(file, directory)) return false;
  let lock: SQLite.Database | undefined;
  try {
    lock = openFile(file, { readonly: true, timeout: 0 });
    lock.pragma('schema_version');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw explainLockError(error, directory);
  } finally {
    lock?.close();
  }
}

/** Explains an error of the lock file. A damaged one was written by another program: no server writes to it. */
function explainLockError(error: unknown, directory: string): unknown {
  if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(codeOf(error))) return explainDataError(error, directory);
  return new ConfigError(
    `${resolve(lockFileOf(directory))} is damaged. It holds no data: stop the server if one is running, and remove the file.`,
    { cause: error },
  );
}

const lockFileOf = (directory: string): string => join(directory, 'server.lock');
