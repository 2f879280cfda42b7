import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pause } from '../clock/timer.ts';
import { refuseForeignPath } from '../data-directory/foreign-links.ts';
import { filesInUse } from '../system/holders.ts';

/**
 * An unfinished copy that was not written to for this long is a leftover, even if the system does not tell who has it
 * open.
 */
const LEFTOVER_MS = 3_600_000;
// Looks twice, because a copy closes its file for an instant between two of its steps.
const PAUSES_MS = [0, 100];

const COPY = /^(.*\.partial-[0-9a-f]{8})(?:-\w+)?$/;

/** A name for a copy that is not finished. */
export const unfinishedNameOf = (file: string): string => `${file}.partial-${randomBytes(4).toString('hex')}`;

/**
 * Removes the unfinished copies into a file that no process has open. Throws `ConfigError` for a path through links
 * that root does not follow.
 */
export async function removeUnfinished(file: string): Promise<void> {
  const folder = dirname(file);
  refuseForeignPath(folder);
  const copies = new Map<string, string[]>();
  for (const name of namesIn(folder)) {
    const [, copy = ''] = name.startsWith(`${basename(file)}.partial-`) ? (COPY.exec(name) ?? []) : [];
    if (copy !== '') copies.set(copy, [...(copies.get(copy) ?? []), join(folder, name)]);
  }
  await removeAbandoned([...copies.values()]);
}

/**
 * Removes copies that no process has open, or old ones if the system does not tell. The files of a copy stay or go
 * together. A file that cannot be removed does not prevent another copy.
 */
export async function removeAbandoned(copies: readonly (readonly string[])[]): Promise<void> {
  let left = copies.filter((files) => files.every(isOwn));
  for (const ms of PAUSES_MS) {
    if (left.length === 0) return;
    await pause(ms);
    const inUse = filesInUse(left.flat());
    left = left.filter((files) =>
      inUse === null ? files.every(isOld) : !files.some((file) => inUse.has(file)),
    );
  }
  for (const file of left.flat()) await rm(file, { force: true }).catch(() => undefined);
}

/** Reports whether this user owns a file. The files of other users are theirs to remove. */
const isOwn = (path: string): boolean => {
  const found = statOf(path);
  return found !== null && found.uid === (process.getuid?.() ?? found.uid);
};

const isOld = (path: string): boolean => Date.now() - (statOf(path)?.mtimeMs ?? 0) > LEFTOVER_MS;

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
    // The copy itself reports the error.
    return [];
  }
}
