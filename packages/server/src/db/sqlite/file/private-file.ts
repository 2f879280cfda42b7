import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Makes a database readable by its owner only. SQLite gives its log and its shared memory the permissions of the file. */
export function makePrivate(file: string): void {
  // An existing file is never opened: closing it would end the locks that this process has on it.
  if (!existsSync(file)) {
    closeSync(openSync(file, creating(file), 0o600));
    handOver(file);
  }
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    const { mode = 0o600 } = statSync(each, { throwIfNoEntry: false }) ?? {};
    if ((mode & 0o777) !== 0o600) chmodSync(each, 0o600);
  }
}

/**
 * The flags that create a file. An existing link was checked, and is followed. A link that appears only now is another user's, and is not.
 */
function creating(file: string): number {
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const create = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;
  // Windows has no such flag.
  return isLink ? create : create | (constants.O_NOFOLLOW ?? 0);
}

/** Gives a path that root made to the owner of its directory: the server, which runs as that user, must be able to use it. */
export function handOver(path: string): void {
  if (lstatSync(path).uid !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  try {
    // Never through a link, which that user may have put there.
    lchownSync(path, uid, gid);
  } catch {
    // Some file systems, and root in some containers, cannot change owners.
  }
}
