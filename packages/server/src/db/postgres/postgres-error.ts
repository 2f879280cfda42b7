import type { DatabaseError } from 'pg';
import { DeletedMeanwhile } from '../../domain/faults/deleted-meanwhile.ts';
import { StorageLocked, StorageUnavailable } from '../../domain/faults/storage-unavailable.ts';
import { codeOf } from '../core/storage-errors.ts';

const POSTGRES_UNIQUE = '23505';
const POSTGRES_FOREIGN_KEY = '23503';
const POSTGRES_LOCK_TIMEOUT = '55P03';
const POSTGRES_READ_ONLY = '25006';
// Connection lost, out of resources, cancelled or too slow for a timeout of the administrator, shutting down, serialization failure,
// deadlock, lock held for too long, idle transaction of a frozen process, read-only.
const POSTGRES_TEMPORARY = /^(?:08|53|57014|57P0|40001|40P01|55P03|25P03|25006)/;

/**
 * Translates an error of PostgreSQL as `sqliteError` does one of SQLite. An error that the database server did not report is about the
 * connection; a `TypeError` is about a value.
 */
export function postgresError(error: unknown): unknown {
  if (codeOf(error) === POSTGRES_FOREIGN_KEY) return new DeletedMeanwhile({ cause: error });
  if (codeOf(error) === POSTGRES_LOCK_TIMEOUT) return new StorageLocked({ cause: error });
  const temporary = isDatabaseError(error)
    ? POSTGRES_TEMPORARY.test(codeOf(error))
    : !(error instanceof TypeError);
  return temporary ? new StorageUnavailable({ cause: error }) : error;
}

/**
 * Translates an error of a connection that was not made. Nothing was asked yet, so the reason is never the request: PostgreSQL may be
 * down, or refuse the user while its password is replaced or the database is restored.
 */
export const connectError = (error: unknown): unknown =>
  isDatabaseError(error) ? new StorageUnavailable({ cause: error }) : postgresError(error);

/** The error of work that got no connection, although PostgreSQL responds. */
export const allConnectionsInUse = (connections: number, waitedMs: number): Error =>
  new Error(
    `All connections to PostgreSQL (${connections}) were in use for ${waitedMs / 1_000} s. ` +
      'Find in pg_stat_activity what their statements wait for, such as a lock; under load, raise --database-connections',
  );

/** `Dialect.isUniqueViolation`: the constraint is named `table_column_key`. */
export const isUniqueViolation = (error: unknown, column?: string): boolean =>
  codeOf(error) === POSTGRES_UNIQUE &&
  (column === undefined ||
    (error as Partial<DatabaseError>).constraint === `${column.replace('.', '_')}_key`);

/**
 * Reports whether a write was refused because only reads are allowed: on a former primary after a failover, or where a hosted database
 * has almost no disk left. The session stays read-only, so its connection is of no further use.
 */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === POSTGRES_READ_ONLY;

/**
 * Reports whether the database server reported an error. Checks a field that only such errors have, because importing the class
 * would load the driver.
 */
const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && typeof (error as Partial<DatabaseError>).severity === 'string';
