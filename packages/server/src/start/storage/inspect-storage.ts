import type { ServerConfig } from '../../config/config.ts';
import { requireKnownSchema } from '../../db/migrations/migrate.ts';
import type { DatabaseInfo } from '../../db/sqlite/file/sqlite-copy.ts';
import { infoAtRest } from '../../db/sqlite/info-at-rest.ts';
import {
  databaseFileOf,
  hasDatabase,
  inUse,
  isInUse,
  readMasterKeys,
  refuseDeadLink,
} from '../../data-directory/data-directory.ts';
import { refuseEmptied } from '../../data-directory/refuse-emptied.ts';
import { explainSqliteError } from './explain-sqlite-error.ts';
import { requireKey } from './master-key/require-key.ts';

/**
 * Refuses a master key or a SQLite database that a start would refuse, without making anything. If a server uses the
 * database now, does not touch it and returns a sentence about that; otherwise `null`. Throws `ConfigError`.
 */
export function inspectStorage(config: ServerConfig): string | null {
  refuseDeadLink(config);
  const keys = readMasterKeys(config);
  if (config.databaseUrl !== undefined || !hasDatabase(config.data)) return null;
  refuseEmptied(config);
  if (isInUse(config.data)) return `A start would be refused now: ${inUse(config.data).message}`;
  const { migrations, fingerprint } = infoOf(config);
  requireKnownSchema(migrations);
  if (fingerprint !== null) requireKey(fingerprint, keys, config);
  return null;
}

function infoOf({ data }: Pick<ServerConfig, 'data'>): DatabaseInfo {
  try {
    return infoAtRest(databaseFileOf(data));
  } catch (error) {
    throw explainSqliteError(error, data);
  }
}
