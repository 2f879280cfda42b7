import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usageError } from '../../errors/errors.ts';
import { HIDDEN } from './hidden.ts';
import { foreignBackups } from './systemd-settings.ts';

/** The flags that name paths, by the names of their variables. */
const PATHS = [
  { variable: 'HUBLINE_TLS_CERT', flag: '--tls-cert', kind: 'file' },
  { variable: 'HUBLINE_TLS_KEY', flag: '--tls-key', kind: 'file' },
  { variable: 'HUBLINE_BACKUP_TO', flag: '--backup-to', kind: 'directory' },
] as const;

interface Place {
  /** The directory before every path; empty for the system that runs. */
  readonly root: string;
  /** The directory where relative paths begin; in an image it is `/`. */
  readonly cwd: string;
}

/** The settings with absolute paths. Refuses those that the service cannot see. */
export function visiblePaths(
  settings: Readonly<Record<string, string>>,
  { root, cwd }: Place,
): Record<string, string> {
  const absolute = { ...settings };
  for (const { variable, flag, kind } of PATHS) {
    const given = settings[variable];
    if (given === undefined || given.startsWith('s3://')) continue;
    const path = resolve(root === '' ? cwd : '/', given);
    requireVisible(path, { flag, kind });
    // The disk for backups may be mounted when the image runs, and the service makes its own directory.
    const isLater =
      kind === 'directory' && (root !== '' || foreignBackups({ [variable]: path }) === undefined);
    if (!isLater) requireThere(join(root, path), { flag, kind });
    if (!isLater && root === '') requireVisible(realpathSync(path), { flag, kind });
    absolute[variable] = path;
  }
  return absolute;
}

type Named = Pick<(typeof PATHS)[number], 'flag' | 'kind'>;

function requireVisible(path: string, { flag, kind }: Named): void {
  if (!HIDDEN.test(path)) return;
  throw usageError(
    `${flag} ${path} is hidden from the service, as all homes and temporary files are.`,
    kind === 'file'
      ? `Put the file elsewhere, such as below /etc/hubline, where the service may read it, and name that with ${flag}.`
      : `Name a directory elsewhere, such as ${flag} /mnt/backups/hubline, or leave it out for /var/lib/hubline-backups.`,
  );
}

function requireThere(path: string, { flag, kind }: Named): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && found.isDirectory() === (kind === 'directory')) return;
  throw usageError(
    found ? `${flag} ${path} is no ${kind}.` : `${flag} ${path} does not exist.`,
    kind === 'file'
      ? `Put the file there, or name another with ${flag}.`
      : `Mount its disk, or make it: sudo mkdir -p '${path}'`,
  );
}
