import { fstat, type Stats, write } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const STANDARD: Readonly<Record<string, number>> = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 };
const NUMBERED = new RegExp(`^/(?:dev|proc/${process.pid}(?:/task/\\d+)?)/fd/(\\d+)$`);

const MOST_LINKS = 40;

/**
 * The open file of this process that a path stands for, such as 1 for `/dev/stdout`; `null` for any other path. On Linux such a path is a
 * link to what was opened: to follow it would replace the file that the shell appends to.
 */
export async function descriptorOf(path: string): Promise<number | null> {
  let file = resolve(path);
  for (let links = 0; links <= MOST_LINKS; links += 1) {
    const folder = await realpath(dirname(file)).catch(() => undefined);
    if (folder === undefined) return null;
    file = join(folder, basename(file));
    const number = NUMBERED.exec(file)?.[1] ?? STANDARD[file];
    if (number !== undefined) return Number(number);
    const found = await lstat(file).catch(() => undefined);
    // `linkTarget` refuses a link of another user.
    if (!found?.isSymbolicLink() || (process.getuid?.() === 0 && found.uid !== 0)) return null;
    file = resolve(folder, await readlink(file));
  }
  return null;
}

export const statsOf: (descriptor: number) => Promise<Stats> = promisify(fstat);

/**
 * Writes all of it, at the place where the last write ended, or at the end of a file that was opened to append. Fails if the descriptor is not
 * open for writing, even if there is nothing to write.
 */
export async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  do rest = rest.subarray((await promisify(write)(descriptor, rest)).bytesWritten);
  while (rest.length > 0);
}
