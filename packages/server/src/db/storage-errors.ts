import pg from 'pg';
import { DeletedMeanwhile } from '../domain/faults/deleted-meanwhile.ts';
import { StorageUnavailable } from '../domain/faults/storage-unavailable.ts';

const SQLITE_TEMPORARY = /^SQLITE_(?:BUSY|FULL|IOERR|LOCKED|CANTOPEN|READONLY)/;
const POSTGRES_FOREIGN_KEY = '23503';
// Connection lost, out of resources, shutting down, serialization failure, deadlock.
const POSTGRES_TEMPORARY = /^(?:08|53|57P0|40001|40P01)/;

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as Error & { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

/**
 * An error of SQLite as others understand it: what it or its disk cannot do now as `StorageUnavailable`, a row without the row that
 * it belongs to as `DeletedMeanwhile`, every other error as it is.
 */
export function sqliteError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new DeletedMeanwhile({ cause: error });
  return SQLITE_TEMPORARY.test(code) ? new StorageUnavailable({ cause: error }) : error;
}

/** The same for PostgreSQL. What the server did not say itself is about the connection, a `TypeError` about a value. */
export function postgresError(error: unknown): unknown {
  if (codeOf(error) === POSTGRES_FOREIGN_KEY) return new DeletedMeanwhile({ cause: error });
  const temporary =
    error instanceof pg.DatabaseError
      ? POSTGRES_TEMPORARY.test(codeOf(error))
      : !(error instanceof TypeError);
  return temporary ? new StorageUnavailable({ cause: error }) : error;
}

/**
 * The disk did not confirm a write. Asking again proves nothing: the system may have dropped what it could not write, and
 * then confirms what is left (docs/decisions/faults.md).
 */
export class DiskFailure extends Error {
  override readonly name = 'DiskFailure';

  constructor(options: { cause: unknown }) {
    super(
      'The disk did not confirm a write. Nothing is stored from here on, because nothing could be promised; what was ' +
        'acknowledged before is safe. Check the disk and the log of the system, then start the server again.',
      options,
    );
  }
}

/** Reports whether an error of SQLite is a `DiskFailure`. */
export function isUnconfirmed(error: unknown): boolean {
  return /^SQLITE_IOERR_(?:DIR_)?FSYNC$/.test(codeOf(error));
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
