import { DeletedMeanwhile } from '../../domain/faults/deleted-meanwhile.ts';
import { StorageUnavailable } from '../../domain/faults/storage-unavailable.ts';
import { codeOf } from '../core/storage-errors.ts';

const SQLITE_TEMPORARY = /^SQLITE_(?:BUSY|FULL|IOERR|LOCKED|CANTOPEN|READONLY)/;

/**
 * Translates an error of SQLite: `StorageUnavailable` if it or its disk cannot do something now,
 * `DeletedMeanwhile` for a row whose parent row is gone. Every other error stays as it is.
 */
export function sqliteError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY') return new DeletedMeanwhile({ cause: error });
  return SQLITE_TEMPORARY.test(code) ? new StorageUnavailable({ cause: error }) : error;
}

/** `Dialect.isUniqueViolation`: the message names `table.column`. */
export const isUniqueViolation = (error: unknown, column?: string): boolean =>
  /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$/.test(codeOf(error)) &&
  (column === undefined || (error as Error).message.includes(column));

/**
 * The disk did not confirm a write. Writing again proves nothing: the system may have dropped the data that it could not write, and then
 * confirm the rest (docs/decisions/faults.md).
 */
export class DiskFailure extends Error {
  override readonly name = 'DiskFailure';

  constructor(options: { cause: unknown }) {
    super(
      'The disk did not confirm a write. The server stores nothing more; writes that were acknowledged before are safe. ' +
        'Check the disk and the system log, then start the server again.',
      options,
    );
  }
}

/** Reports whether an error of SQLite is a `DiskFailure`. */
export function isUnconfirmed(error: unknown): boolean {
  return /^SQLITE_IOERR_(?:DIR_)?FSYNC$/.test(codeOf(error));
}

/** Reports whether another process holds SQLite's write lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY');
}
