import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '../config/config.ts';
import { shellWord } from '../system/shell-word.ts';

/** The names of the files and folders that Hubline and SQLite make in the data directory. */
const OURS = /^(?:hubline\.|server\.|master\.key|backups|certificates$)/;
/** Reports whether a name in a data directory is one of Hubline's. */
export const isOurs = (name: string): boolean => OURS.test(name);
const FOLDERS = ['backups', 'certificates'];

const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Refuses, if this process is root, links that another user has put into the data directory: through them, that user
 * could make root create files elsewhere, or change their owner or mode. Links that root made are allowed. Throws
 * `ConfigError`.
 */
export function refuseForeignLinks(directory: string): void {
  if (!isRoot()) return;
  const names = namesIn(directory).filter((name) => OURS.test(name));
  for (const name of names) refuseForeignLink(join(directory, name));
  for (const folder of FOLDERS.map((name) => join(directory, name)))
    for (const name of namesIn(folder, { recursive: true })) refuseForeignLink(join(folder, name));
}

/** Refuses a link of another user if this process is root. Throws `ConfigError`. */
export function refuseForeignLink(path: string): void {
  const found = isRoot() ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (found === undefined || !found.isSymbolicLink() || found.uid === 0) return;
  const link = resolve(path);
  throw new ConfigError(
    `${link} is a link of user ${found.uid}, and root does not follow the links of other users. Run the command as that user, or remove the link. If the link is intended, give it to root: chown -h root ${shellWord(link)}`,
  );
}

/**
 * Refuses, if this process is root, a path through a link of another user to something that is not that user's: root
 * would create files where that user may not. A link of a user to that user's own directory is allowed. Throws
 * `ConfigError`.
 */
export function refuseForeignPath(path: string): void {
  if (!isRoot()) return;
  for (let each = path; dirname(each) !== each; each = dirname(each)) {
    const owner = ownerOf(each, lstatSync);
    const isLeading = owner !== null && ownerOf(each, statSync) !== owner;
    if (isLeading) refuseForeignLink(each);
  }
}

/** The owner of a path, or of the target of its links; `null` if it does not exist. */
function ownerOf(path: string, look: typeof lstatSync): number | null {
  try {
    return look(path).uid;
  } catch {
    return null;
  }
}

/**
 * Changes the mode of a file or a folder. Root never does so through a link of another user. Not for a database file:
 * closing it would end the locks on it.
 */
export function changeMode(path: string, mode: number): void {
  if (!isRoot()) return chmodSync(path, mode);
  refuseForeignLink(path);
  const isOwn = lstatSync(path).isSymbolicLink();
  // The path may become a link at any moment, and a pipe would wait for its writer.
  const descriptor = openSync(
    path,
    constants.O_RDONLY | constants.O_NONBLOCK | (isOwn ? 0 : constants.O_NOFOLLOW),
  );
  try {
    fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}

/** The names in a directory; none if it is not a directory, which other checks report. */
function namesIn(directory: string, { recursive = false } = {}): string[] {
  try {
    return readdirSync(directory, { recursive, encoding: 'utf8' });
  } catch {
    return [];
  }
}
