import { accessSync, constants, existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { usageError } from '../../../../errors/errors.ts';
import { shellWord } from '../../../../terminal/shell-word.ts';
import { entryIn, placeIn } from './image-place.ts';

/** The settings of the service, for its operator to change. */
export const SETTINGS = '/etc/hubline/env';
export const UNIT = 'hubline.service';
export const UNIT_FILE = `/etc/systemd/system/${UNIT}`;
export const WANTS = '/etc/systemd/system/multi-user.target.wants';
export const LINUX_BACKUPS = '/var/lib/hubline-backups';

export function settingsText(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}`);
  return ['# Settings of hubline server start. After a change: hubline service install', ...lines, ''].join(
    '\n',
  );
}

/** The file of the settings in the system in `root`, which is empty for this machine. */
export const settingsIn = (root: string): string => join(root, SETTINGS);

/** The words that install the service there. */
export const installCommand = (root: string): string =>
  `hubline service install${root === '' ? '' : ` --root ${shellWord(root)}`}`;

/** The text of the existing settings; `null` for none. */
export function keptText(root: string): string | null {
  const [named, file] = [entryIn(root, SETTINGS), placeIn(root, SETTINGS)];
  if (!isReadable(file)) {
    if (isLink(named) && !existsSync(file))
      throw usageError(
        `${named} is a link to ${readlinkSync(named)}, which is not there, and the service would start without its settings.`,
        'Put the file there, or remove the link.',
      );
    return null;
  }
  if (!statSync(file).isFile())
    throw usageError(`${file} is a directory or a device, but must be a file.`, 'Move it away.');
  return readFileSync(file, 'utf8');
}

/** Only root may read the file. Other users are refused an installation later, for a better reason. */
function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const isLink = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;

export const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** The directory for backups if it is not the service's own, and has to be opened for it. */
export function foreignBackups({
  HUBLINE_BACKUP_TO: place,
}: Readonly<Record<string, string>>): string | undefined {
  const isOpen = place === undefined || !place.startsWith('/') || `${place}/`.startsWith(`${LINUX_BACKUPS}/`);
  return isOpen ? undefined : place;
}
