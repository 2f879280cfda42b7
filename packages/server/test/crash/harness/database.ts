import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import pg from 'pg';

/** The database as an outsider reads it: plain SQL on its own connection. */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  all<Row>(sql: string): Promise<Row[]>;
  run(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** The storage of a server. */
export interface StorageLocation {
  data: string;
  /** A PostgreSQL database; `undefined` for SQLite in `data`. */
  databaseUrl: string | undefined;
}

/** Opens the database of a server that may be running. */
export async function openDatabase({ data, databaseUrl }: StorageLocation): Promise<Database> {
  return databaseUrl === undefined ? sqlite(sqliteFile(data)) : postgres(databaseUrl);
}

export const sqliteFile = (data: string): string => join(data, 'hubline.db');

export function sqlite(file: string): Database {
  const database = new SQLite(file, { fileMustExist: true });
  database.pragma('busy_timeout = 5000');
  return {
    dialect: 'sqlite',
    all: async <Row>(sql: string) => database.prepare(sql).all() as Row[],
    run: async (sql) => void database.exec(sql),
    close: async () => void database.close(),
  };
}

async function postgres(connectionString: string): Promise<Database> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    dialect: 'postgres',
    all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
    run: async (sql) => void (await client.query(sql)),
    close: () => client.end(),
  };
}

/** Lists what SQLite finds wrong with a file: damaged pages, rows without the row they belong to. */
export function problemsOf(file: string): string[] {
  const database = new SQLite(file, { readonly: true, fileMustExist: true });
  try {
    const integrity = database.pragma('integrity_check', { simple: true });
    const orphans = database.pragma('foreign_key_check') as unknown[];
    return [
      ...(integrity === 'ok' ? [] : [`integrity_check: ${String(integrity)}`]),
      ...(orphans.length === 0
        ? []
        : [`foreign_key_check: ${orphans.length} rows without the row they belong to`]),
    ];
  } finally {
    database.close();
  }
}
