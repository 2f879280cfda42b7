import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { refuseForeignWay } from '../start/data-directory/foreign-links.ts';
import { filesInUse } from '../system/holders.ts';

/** An unfinished copy that was not written to for this long is left over, also where the system does not tell who has it open. */
const LEFT_OVER_MS = 3_600_000;
// Between two of its steps, a copy closes its file for an instant.
const GLANCES_MS = [0, 100];

const COPY = /^(.*\.partial-[0-9a-f]{8})(?:-\w+)?$/;

/** The begin of the names of folders with a copy that goes to stdout. */
export const COPY_FOLDER = 'hubline-backup-';

/** Files that go together, or a folder with its files. */
interface LeftOver {
  readonly path: string;
  readonly files: readonly string[];
}

/** A name for a copy that is not finished. */
export const unfinishedNameOf = (file: string): string => `${file}.partial-${randomBytes(4).toString('hex')}`;

/** Removes what copies into a file left when they were cut off: all that no process has open. Throws `ConfigError` for a way that root does not go. */
export async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(file);
  refuseForeignWay(folder);
  const copies = new Map<string, string[]>();
  for (const name of namesIn(folder)) {
    const [, copy = ''] = name.startsWith(`${basename(file)}.partial-`) ? (COPY.exec(name) ?? []) : [];
    if (copy !== '') copies.set(copy, [...(copies.get(copy) ?? []), join(folder, name)]);
  }
  await removeAbandoned([...copies.values()].map((files) => ({ path: files[0] ?? '', files })));
}

/** Removes the folders that copies to stdout left in a folder for temporary files. */
export async function removeCopyFolders(folder: string): Promise<void> {
  const paths = namesIn(folder)
    .filter((name) => name.startsWith(COPY_FOLDER))
    .map((name) => join(folder, name));
  await removeAbandoned(
    paths.map((path) => ({ path, files: namesIn(path).map((name) => join(path, name)) })),
  );
}

/** Removes what no process has open; where the system does not tell that, what is old. */
export async function removeAbandoned(found: readonly LeftOver[]): Promise<void> {
  let left = found.filter(({ path, files }) => [path, ...files].every(isOwn));
  for (const pause of GLANCES_MS) {
    if (left.length === 0) return;
    await sleep(pause);
    const inUse = filesInUse(left.flatMap(({ files }) => files));
    left = left.filter(({ path, files }) =>
      // A folder without a file may be about to get one.
      inUse === null || files.length === 0
        ? [path, ...files].every(isOld)
        : !files.some((file) => inUse.has(file)),
    );
  }
  for (const { path, files } of left) {
    // Never a whole tree: another user may have put one beside. One that cannot be removed is no reason against another copy.
    for (const file of files) await rm(file, { force: true }).catch(() => undefined);
    if (!files.includes(path)) await rmdir(path).catch(() => undefined);
  }
}

/** The files of others are theirs to remove. */
const isOwn = (path: string): boolean => {
  const found = statOf(path);
  return found !== null && found.uid === (process.getuid?.() ?? found.uid);
};

const isOld = (path: string): boolean => Date.now() - (statOf(path)?.mtimeMs ?? 0) > LEFT_OVER_MS;

function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The copy itself says so.
    return [];
  }
}
