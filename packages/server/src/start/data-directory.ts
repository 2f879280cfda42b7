import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import SQLite from 'better-sqlite3';
import { ConfigError, type ServerConfig } from '../config.ts';

const KEY_BYTES = 32;

/** The files of one server. */
export interface DataDirectory {
  databaseFile: string;
  /** The key from the environment or from `master.key`; `null`: there is neither. */
  readonly masterKey: Buffer | null;
  /** Makes `master.key`, or takes what another process has made meanwhile. Only for a database that has no secrets yet. */
  createMasterKey(): Buffer;
}

/** Opens the data directory, readable by its owner only. */
export function openDataDirectory(config: Pick<ServerConfig, 'data' | 'masterKey'>): DataDirectory {
  mkdirSync(config.data, { recursive: true, mode: 0o700 });
  chmodSync(config.data, 0o700);
  const keyFile = keyFileOf(config);
  return {
    databaseFile: databaseFileOf(config.data),
    // Another process on the same directory may make it at any time.
    get masterKey() {
      return readMasterKey(config);
    },
    createMasterKey() {
      makeKey(keyFile);
      const key = readKey(keyFile);
      if (key === null) throw new ConfigError(`${keyFile} was removed while the server started.`);
      return key;
    },
  };
}

/** Reports whether a data directory has a database. */
export function hasDatabase(directory: string): boolean {
  return existsSync(databaseFileOf(directory));
}

const databaseFileOf = (directory: string): string => join(directory, 'hubline.db');

/** The key from the environment or from `master.key`; `null`: there is neither. */
export function readMasterKey(config: Pick<ServerConfig, 'data' | 'masterKey'>): Buffer | null {
  return config.masterKey === undefined
    ? readKey(keyFileOf(config))
    : Buffer.from(config.masterKey, 'base64');
}

const keyFileOf = ({ data }: Pick<ServerConfig, 'data'>): string => join(data, 'master.key');

/**
 * Whole and on the disk before it has its name: what is sealed with it may be committed in the next moment, and a power cut
 * must not leave that without its key, nor half a key that keeps every later start from succeeding.
 */
function makeKey(file: string): void {
  const partial = `${file}.partial-${randomBytes(4).toString('hex')}`;
  try {
    const text = `${randomBytes(KEY_BYTES).toString('base64')}\n`;
    writeFileSync(partial, text, { mode: 0o600, flag: 'wx', flush: true });
    giveName(partial, file);
    const directory = openSync(dirname(file), 'r');
    fsyncSync(directory);
    closeSync(directory);
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Never replaces: of two processes that start at once, both take the key of the first. */
function giveName(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    // Some file systems have no links.
    if (!existsSync(file)) renameSync(partial, file);
  }
}

function readKey(file: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) {
    throw new ConfigError(`${file} must hold ${KEY_BYTES} bytes in base64. Restore it from a backup.`);
  }
  return key;
}

/**
 * Keeps a second server out of the data directory for as long as the process lives. The lock is SQLite's own, on a file
 * beside the database: the system releases it with the process, however that ends.
 */
export function lockDataDirectory(directory: string): { release(): void } {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = new SQLite(join(directory, 'server.lock'), { timeout: 0 });
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch {
    lock.close();
    throw new ConfigError(`Another server is using ${directory}. Stop it, or give this one its own --data.`);
  }
  return { release: () => lock.close() };
}

/** Reports whether a server on SQLite runs in this data directory. */
export function isInUse(directory: string): boolean {
  if (!existsSync(join(directory, 'server.lock'))) return false;
  try {
    lockDataDirectory(directory).release();
    return false;
  } catch (error) {
    if (error instanceof ConfigError) return true;
    throw error;
  }
}
