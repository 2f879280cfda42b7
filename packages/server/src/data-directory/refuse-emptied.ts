import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type ServerConfig } from '../config/config.ts';
import { databaseFileOf } from './data-directory.ts';
import { shellWord } from '../system/shell-word.ts';

/**
 * Refuses an empty database beside a `master.key`: the key is made after the schema, so the file has lost what it had, as after a
 * power cut or a copy onto a full disk. A start would make a new, empty one of it. Throws `ConfigError`.
 */
export function refuseEmptied({ data, databaseUrl }: Pick<ServerConfig, 'data' | 'databaseUrl'>): void {
  const file = databaseFileOf(data);
  if (databaseUrl !== undefined || !isEmpty(file) || !isEmpty(`${file}-wal`, true)) return;
  if (!existsSync(join(data, 'master.key'))) return;
  throw new ConfigError(
    `${file} is empty, although a server has used this directory: its data is lost. Restore a backup: hubline server restore FILE --data ${shellWord(data)}. To start anew instead, remove ${file}.`,
  );
}

/** Reports whether a file has no bytes. `absent`: the result if there is no file. */
const isEmpty = (file: string, absent = false): boolean => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? absent : found.size === 0;
};
