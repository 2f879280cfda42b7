import type SQLite from 'better-sqlite3';

/** Counts what has changed tables, so that rows read before can be used again. */
export interface TableVersions {
  /** Changes whenever one of the tables may have; `null` while a unit that is not committed yet has changed one. */
  of(tables: readonly string[]): number | null;
}

// What another process has committed is noticed after this long; what this one has, at once. Asking SQLite costs as much
// as a look-up by key.
const FOREIGN_MS = 20;

/** Every table: a statement whose table is not known, or one whose rows take others with them. */
const ALL = '*';
const CASCADING = new Set(['workspaces']);

/** The table that a statement changes, and `null` for one that only reads. */
export function changedTable({ readonly, source }: SQLite.Statement): string | null {
  if (readonly) return null;
  const table = /\b(?:insert into|update|delete from)\s+"?(\w+)/i.exec(source)?.[1];
  return table === undefined || CASCADING.has(table) ? ALL : table;
}

/** The versions of a SQLite database with one writing connection. */
export class SqliteTableVersions {
  readonly #dataVersion: SQLite.Statement;
  readonly #versions = new Map<string, number>();
  readonly #open = new Set<string>();
  #foreign = 0;
  #askedAt = 0;

  constructor(writer: SQLite.Database) {
    // Counts the commits of all other connections.
    this.#dataVersion = writer.prepare('PRAGMA data_version').pluck();
  }

  /** A unit is about to change a table. A change that is rolled back counts too: then a row is read once more. */
  change(table: string): void {
    this.#open.add(table);
  }

  committed(): void {
    for (const table of this.#open) this.#versions.set(table, this.#version(table) + 1);
    this.#open.clear();
  }

  /** As who reads what is committed sees them. */
  readonly ofCommitted: TableVersions = {
    of: (tables) => {
      const now = performance.now();
      if (now - this.#askedAt > FOREIGN_MS) {
        this.#askedAt = now;
        this.#foreign = this.#dataVersion.get() as number;
      }
      let sum = this.#foreign + this.#version(ALL);
      for (const table of tables) sum += this.#version(table);
      return sum;
    },
  };

  /** As a unit sees them. */
  readonly ofUnit: TableVersions = {
    of: (tables) =>
      this.#open.has(ALL) || tables.some((table) => this.#open.has(table))
        ? null
        : this.ofCommitted.of(tables),
  };

  #version(table: string): number {
    return this.#versions.get(table) ?? 0;
  }
}
