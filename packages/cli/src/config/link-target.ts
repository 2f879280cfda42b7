import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { usageError } from '../errors/errors.ts';

/** The number of links that Linux follows in one path. */
const MOST_LINKS = 40;

/**
 * The file that a path leads to, even if its last link leads nowhere yet: like `>` of a shell and `curl --output`, a command writes
 * there and keeps the link, which a rename would replace. The last link of a path must not belong to another user if root follows it.
 */
export async function linkTarget(path: string): Promise<string> {
  let file = path;
  for (let links = 0; links <= MOST_LINKS; links += 1) {
    const found = await lstat(file).catch(() => undefined);
    if (!found?.isSymbolicLink()) return file;
    if (process.getuid?.() === 0 && found.uid !== 0) {
      // The server takes long to load, and such links are rare.
      const { refuseForeignPath } = await import('@hubline/server');
      refuseForeignPath(resolve(file));
    }
    file = resolve(await realpath(dirname(file)), await readlink(file));
  }
  throw usageError(`${path} leads through too many links.`, 'Name the file itself.');
}
