import {
  ConfigError,
  envName,
  flagName,
  parseServerConfig,
  type ServerConfig,
  type ServerFlags,
} from '../config/config.ts';
import { openDestination } from './destinations/open-destination.ts';

/** The settings of a server that is to start: `parseServerConfig`, and no backups that would never be made. Throws `ConfigError`. */
export function parseStartConfig(flags: ServerFlags, env: Record<string, string | undefined>): ServerConfig {
  const config = parseServerConfig(flags, env);
  if (config.backupEvery === undefined) {
    const idle = (['backupTo', 'backupKeep'] as const).find((name) => flags[name] ?? env[envName(name)]);
    if (idle !== undefined) throw new ConfigError(idleBackups(idle, config));
  }
  if (config.backupTo !== undefined) openDestination(config.backupTo, config);
  return config;
}

function idleBackups(name: string, { databaseUrl }: ServerConfig): string {
  const named = `${flagName(name)} (or ${envName(name)})`;
  return databaseUrl === undefined
    ? `${named} needs --backup-every (or HUBLINE_BACKUP_EVERY), such as 24h: without it no backup is made. Set it, or unset ${flagName(name)}.`
    : `${named} is for backups of SQLite, and this server stores in PostgreSQL. Unset it, and run pg_dump, as "Backups" in the guide to self-hosting says.`;
}
