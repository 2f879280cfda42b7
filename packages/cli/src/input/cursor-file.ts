import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory } from '../config/make-directory.ts';
import { renameOver } from '../config/rename-over.ts';
import type { Globals } from '../spec/global-flags.ts';

/** Remembers a position, so that a later run can continue there. */
interface CursorFile {
  /** The position at the end of the last run. */
  read(): Promise<string | undefined>;
  write(position: string): Promise<void>;
}

/** A position in a file. It is replaced as a whole: after a crash there is the old one or the new one. A dry run leaves it as it is. */
export function cursorFile(file: string, { dryRun }: Pick<Globals, 'dryRun'>): CursorFile {
  // A name of its own: another process may save its position in the same file.
  const temporary = `${file}.${process.pid}-${randomBytes(6).toString('hex')}.new`;
  // One write after the other: two at a time would use the same new file.
  let writing = Promise.resolve();
  const replace = async (position: string): Promise<void> => {
    makeDirectory(dirname(file), 0o700);
    try {
      await writeFile(temporary, `${position}\n`, { mode: 0o600 });
      await renameOver(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  };
  return {
    read: async () => {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      return text.trim() || undefined;
    },
    write: async (position) => {
      if (!dryRun) await (writing = writing.then(() => replace(position)));
    },
  };
}
