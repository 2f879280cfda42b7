import { chmod, lstat, mkdir } from 'node:fs/promises';
import { CommandError, usageError } from '../errors.ts';
import { fileReason } from '../file-error.ts';
import { replaceFile } from '../replace-file.ts';
import { CHOOSE_ANOTHER, type Config, configFile } from './config-file.ts';

const DIRECTORY_MODE = 0o700;

/** Replaces the configuration, in a folder that is its owner's only. */
export async function writeConfig(directory: string, config: Config): Promise<void> {
  const file = configFile(directory);
  try {
    await mkdir(directory, { recursive: true, mode: DIRECTORY_MODE });
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
