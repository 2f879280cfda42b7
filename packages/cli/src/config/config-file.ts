import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../errors/errors.ts';
import { unreadable } from '../errors/file-error.ts';
import { textOf } from '../input/text-of.ts';
import { shellWord } from '../terminal/shell-word.ts';

/**
 * The directory of the configuration: `HUBLINE_CONFIG_DIR`, else the XDG Base Directory Specification's place, or Windows' own.
 */
export function configDirectory(env: Readonly<Record<string, string | undefined>>): string {
  if (env['HUBLINE_CONFIG_DIR']) return env['HUBLINE_CONFIG_DIR'];
  if (env['XDG_CONFIG_HOME']) return join(env['XDG_CONFIG_HOME'], 'hubline');
  if (process.platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], 'hubline');
  return join(env['HOME'] || process.getBuiltinModule('node:os').homedir(), '.config', 'hubline');
}

/** A saved connection. */
export interface SavedContext {
  readonly base_url: string;
  /** Default workspace, an ID or a slug. */
  readonly workspace?: string;
  readonly api_key?: string;
  /** The key is not here but in the keychain of the system. */
  readonly key_in?: 'keychain';
  /** The first characters of a key that is elsewhere. */
  readonly key_prefix?: string;
}

/** The configuration of a user. */
export interface Config {
  /** The context that is used when nothing names another. */
  readonly current: string | null;
  readonly contexts: Readonly<Record<string, SavedContext>>;
  /** Settings that apply in every context: see `hubline config set`. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** The cure for a configuration that cannot be used where it is. */
export const CHOOSE_ANOTHER = 'Fix its permissions, or choose another directory with HUBLINE_CONFIG_DIR.';

const OTHERS = 0o077;
const EMPTY: Config = { current: null, contexts: {} };

/** The file in a configuration directory. */
export function configFile(directory: string): string {
  return join(directory, 'config.json');
}

/**
 * Reads the configuration; an absent one is empty. Calls `warn` if others could read the keys in it. It does not use `fs/promises`:
 * loading that costs every command more than reading a small file.
 */
export function readConfig(directory: string, warn: (message: string) => void): Config {
  const file = configFile(directory);
  const stats = statsOf(file);
  if (!stats) return EMPTY;
  // A link could point at a file of somebody else, or cause a write to another place.
  if (!stats.isFile())
    throw usageError(`${file} must be a plain file, not a link or a folder.`, `Remove ${file}.`);
  if (process.platform !== 'win32' && (stats.mode & OTHERS) !== 0) {
    warn(`${file} can be read by others and may hold keys. Run: chmod 600 ${shellWord(file)}`);
  }
  return parse(textIn(file), file);
}

function textIn(file: string): string {
  try {
    return textOf(readFileSync(file));
  } catch (error) {
    throw unreadable(file, error, CHOOSE_ANOTHER);
  }
}

function statsOf(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || isOutOfSight(dirname(file))) return undefined;
    throw unreadable(file, error, CHOOSE_ANOTHER);
  }
}

/** Reports whether nothing can have been saved: the home does not exist or belongs to others, as for a service user. */
function isOutOfSight(directory: string): boolean {
  try {
    lstatSync(directory);
    return false;
  } catch {
    return true;
  }
}

function parse(text: string, file: string): Config {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw usageError(`${file} is not valid JSON.`, 'Repair it, or remove it and log in again.');
  }
  const { current = null, contexts = {}, defaults } = (value ?? {}) as Partial<Config>;
  const sound =
    (current === null || typeof current === 'string') &&
    isObject(contexts) &&
    Object.values(contexts).every((context) => typeof context?.base_url === 'string') &&
    (defaults === undefined ||
      (isObject(defaults) && Object.values(defaults).every((each) => typeof each === 'string')));
  if (!sound)
    throw usageError(
      `${file} does not look like a configuration.`,
      'Repair it, or remove it and log in again.',
    );
  return { current, contexts, ...(defaults && { defaults }) };
}

const isObject = (value: object | null): value is object => typeof value === 'object' && value !== null;
