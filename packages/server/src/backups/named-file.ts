import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../config/config.ts';
import { codeOf } from '../db/core/storage-errors.ts';
import { fileReason } from '../system/file-reason.ts';

const FULL = /^(?:ENOSPC|EDQUOT|SQLITE_FULL)/;

/** Makes sure that the named backup can be read. Throws `ConfigError`. */
export function requireReadable(file: string): void {
  const found = statOf(file);
  if (found === undefined) throw new ConfigError(`There is no file ${file}. Check the path.`);
  if (!found.isFile())
    throw new ConfigError(`${file} is ${kindOf(found)}, but a backup is a file. Name the file.`);
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    throw unusable(error, file, 'Let this user read it, or run the command as its owner.');
  }
}

/** Makes sure that a backup can be written to the named file. Throws `ConfigError`. */
export function requireWritable(file: string, { force }: { force: boolean }): void {
  const folder = statOf(dirname(file));
  if (folder === undefined) throw new ConfigError(`There is no directory ${dirname(file)}. Create it first.`);
  if (!folder.isDirectory())
    throw new ConfigError(`${dirname(file)} is ${kindOf(folder)}. Name a file in a directory.`);
  const found = statOf(file);
  if (found === undefined) return;
  if (found.isDirectory())
    throw new ConfigError(`${file} is a directory. Name a file in it, such as ${join(file, 'hubline.db')}.`);
  // A device would be replaced by the backup.
  if (!found.isFile())
    throw new ConfigError(
      `${file} is ${kindOf(found)}. Name a file; hubline backup create --out - writes to stdout.`,
    );
  if (!force) throw new ConfigError(`${file} exists. Replace it with --force.`);
}

/** Turns an error in writing a file into a `ConfigError` that says what to do; every other error stays as it is. */
export function explainWritten(error: unknown, file: string): unknown {
  // SQLite says that a disk is full, but not which: the one of the database, or that of the backup.
  if (FULL.test(codeOf(error)))
    return new ConfigError(
      `There is no space left for ${file}. Make room there, or name a file on another disk.`,
      { cause: error },
    );
  if (codeOf(error) === 'ENOENT' && existsSync(dirname(file)))
    return new ConfigError(
      `${file} was not written: its unfinished copy was removed, perhaps by another backup to the same name. Try again.`,
      { cause: error },
    );
  return unusable(error, file, 'Name a file that this user may write.');
}

function unusable(error: unknown, file: string, cure: string): unknown {
  const reason = fileReason(error);
  return reason === null
    ? error
    : new ConfigError(`${file} cannot be used: ${reason}. ${cure}`, { cause: error });
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw unusable(error, file, 'Check the path.');
  }
}

const kindOf = (found: Stats): string =>
  found.isDirectory() ? 'a directory' : found.isFile() ? 'a file' : 'a device, a pipe or a socket';
