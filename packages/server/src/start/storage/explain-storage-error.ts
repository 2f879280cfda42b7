import type { ServerConfig } from '../../config/config.ts';
import { explainSqliteError } from './explain-sqlite-error.ts';

/** Turns an error of the database or of its disk into a `ConfigError` that says what to do; every other error stays as it is. */
export async function explainStorageError(
  error: unknown,
  { data, databaseUrl }: Pick<ServerConfig, 'data' | 'databaseUrl'>,
): Promise<unknown> {
  if (databaseUrl !== undefined) {
    // Its driver takes memory that a server on SQLite need not have.
    const { explainDatabaseError } = await import('./explain-database-error.ts');
    const explained = explainDatabaseError(error, databaseUrl);
    if (explained !== error) return explained;
  }
  return explainSqliteError(error, data);
}
