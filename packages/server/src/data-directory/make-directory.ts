import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { handOver } from '../db/sqlite/file/private-file.ts';
import { changeMode, refuseForeignLink } from './foreign-links.ts';

/**
 * Creates a directory and its missing parents; an existing one stays as it is. Node's own `recursive: true` never returns on a file
 * system such as /proc, which answers "no such file" although the parent exists.
 */
export function makeDirectory(directory: string, mode?: number): void {
  try {
    mkdirSync(directory, mode);
  } catch (error) {
    if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
    const parent = dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === directory || existsSync(parent))
      throw error;
    makeDirectory(parent, mode);
    makeDirectory(directory, mode);
  }
}

/** Makes a folder in the data directory that only the owner of the data directory may open, even if root makes it. */
export function makePrivateFolder(folder: string): void {
  refuseForeignLink(folder);
  makeDirectory(folder, 0o700);
  changeMode(folder, 0o700);
  handOver(folder);
}
