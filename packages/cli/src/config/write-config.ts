import { randomBytes } from 'node:crypto';
import { chmod, lstat, open, rename, rm } from 'node:fs/promises';
import { CommandError, usageError } from '../errors/errors.ts';
import { fileReason } from '../errors/file-error.ts';
import { CHOOSE_ANOTHER, type Config, configFile } from './config-file.ts';
import { makeDirectory } from './make-directory.ts';

/** Replaces a file as a whole, readable only for its owner: after a crash there is the old one or the new one, never a part. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  // `wx` is O_EXCL: it fails rather than write through a link that somebody placed there.
  const handle = await open(temporary, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

const DIRECTORY_MODE = 0o700;

/** Replaces the configuration, in a folder that only its owner can enter. */
export async function writeConfig(directory: string, config: Config): Promise<void> {
  const file = configFile(directory);
  try {
    makeDirectory(directory, DIRECTORY_MODE);
    const existing = await lstat(file).catch(() => undefined);
    if (existing && !existing.isFile()) {
      throw usageError(`${file} must be a plain file, not a link or a folder.`, `Remove ${file}.`);
    }
    await replaceFile(file, `${JSON.stringify(config, null, 2)}\n`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw usageError(`${file} cannot be written: ${fileReason(error)}.`, CHOOSE_ANOTHER);
  }
  // The file inside is 0600 in any case; a directory that existed before may still be open to others.
  await chmod(directory, DIRECTORY_MODE).catch(() => undefined);
}
