import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestPostgres } from '../../start-postgres.ts';

// More than the disk has.
const FILLER = Buffer.alloc(64 * 1024 * 1024);

/** Fills the small disk that PostgreSQL is on, and makes room again. */
export function smallDisk(folder: string, postgres: Pick<TestPostgres, 'revive'>) {
  const files: string[] = [];
  return {
    async fill() {
      // To the last byte: the chunk that does not fit fills it.
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
      // Without room for its log it ends itself, and whoever runs it starts it again.
      await postgres.revive();
    },
  };
}
