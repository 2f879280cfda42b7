import { type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError } from '../config/config.ts';

/** The files that are opened by their names alone: whoever opens a pipe waits for its writer. */
const FILES = [
  'hubline.db',
  'hubline.db-wal',
  'hubline.db-shm',
  'hubline.db-journal',
  'server.lock',
  'server.lock-journal',
  'server.json',
];

/** Refuses pipes, sockets and devices in their place. Throws `ConfigError`. */
export function refuseSpecialFiles(directory: string): void {
  for (const file of FILES.map((name) => join(directory, name))) {
    const found = statOf(file);
    if (found !== undefined) refuseSpecial(file, found);
  }
}

/** Throws `ConfigError` for a file that is not one, and no directory either: that has its own reason. */
export function refuseSpecial(file: string, found: Pick<Stats, 'isFile' | 'isDirectory'>): void {
  if (found.isFile() || found.isDirectory()) return;
  throw new ConfigError(
    `${resolve(file)} is a pipe, a socket or a device, but must be a file. Move it away, or name another place with --data or HUBLINE_DATA.`,
  );
}

/** Leaves out what this user may not look at: what opens it says so. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
