import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a directory and its missing parents; an existing one stays as it is. Node's own `recursive: true` never returns where a file
 * system such as /proc reports "no such file" although the parent exists.
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
