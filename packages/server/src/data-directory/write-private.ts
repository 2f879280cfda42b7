import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { handOver } from '../db/sqlite/file/private-file.ts';
import { syncDirectory } from '../db/sqlite/file/sync-directory.ts';

/**
 * Writes a file that only the owner of its directory may read. It is complete and on disk before `name` gives it its
 * name, by default in place of the old one: secrets that need the key may be stored right after, and a power cut must
 * not lose the key or leave half of it.
 */
export function writePrivate(
  file: string,
  text: string,
  name: (partial: string, file: string) => void = renameSync,
): void {
  const partial = `${file}.partial-${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(partial, text, { mode: 0o600, flag: 'wx', flush: true });
    handOver(partial);
    name(partial, file);
    syncDirectory(dirname(file));
  } finally {
    rmSync(partial, { force: true });
  }
}
