import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { refuseSpecial } from './special-files.ts';

/**
 * Reads a file of the data directory; `null` if there is none. Any other error gets the path, which Node leaves out if
 * a read fails.
 */
export function readText(file: string): string | null {
  let descriptor: number | undefined;
  try {
    // Without this flag, which Windows lacks, a pipe would wait for its writer.
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
