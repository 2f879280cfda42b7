import { type Stats, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError } from '../config/config.ts';

/** The files that are opened by name: opening a pipe would wait for its writer. */
const FILES = [
  'hubline.db',
  'hubline.db-wal',
  'hubline.db-shm',
  'hubline.db-journal',
  'server.lock',
  'server.lock-journal',
  'server.json',
  'backups.lock',
  'backups.lock-journal',
];

/** Refuses pipes, sockets and devices in their place. Throws `ConfigError`. */
export function refuseSpecialFiles(directory: string): void {
  for (const file of FILES.map((name) => join(directory, name))) {
    const found = statOf(file);
    if (found !== undefined) refuseSpecial(file, found);
  }
}

/** Throws `ConfigError` for anything but a file or a directory; a directory has an error of its own. */
export function refuseSpecial(file: string, found: Pick<Stats, 'isFile' | 'isDirectory'>): void {
  if (found.isFile() || found.isDirectory()) return;
  throw new ConfigError(
    `${resolve(file)} is a pipe, a socket or a device, but must be a file. Move it away, or name another place with --data or HUBLINE_DATA.`,
  );
}

/** The facts of a file; `undefined` if this user may not see it, which opening it will report. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
