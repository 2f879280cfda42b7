import { isId } from '@hubline/contract/constants';
import { randomBytes } from 'node:crypto';
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { linkTarget } from '../config/link-target.ts';
import { makeDirectory } from '../config/make-directory.ts';
import { renameOver } from '../config/rename-over.ts';
import { usageError } from '../errors/errors.ts';
import { fileReason, unreadable } from '../errors/file-error.ts';
import type { Globals } from '../spec/global-flags.ts';

/** Remembers a position, so that a later run can continue there. */
interface CursorFile {
  /** The position at the end of the last run; `undefined` if there is no file, or an empty one. */
  read(): Promise<string | undefined>;
  write(position: string): Promise<void>;
}

/** The content of a cursor file. */
interface Rule {
  /** The words for an error, in front of the path: `--resume-file`. */
  readonly name: string;
  /** A position in words: `the ID of an event`. */
  readonly position: string;
  isPosition(text: string): boolean;
}

/** A position after an event. */
export const AFTER_EVENT = {
  position: 'the ID of an event, evt_…',
  isPosition: (text: string) => isId('event', text),
} as const satisfies Omit<Rule, 'name'>;

/** A position is far shorter. Another file, named by mistake, may be larger than memory. */
const MOST_BYTES = 4_096;

/**
 * Opens a file for a position, and checks that it can be written, before there is anything to write. It is replaced as a whole: after a
 * crash there is the old position or the new one. A dry run leaves it as it is.
 */
export async function openCursorFile(
  path: string,
  { name, position, isPosition }: Rule,
  { dryRun }: Pick<Globals, 'dryRun'>,
): Promise<CursorFile> {
  const file = await linkTarget(path);
  const refuseToRead = (error: unknown): never => {
    throw unreadable(`${name} ${path}`, error);
  };
  const found = await stat(file).catch((error: NodeJS.ErrnoException) =>
    error.code === 'EACCES' ? refuseToRead(error) : undefined,
  );
  // A rename would replace even a device.
  if (found && !found.isFile()) {
    const kind = found.isDirectory() ? 'a directory' : 'a device, a pipe or a socket';
    throw usageError(
      `${name} ${path} is ${kind}, but must be a file.`,
      'Name a file, which may be a new one.',
    );
  }
  // A name of its own each time: another process may save its position in the same file, and nobody can put a link at the next name.
  const newName = (): string => `${file}.${process.pid}-${randomBytes(6).toString('hex')}.new`;
  const refuse = (error: Error): never => {
    throw usageError(`${name} ${path} cannot be written: ${fileReason(error)}.`, 'Choose another path.');
  };
  const replace = async (text: string): Promise<void> => {
    makeDirectory(dirname(file), 0o700);
    const temporary = newName();
    try {
      await writeFile(temporary, `${text}\n`, { mode: 0o600, flag: 'wx' });
      await renameOver(temporary, file);
    } catch (error) {
      await rm(temporary, { force: true });
      refuse(error as Error);
    }
  };
  if (!dryRun) {
    makeDirectory(dirname(file), 0o700);
    const temporary = newName();
    await open(temporary, 'wx', 0o600)
      .then((handle) => handle.close())
      .then(() => rm(temporary))
      .catch(refuse);
  }
  // One write after the other: the last position must stay.
  let writing = Promise.resolve();
  return {
    read: async () => {
      if (!found) return undefined;
      const text =
        found.size > MOST_BYTES ? null : (await readFile(file, 'latin1').catch(refuseToRead)).trim();
      if (text === '') return undefined;
      if (text !== null && isPosition(text)) return text;
      throw usageError(
        `${name} ${path} does not hold a position, which is ${position}.`,
        'Name another file. Or delete this one, and the next run begins anew.',
      );
    },
    write: async (text) => {
      if (!dryRun) await (writing = writing.then(() => replace(text)));
    },
  };
}
