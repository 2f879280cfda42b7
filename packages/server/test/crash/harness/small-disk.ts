import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestPostgres } from '../../start-postgres.ts';

// The content of one filler file.
const FILLER = Buffer.alloc(64 * 1024 * 1024);

/** Fills the small disk that PostgreSQL is on, and makes room again. */
export function smallDisk(folder: string, postgres: Pick<TestPostgres, 'revive'>) {
  const files: string[] = [];
  return {
    async fill() {
      // The file that no longer fits fills the disk to the last byte.
      for (let full = false; !full;) {
        const file = join(folder, `filler-${files.length}`);
        files.push(file);
        full = await writeFile(file, FILLER).then(
          () => false,
          () => true,
        );
      }
    },
    async free() {
      for (const file of files.splice(0)) await unlink(file);
      // Without room for its log, PostgreSQL ends itself and has to be started again.
      await postgres.revive();
    },
  };
}
