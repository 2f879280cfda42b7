import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { CommandError, usageError } from '../errors/errors.ts';
import { fileReason } from '../errors/file-error.ts';
import type { Host } from '../host.ts';
import { choosePager } from '../terminal/choose-pager.ts';
import type { Output } from '../terminal/io.ts';
import type { Pager } from '../terminal/pager.ts';

/** The destination of a command's output. */
export interface Sink {
  write(text: string | Uint8Array): Promise<void>;
  /** Ends the output after everything was written. */
  finish(): Promise<void>;
  /** Ends the output after a failure: it is incomplete. */
  abandon(): Promise<void>;
}

/** Thrown when a pager was left early. It ends a command quietly. */
export class Unread extends Error {
  override readonly name = 'Unread';
}

const nothing = async (): Promise<void> => undefined;

/** stdout or stderr, which keeps what was written, even after a failure. */
export function streamSink(stream: Output): Sink {
  return { write: (text) => stream.write(text), finish: nothing, abandon: nothing };
}

/** A file that appears only when it is whole; an existing one is replaced only by `force`, and keeps its mode. A link stays, and its target is written. */
export async function fileSink({ io }: Pick<Host, 'io'>, path: string, force: boolean): Promise<Sink> {
  // Loading them takes a millisecond, which only exports need.
  const { descriptorOf } = await import('./descriptor.ts');
  const descriptor = await descriptorOf(path);
  if (descriptor === 1) return streamSink(io.stdout);
  if (descriptor === 2) return streamSink(io.stderr);
  const opened = descriptor === null ? null : await descriptorSink(descriptor, path);
  if (opened) return opened;
  const { open, rm, stat } = await import('node:fs/promises');
  const { linkTarget } = await import('../config/link-target.ts');
  const { renameOver } = await import('../config/rename-over.ts');
  const { randomBytes } = await import('node:crypto');
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw usageError(`${path} is a directory.`, 'Name a file in it.');
  // Nothing is replaced in a device or a pipe, and a rename would replace the thing itself.
  if (found && !found.isFile()) return deviceSink(path, found);
  if (found && !force) throw usageError(`${path} already exists.`, 'Add --force to replace it.');
  const file = await linkTarget(path);
  // A name of its own: another export into this file may be under way. With `wx`, a link that somebody put there is not followed.
  const temporary = `${file}.partial-${randomBytes(4).toString('hex')}`;
  await removeLeftovers(file);
  // Nobody may open it before it has the mode of the file that it replaces.
  const handle = await open(temporary, 'wx', found ? 0o600 : 0o666).catch((error: Error) => {
    throw unwritable(path, error);
  });
  const abandon = async (): Promise<void> => {
    await handle.close();
    await rm(temporary, { force: true });
  };
  if (found)
    await handle.chmod(found.mode & 0o777).catch(async (error: Error) => {
      await abandon();
      throw unwritable(path, error);
    });
  return {
    write: (text) => writeTo(handle, text, path),
    finish: async () => {
      await handle.close();
      await renameOver(temporary, file);
    },
    abandon,
  };
}

/** A file that is open already. Only whoever has opened it may replace it. `null` for a pipe or a device, which are opened again. */
async function descriptorSink(descriptor: number, path: string): Promise<Sink | null> {
  const { statsOf, writeAll } = await import('./descriptor.ts');
  const refuse = (error: Error): never => {
    throw unwritable(path, error);
  };
  if (!(await statsOf(descriptor).catch(refuse)).isFile()) return null;
  return {
    write: (text) => writeAll(descriptor, typeof text === 'string' ? Buffer.from(text) : text).catch(refuse),
    finish: nothing,
    abandon: nothing,
  };
}

const unwritable = (path: string, error: Error): Error =>
  usageError(`${path} cannot be written: ${fileReason(error)}.`, 'Choose another path.');

/** Writes to a file, and names its path in an error: that of Node does not. */
async function writeTo(handle: FileHandle, text: string | Uint8Array, path: string): Promise<void> {
  try {
    await handle.writeFile(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE')
      throw new CommandError('closed_pipe', `The reader of ${path} has gone away.`);
    throw unwritable(path, error as Error);
  }
}

/**
 * A device or a pipe, such as /dev/null, which is written directly. Another user could put a pipe at the path to read what root writes, or
 * replace it by a link to a file after it was checked.
 */
async function deviceSink(path: string, found: Stats): Promise<Sink> {
  const { constants, lstat, open } = await import('node:fs/promises');
  const own = await lstat(path);
  if (process.getuid?.() === 0 && own.uid !== 0 && !own.isCharacterDevice())
    throw usageError(`${path} belongs to another user.`, 'Name a file or a device of root.');
  // Creates nothing, and empties nothing.
  const handle = await open(path, constants.O_WRONLY).catch((error: Error) => {
    throw unwritable(path, error);
  });
  const opened = await handle.stat();
  if (opened.isFile() || opened.dev !== found.dev || opened.ino !== found.ino) {
    await handle.close();
    throw usageError(`${path} was replaced while it was opened.`, 'Try again.');
  }
  const close = (): Promise<void> => handle.close();
  return {
    write: (text) => writeTo(handle, text, path),
    finish: close,
    abandon: close,
  };
}

/** Removes what exports into a file left behind when they were killed, as backups do. One that cannot be removed is no failure. */
async function removeLeftovers(file: string): Promise<void> {
  const { readdir } = await import('node:fs/promises');
  const { basename, dirname } = await import('node:path');
  const names = await readdir(dirname(file)).catch(() => []);
  // The server takes long to load, and leftovers are rare.
  if (!names.some((name) => name.startsWith(`${basename(file)}.partial-`))) return;
  const { removeUnfinished } = await import('@hubline/server');
  await removeUnfinished(file).catch(() => undefined);
}

/**
 * A terminal on which more than a screen goes through a pager, which is started when the screen is full and not before. Leaving it early
 * is not a failure; with `stop`, it also ends what is still being fetched for it.
 */
export function pagedSink(
  host: Pick<Host, 'io' | 'env' | 'pager'>,
  { noPager, stop }: { noPager: boolean; stop: boolean },
): Sink {
  const { stdout } = host.io;
  let held = '';
  let decided = false;
  let pager: Pager | null = null;
  const write = async (text: string | Uint8Array): Promise<void> => {
    if (!pager) return stdout.write(text);
    const read = await pager.write(text);
    if (!read && stop) throw new Unread();
  };
  const release = async (): Promise<void> => {
    const text = held;
    held = '';
    if (text !== '') await write(text);
  };
  const finish = async (): Promise<void> => {
    await release();
    pager?.end();
    await pager?.closed;
  };
  return {
    write: async (text) => {
      if (decided) return write(text);
      held += typeof text === 'string' ? text : Buffer.from(text).toString();
      if (linesOf(held, stdout) < stdout.rows) return;
      decided = true;
      const command = choosePager(host, { noPager });
      pager = command === null ? null : await host.pager(command);
      await release();
    },
    finish,
    // Output from before a failure is read first; the error is printed below it.
    abandon: () => finish().catch(() => undefined),
  };
}

/** The number of lines of the terminal that a text fills. */
function linesOf(text: string, { columns }: Output): number {
  return stripVTControlCharacters(text)
    .split('\n')
    .slice(0, -1)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
}
