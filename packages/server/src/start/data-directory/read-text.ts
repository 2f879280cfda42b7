import { readFileSync } from 'node:fs';

/** Reads a file of the data directory; `null` where there is none. Any other error has its path, which Node leaves out where a read fails. */
export function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw Object.assign(error as Error, { path: file });
  }
}
