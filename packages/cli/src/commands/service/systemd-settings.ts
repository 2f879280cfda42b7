import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The settings of the service, for its operator to change. */
export const SETTINGS = '/etc/hubline/env';
export const LINUX_BACKUPS = '/var/lib/hubline-backups';

export function settingsText(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${quoted(value)}`);
  return ['# Settings of hubline server start. After a change: systemctl restart hubline', ...lines, ''].join(
    '\n',
  );
}

/** The place of backups in the settings that are there, which the unit must open again after an upgrade. */
export function keptSettings(root: string): Record<string, string> {
  const file = join(root, SETTINGS);
  if (!isReadable(file)) return {};
  const place = /^HUBLINE_BACKUP_TO=(?:"((?:[^"\\]|\\.)*)"|(.*))$/m.exec(readFileSync(file, 'utf8'));
  const value = place?.[1]?.replaceAll(/\\(.)/g, '$1') ?? place?.[2]?.trim();
  return value ? { HUBLINE_BACKUP_TO: value } : {};
}

/** Only root may read it: others are refused an installation with a better reason than this file. */
function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/** The directory of backups that is not one of the service's own, and has to be opened for it. */
export function foreignBackups({
  HUBLINE_BACKUP_TO: place,
}: Readonly<Record<string, string>>): string | undefined {
  const isOpen = place === undefined || !place.startsWith('/') || `${place}/`.startsWith(`${LINUX_BACKUPS}/`);
  return isOpen ? undefined : place;
}
