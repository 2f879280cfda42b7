import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { refuseSpecial } from './special-files.ts';

/** Reads a file of the data directory; `null` where there is none. Any other error has its path, which Node leaves out where a read fails. */
export function readText(file: string): string | null {
  let descriptor: number | undefined;
  try {
    // A pipe would wait for its writer. Windows has no such flag.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    refuseSpecial(file, fstatSync(descriptor));
    return readFileSync(descriptor, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw Object.assign(error as Error, { path: file });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
