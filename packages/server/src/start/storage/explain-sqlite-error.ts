import { ConfigError } from '../../config/config.ts';
import { codeOf } from '../../db/core/storage-errors.ts';
import { databaseFileOf } from '../../data-directory/data-directory.ts';
import { explainDataError } from '../../data-directory/explain-data-error.ts';
import { shellWord } from '../../system/shell-word.ts';

/** Turns an error of the SQLite database at a start into a `ConfigError` that says what to do; every other error stays as it is. */
export function explainSqliteError(error: unknown, data: string): unknown {
  if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(codeOf(error))) return explainDataError(error, data);
  return new ConfigError(
    `${databaseFileOf(data)} is damaged, or is not a SQLite database. Keep a copy of it, and restore a backup: hubline server restore FILE --data ${shellWord(data)} --force`,
    { cause: error },
  );
}
