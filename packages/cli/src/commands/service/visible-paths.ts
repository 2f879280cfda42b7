import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors/errors.ts';
import { HIDDEN } from './platforms/hidden.ts';
import { requireReadable } from './platforms/systemd/readable-file.ts';
import { shellWord } from '../../terminal/shell-word.ts';
import { placeIn } from './platforms/systemd/image-place.ts';
import { foreignBackups } from './platforms/systemd/systemd-settings.ts';
import { defaultBackups } from './plan.ts';

/** The settings that name paths, by the names of their variables. */
const PATHS = [
  { variable: 'HUBLINE_TLS_CERT', flag: '--tls-cert', kind: 'file' },
  { variable: 'HUBLINE_TLS_KEY', flag: '--tls-key', kind: 'file' },
  { variable: 'HUBLINE_BACKUP_TO', flag: '--backup-to', kind: 'directory' },
] as const;

/** Places that messages suggest: for settings, and for backups on another disk. */
const [SETTINGS, DISK] =
  process.platform === 'win32'
    ? [String.raw`C:\ProgramData\Hubline`, String.raw`D:\Backups`]
    : ['/etc/hubline', '/mnt/backups/hubline'];

/** State directories of services under another name: systemd opens each to its own service, and links to it from `/var/lib`. */
const OF_SERVICES = /^\/var\/lib\/private\//;

interface PathRules {
  /** The directory that every path begins with; empty for the running system. */
  readonly root: string;
  /** Makes the path of a flag absolute; in an image it begins at `/`. `null` if the settings are variables of a file. */
  readonly absolute: Context['absolute'] | null;
  /** Reports whether the server refuses a directory as a place for backups, because its owner must not change. */
  readonly isUnfitForBackups: (path: string) => boolean;
}

/** The settings with absolute paths. Refuses those that the service cannot see or read. */
export function visiblePaths(
  settings: Readonly<Record<string, string>>,
  { root, absolute, isUnfitForBackups }: PathRules,
): Record<string, string> {
  const visible = { ...settings };
  const isUnfit = (path: string): boolean => isUnfitForBackups(path) || OF_SERVICES.test(path);
  for (const { variable, flag, kind } of PATHS) {
    const given = settings[variable];
    if (!given || given.startsWith('s3://')) continue;
    const named = { name: absolute === null ? variable : flag, kind };
    if (absolute === null && !isAbsolute(given))
      throw usageError(`${variable} ${given} is not an absolute path.`, 'Begin it with /.');
    const path = root === '' && absolute !== null ? absolute(given) : resolve('/', given);
    const place = placeIn(root, path);
    const target = place.slice(root.length) || '/';
    if (kind === 'directory' && [path, target].some(isUnfit))
      throw usageError(`${named.name} ${path} is a system directory.`, elsewhere(named.name));
    requireVisible(path, named);
    requireVisible(target, named);
    // The disk for backups may be mounted when the image runs, and the service makes its own directory.
    const isLater =
      kind === 'directory' && (root !== '' || foreignBackups({ [variable]: path }) === undefined);
    if (!isLater) requireThere(place, named);
    if (!isLater && root === '') requireVisible(realpathSync(path), named);
    if (kind === 'file') requireReadable(path, { root, name: named.name });
    visible[variable] = path;
  }
  return visible;
}

interface Named {
  readonly name: string;
  readonly kind: (typeof PATHS)[number]['kind'];
}

function requireVisible(path: string, { name, kind }: Named): void {
  if (!HIDDEN.test(path)) return;
  throw usageError(
    `${name} ${path} is hidden from the service, as all homes and temporary files are.`,
    kind === 'file'
      ? `Put the file where the service may read it, such as in ${SETTINGS}, and name it with ${name}.`
      : elsewhere(name),
  );
}

const elsewhere = (name: string): string =>
  `Name a directory elsewhere, such as ${name}${name.startsWith('-') ? ' ' : '='}${DISK}, or leave it out for ${defaultBackups(process.platform)}.`;

function requireThere(path: string, { name, kind }: Named): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && found.isDirectory() === (kind === 'directory')) return;
  if (found) throw usageError(`${name} ${path} is not a ${kind}.`, `Name a ${kind} with ${name}.`);
  throw usageError(
    `${name} ${path} does not exist.`,
    kind === 'file'
      ? `Put the file there, or name another with ${name}.`
      : `Mount its disk, or make it: sudo mkdir -p ${shellWord(path)}`,
  );
}
