import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '../config/config.ts';
import { refuseForeignLinks, refuseForeignPath } from './foreign-links.ts';
import { isSystemDirectory } from '../system/system-directories.ts';
import { requireFiles } from '../config/require-limits.ts';
import { explainDataError } from './explain-data-error.ts';
import { makeDirectory } from './make-directory.ts';
import { refuseSpecialFiles } from './special-files.ts';

const WRITABLE_BY_ALL = 0o002;

/**
 * Makes the data directory, readable by its owner only. One that exists keeps its mode, because others may need it.
 * Throws `ConfigError` for a directory of the system, such as `/tmp`; for one that everybody may write to and that has
 * files of other users, who could replace the database or the key; and, for root, for one with links of another user.
 */
export function prepareDirectory(directory: string): void {
  requireFiles();
  refuseUnfitDirectory(directory);
  makeDirectory(directory, 0o700);
  refuseForeignLinks(directory);
  refuseSpecialFiles(directory);
  refuseForeignFiles(directory);
}

/** Refuses a directory that everybody may write to and that has files of other users. */
function refuseForeignFiles(directory: string): void {
  const self = process.getuid?.();
  if (self === undefined || (statSync(directory).mode & WRITABLE_BY_ALL) === 0) return;
  const foreign = readdirSync(directory).find((name) => {
    const owner = lstatSync(join(directory, name), { throwIfNoEntry: false })?.uid;
    return owner !== undefined && owner !== self;
  });
  if (foreign === undefined) return;
  const path = resolve(directory);
  throw new ConfigError(
    `Everybody may write to ${path}, and ${foreign} in it belongs to another user. Name a directory for Hubline alone with --data or HUBLINE_DATA, such as ${join(path, 'hubline')}.`,
  );
}

/** Refuses a directory that a start by this user would refuse, without making anything. Throws `ConfigError`. */
export function refuseUnusableDirectory(directory: string): void {
  refuseUnfitDirectory(directory);
  refuseForeignLinks(directory);
  refuseSpecialFiles(directory);
  if (existsSync(directory)) refuseForeignFiles(directory);
  const path = resolve(directory);
  try {
    accessSync(nearestOf(path), constants.W_OK | constants.X_OK);
  } catch (error) {
    throw explainDataError(error, path);
  }
}

/** The path itself, or the nearest one above it that exists. */
const nearestOf = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestOf(dirname(path));

/** Refuses a path that cannot be a data directory for any user. */
function refuseUnfitDirectory(directory: string): void {
  const path = resolve(directory);
  refuseForeignPath(path);
  const file = fileIn(path);
  if (file !== null)
    throw new ConfigError(
      `${file} is a file, but must be a directory. Name a directory for Hubline alone with --data or HUBLINE_DATA.`,
    );
  if (isSystemDirectory(path))
    throw new ConfigError(
      `${path} is a system directory. Name a directory for Hubline alone with --data or HUBLINE_DATA, such as /var/lib/hubline.`,
    );
}

/** The part of a path that exists and is not a directory; `null` for none. */
function fileIn(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined && dirname(path) !== path) return fileIn(dirname(path));
    return found === undefined || found.isDirectory() ? null : path;
  } catch (error) {
    throw explainDataError(error, path);
  }
}
