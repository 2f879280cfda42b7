import { resolve } from 'node:path';
import { ConfigError, parseServerConfig, type ServerConfig, type ServerFlags } from '../config/config.ts';
import { readGiven } from '../config/given-settings.ts';
import { refuseForeignPath } from '../data-directory/foreign-links.ts';
import { isUnfitForBackups, realOf } from '../system/system-directories.ts';
import { isDataDirectory, isInS3, openDestination } from './destinations/open-destination.ts';

/** Settings of backups that need an interval. */
const BACKUP_SETTINGS = ['backupTo', 'backupKeep'] as const;

/**
 * Parses the settings of a server that is to start: `parseServerConfig`, plus a refusal of backups that would never be
 * made. Throws `ConfigError`.
 */
export function parseStartConfig(flags: ServerFlags, env: Record<string, string | undefined>): ServerConfig {
  const config = parseServerConfig(flags, env);
  if (config.backupEvery === undefined) {
    const { values, names } = readGiven([...BACKUP_SETTINGS, 'backupEvery'], flags, env);
    // With `off`, `backupTo` is only for the commands that read backups.
    const idle =
      values.backupEvery === undefined && BACKUP_SETTINGS.find((name) => values[name] !== undefined);
    if (idle) throw new ConfigError(idleBackups(names[idle], config));
  }
  if (config.backupTo !== undefined) {
    openDestination(config.backupTo, config);
    refuseUnfitAddress(config.backupTo, config);
  }
  return config;
}

/**
 * Refuses to make backups in the data directory or in a directory of the system. Reading and fetching one there is
 * allowed.
 */
function refuseUnfitAddress(address: string, { names, data }: ServerConfig): void {
  if (isInS3(address)) return;
  refuseForeignPath(resolve(address));
  if (realOf(resolve(address)) === realOf(resolve(data)))
    throw isDataDirectory(`${names.backupTo} ${address}`);
  if (!isUnfitForBackups(resolve(address))) return;
  throw new ConfigError(
    `${names.backupTo} ${address} is a system directory. Name a directory for backups alone, ideally on another disk, such as /mnt/backups/hubline.`,
  );
}

function idleBackups(named: string, { databaseUrl }: ServerConfig): string {
  return databaseUrl === undefined
    ? `${named} needs --backup-every (or HUBLINE_BACKUP_EVERY), such as 24h: without it, no backup is made. Set it, or unset ${named}.`
    : `${named} is for backups of SQLite, but this server uses PostgreSQL. Unset it, and use pg_dump: see "Backups" in the self-hosting guide.`;
}
