import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError } from '../errors.ts';

/** A saved connection. */
export interface SavedContext {
  readonly base_url: string;
  /** Default workspace, an id or a slug. */
  readonly workspace?: string;
  readonly api_key?: string;
}

/** The configuration of a user. */
export interface Config {
  /** The context that is used when nothing names another. */
  readonly current: string | null;
  readonly contexts: Readonly<Record<string, SavedContext>>;
}

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
const OTHERS = 0o077;
const EMPTY: Config = { current: null, contexts: {} };

/** The file in a configuration directory. */
export function configFile(directory: string): string {
  return join(directory, 'config.json');
}

/** Reads the configuration; an absent one is empty. `warn` is told when others could read the keys in it. */
export async function readConfig(directory: string, warn: (message: string) => void): Promise<Config> {
  const file = configFile(directory);
  const stats = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw usageError(`${file} cannot be read: ${error.message}.`);
  });
  if (!stats) return EMPTY;
  // A link could point at a file of somebody else, or make this one be written elsewhere.
  if (!stats.isFile())
    throw usageError(`${file} must be a plain file, not a link or a folder.`, `Remove ${file}.`);
  if (process.platform !== 'win32' && (stats.mode & OTHERS) !== 0) {
    warn(`${file} can be read by others and holds keys. Run: chmod 600 ${file}`);
  }
  return parse(await readFile(file, 'utf8'), file);
}

function parse(text: string, file: string): Config {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(`${file} is not valid JSON.`, 'Repair it, or remove it and log in again.');
  }
  const { current = null, contexts = {} } = (value ?? {}) as Partial<Config>;
  const sound =
    (current === null || typeof current === 'string') &&
    typeof contexts === 'object' &&
    Object.values(contexts).every((context) => typeof context?.base_url === 'string');
  if (!sound)
    throw usageError(
      `${file} does not look like a configuration.`,
      'Repair it, or remove it and log in again.',
    );
  return { current, contexts };
}

/** Replaces the configuration as a whole: after a crash there is the old one or the new one, never a half. */
export async function writeConfig(directory: string, config: Config): Promise<void> {
  const file = configFile(directory);
  await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
  const existing = await lstat(file).catch(() => undefined);
  if (existing && !existing.isFile()) {
    throw usageError(`${file} must be a plain file, not a link or a folder.`, `Remove ${file}.`);
  }
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  // `wx` is O_EXCL: it fails rather than write through a link that somebody placed there.
  const handle = await open(temporary, 'wx', FILE_MODE);
  try {
    await handle.writeFile(`${JSON.stringify(config, null, 2)}\n`);
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
  // The file inside is 0600 in any case; a directory that existed before may still be open to others.
  await chmod(directory, DIRECTORY_MODE).catch(() => undefined);
}
