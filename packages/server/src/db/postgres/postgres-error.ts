import type { DatabaseError } from 'pg';
import { DeletedMeanwhile } from '../../domain/faults/deleted-meanwhile.ts';
import { StorageUnavailable } from '../../domain/faults/storage-unavailable.ts';
import { codeOf } from '../core/storage-errors.ts';

const POSTGRES_FOREIGN_KEY = '23503';
// Connection lost, out of resources, shutting down, serialization failure, deadlock, idle transaction of a frozen process.
const POSTGRES_TEMPORARY = /^(?:08|53|57P0|40001|40P01|25P03)/;

/**
 * Translates an error of PostgreSQL as `sqliteError` does one of SQLite. An error that the database server did not report is about
 * the connection, a `TypeError` about a value.
 */
export function postgresError(error: unknown): unknown {
  if (codeOf(error) === POSTGRES_FOREIGN_KEY) return new DeletedMeanwhile({ cause: error });
  const temporary = isDatabaseError(error)
    ? POSTGRES_TEMPORARY.test(codeOf(error))
    : !(error instanceof TypeError);
  return temporary ? new StorageUnavailable({ cause: error }) : error;
}

/**
 * Reports whether the database server reported an error. Checks a field that only such errors have, because importing the class
 * would load the driver.
 */
const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && typeof (error as Partial<DatabaseError>).severity === 'string';
