import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { usageError } from '../errors.ts';
import { type Config, configFile } from './config-file.ts';

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

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
