import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { ConfigError, type ServerConfig } from './config.ts';

const KEY_BYTES = 32;

/** The files of one server. */
export interface DataDirectory {
  databaseFile: string;
  /** The key from the environment or from `master.key`; `null`: there is neither. */
  masterKey: Buffer | null;
  /** Makes `master.key`. Only for a database that has no secrets yet. */
  createMasterKey(): Buffer;
}

/** Opens the data directory, readable by its owner only. */
export function openDataDirectory(config: Pick<ServerConfig, 'data' | 'masterKey'>): DataDirectory {
  mkdirSync(config.data, { recursive: true, mode: 0o700 });
  chmodSync(config.data, 0o700);
  const keyFile = keyFileOf(config);
  return {
    databaseFile: join(config.data, 'hubline.db'),
    masterKey: readMasterKey(config),
    createMasterKey() {
      const key = randomBytes(KEY_BYTES);
      // `wx`: two servers that start at once must not end up with two keys.
      writeFileSync(keyFile, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
      return key;
    },
  };
}

/** The key from the environment or from `master.key`; `null`: there is neither. */
export function readMasterKey(config: Pick<ServerConfig, 'data' | 'masterKey'>): Buffer | null {
  return config.masterKey === undefined
    ? readKey(keyFileOf(config))
    : Buffer.from(config.masterKey, 'base64');
}

const keyFileOf = ({ data }: Pick<ServerConfig, 'data'>): string => join(data, 'master.key');

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

/** Whether a server on SQLite runs in this data directory. */
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
