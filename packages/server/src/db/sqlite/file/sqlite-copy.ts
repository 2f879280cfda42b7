import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import SQLite from 'better-sqlite3';
import { chaos } from '#chaos';
import { codeOf } from '../../core/storage-errors.ts';
import { SEALED_COLUMNS } from '../../sealed-columns.ts';
import { openFile } from './open-file.ts';
import { syncDirectory } from './sync-directory.ts';

/** Values that a database holds about itself. */
export interface DatabaseInfo {
  /** The steps of its schema, in order. */
  migrations: string[];
  /** The fingerprint of the master key that its secrets are sealed with; `null` before the first start. */
  fingerprint: string | null;
}

/** A file that is not a database of Hubline, or a damaged one. The message says which. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase';
}

/**
 * Makes a consistent copy of a database that others are writing to, in one file: all that was committed when it began.
 * `VACUUM INTO` reads in one transaction, which writers do not wait for. The copy is checked and on disk before it gets its
 * name. Replaces `target`.
 */
export function copyLive(source: string, target: string): void {
  write({ source, target }, (partial) => {
    const database = openFile(source);
    try {
      database.pragma('busy_timeout = 5000');
      database.prepare('VACUUM INTO ?').run(partial);
    } finally {
      database.close();
    }
  });
}

/** Makes a copy of a database that nobody writes to, checked like `copyLive`, without some of its values in `meta`. Replaces `target`. */
export function copyAtRest(source: string, target: string, without: readonly string[]): void {
  write({ source, target }, (partial) => {
    copyBytes(source, partial);
    const copy = openFile(partial);
    try {
      const remove = copy.prepare('delete from meta where key = ?');
      for (const key of without) remove.run(key);
    } finally {
      copy.close();
    }
  });
}

/** Reads what a database holds about itself. Throws `UnusableDatabase`. */
export function readDatabaseInfo(file: string): DatabaseInfo {
  return inspect(file, (database) => {
    const fingerprint = database
      .prepare<[], { value: string }>(`select value from meta where key = 'master_key_fingerprint'`)
      .get();
    const migrations = database
      .prepare<[], { name: string }>('select name from migrations order by name')
      .all();
    return { migrations: migrations.map(({ name }) => name), fingerprint: fingerprint?.value ?? null };
  });
}

/** The IDs of the keys that its secrets are sealed with: several after a rotation that was interrupted. Throws `UnusableDatabase`. */
export function readSealingKeys(file: string): string[] {
  return inspect(file, (database) => {
    const ids = SEALED_COLUMNS.flatMap(({ table, column }) =>
      database
        .prepare<[], string>(
          `select distinct substr(${column}, 4, instr(substr(${column}, 4), '.') - 1) from ${table} where ${column} like 'v1.%'`,
        )
        .pluck()
        .all(),
    );
    return [...new Set(ids)];
  });
}

const CHUNK_BYTES = 1024 * 1024;

// The tables whose rows somebody would miss.
const COUNTED = ['users', 'workspaces', 'integrations', 'webhooks', 'events', 'deliveries'];

/** Counts the rows of the tables that matter most. Throws `UnusableDatabase`. */
export function countRows(file: string): Record<string, number> {
  return inspect(file, (database) =>
    Object.fromEntries(
      COUNTED.map((table) => [
        table,
        database.prepare<[], { rows: number }>(`select count(*) as rows from ${table}`).get()?.rows ?? 0,
      ]),
    ),
  );
}

function write(
  { source, target }: { source: string; target: string },
  fill: (partial: string) => void,
): void {
  const partial = `${target}.partial-${randomBytes(4).toString('hex')}`;
  // The copy holds users' data: it is readable by its owner only, from the first byte. SQLite takes an empty
  // file for a new database. It is open until it is renamed: another copy removes partial files that no process
  // has open.
  const held = openSync(partial, 'wx', 0o600);
  try {
    chaos.reach('backup.begun');
    fill(partial);
    chaos.reach('backup.copied');
    fchmodSync(held, 0o600);
    checkDatabase(partial, source);
    fsyncSync(held);
    chaos.reach('backup.synced');
    renameSync(partial, target);
    chaos.reach('backup.renamed');
    syncDirectory(dirname(target));
  } finally {
    closeSync(held);
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${partial}${suffix}`, { force: true });
  }
}

/**
 * Reads all of a database. If it is damaged, throws `UnusableDatabase` with `known`, the file that the
 * operator knows.
 */
export function checkDatabase(file: string, known = file): void {
  const check = (database: SQLite.Database) => {
    // Refuses what is no database.
    database.prepare('select count(*) from sqlite_schema').get();
    // SQLite reads a last page that is cut short as if zeros followed, and finds nothing wrong with most of them.
    if (statSync(file).size % Number(database.pragma('page_size', { simple: true })) !== 0)
      return 'its last page is cut short';
    return database.pragma('integrity_check', { simple: true });
  };
  const found = inspect(file, check, known);
  if (found !== 'ok')
    throw new UnusableDatabase(`${known} is damaged: ${String(found).replaceAll(/\s+/g, ' ')}`);
}

/**
 * Copies only the bytes. `copyFileSync` copies the mode too, and for root the owner, who could then write to
 * the copy.
 */
function copyBytes(source: string, target: string): void {
  const from = openSync(source, 'r');
  const to = openSync(target, 'r+');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let read = readSync(from, chunk); read > 0; read = readSync(from, chunk))
      for (let written = 0; written < read;) written += writeSync(to, chunk, written, read - written);
  } finally {
    closeSync(from);
    closeSync(to);
  }
}

function inspect<Result>(file: string, work: (database: SQLite.Database) => Result, known = file): Result {
  try {
    const database = new SQLite(file, { readonly: true, fileMustExist: true });
    try {
      return work(database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof UnusableDatabase) throw error;
    const is = codeOf(error).startsWith('SQLITE_CORRUPT') ? 'is damaged' : 'is not a database of Hubline';
    throw new UnusableDatabase(`${known} ${is}: ${(error as Error).message}`, { cause: error });
  }
}
