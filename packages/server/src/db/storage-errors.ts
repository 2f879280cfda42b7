import { StorageUnavailable } from '../domain/storage-unavailable.ts';

const SQLITE_TEMPORARY = /^SQLITE_(?:BUSY|FULL|IOERR|LOCKED|CANTOPEN|READONLY)/;
// PostgreSQL: connection lost, out of resources, shutting down, serialisation failure, deadlock.
const POSTGRES_TEMPORARY = /^(?:08|53|57P0|40001|40P01)/;
const NETWORK_TEMPORARY = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

/** An error of that kind as `StorageUnavailable`, and every other one as it is. */
export function storageError(error: unknown): unknown {
  return isTemporary(error) ? new StorageUnavailable({ cause: error }) : error;
}

function isTemporary(error: unknown): boolean {
  const code = codeOf(error);
  return SQLITE_TEMPORARY.test(code) || POSTGRES_TEMPORARY.test(code) || NETWORK_TEMPORARY.has(code);
}

/** Another process holds SQLite's write lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}

/** A unique constraint refused the row; `column` narrows to one, such as `workspaces.slug`. */
export function isUniqueViolation(error: unknown, column?: string): boolean {
  const code = codeOf(error);
  if (code !== '23505' && code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return false;
  if (column === undefined) return true;
  // SQLite names `table.column`, PostgreSQL the constraint `table_column_key`.
  const { message, constraint } = error as Error & { constraint?: string };
  return message.includes(column) || constraint === `${column.replace('.', '_')}_key`;
}
