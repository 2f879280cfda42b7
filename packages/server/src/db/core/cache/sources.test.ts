import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../migrations/migrate.ts';
import type { Database, Tx } from '../schema.ts';
import { changing } from './changing.ts';
import { type CachedTable, NAMED_BY, type Source, SOURCES } from './sources.ts';

const TABLES = Object.keys(SOURCES) as CachedTable[];
const SOURCE = join(import.meta.dirname, '../../..');
// Their table is a variable. Its type has no cached table, or they name what they change.
const OF_ANY_TABLE = [
  'db/core/cache/changing.ts',
  'db/prune.ts',
  'db/retention.ts',
  'db/sealed-columns.ts',
  'db/workspaces/remove-workspace.ts',
  'db/sqlite/statements/delete-many.ts',
  'db/postgres/statements/delete-many.ts',
  'db/postgres/store-tables.ts',
];

const BUILT =
  /\b(?:insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\s*(?:<[^>]*>)?\(\s*([^)]*?)\s*\)/g;
const WRITTEN =
  /\b(?:(?:insert(?:\s+or\s+\w+)?|replace|merge)\s+into|update(?:\s+or\s+\w+)?|delete\s+from|truncate(?:\s+table)?)\s+(?:only\s+)?["`]?(\w+|\$\{)/gi;

/** The writes in a text that may change a cached table without naming its sources. */
function bypasses(text: string, path = ''): string[] {
  const refused = (table: string) =>
    /^\w+$/.test(table) ? TABLES.includes(table as CachedTable) : !OF_ANY_TABLE.includes(path);
  const built = [...text.matchAll(BUILT)].filter(([, argument = '']) =>
    refused(/^['"`](\w+)/.exec(argument)?.[1] ?? '?'),
  );
  const written = [...text.matchAll(WRITTEN)].filter(([, table = '']) => refused(table));
  return [...built, ...written].map(([write]) => `${path} ${write}`.trim());
}

it('no file changes a cached table but through `changing`', () => {
  const files = globSync('**/*.ts', { cwd: SOURCE }).filter(
    (path) => !/\.test\.ts$|^db\/migrations\//.test(path),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap((path) => bypasses(readFileSync(join(SOURCE, path), 'utf8'), path))).toEqual([]);
});

it.each(TABLES)('a change of %s that bypasses it is found, however it is written', (table) => {
  for (const write of [
    `tx.updateTable('${table}').set(`,
    `tx\n    .deleteFrom("${table} as one")\n`,
    `tx.insertInto('${table}').values(`,
    'tx.deleteFrom(table).where(',
    `sql\`update ${table} set `,
    `sql\`INSERT OR REPLACE INTO "${table}" `,
    `sql\`delete\n  from only ${table}\``,
    'sql`delete from ${sql.table(table)} ',
  ])
    expect(bypasses(write), write).toHaveLength(1);
  expect(
    bypasses(
      `changing(tx, '${table}', row).update(); sql\`delete from x_${table}\`; select(x).from('${table}')`,
    ),
  ).toEqual([]);
});

describe.each(TABLES)('a change of %s', (table) => {
  const row = Object.fromEntries(NAMED_BY[table].map((column) => [column, `its ${column}`]));
  const sourceOf = (values: object) => (SOURCES[table] as (row: object) => Source[])(values)[0];

  it('names a source by exactly the columns that limit it', () => {
    expect(sourceOf(row)).not.toContain('undefined');
    for (const column of NAMED_BY[table])
      expect(sourceOf({ ...row, [column]: 'another' })).not.toBe(sourceOf(row));
  });

  it('touches no row of another source, whatever condition it has', () => {
    const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) });
    const change = changing(db as Tx, table, row as never);
    const limit = NAMED_BY[table].map((column) => `"${column}" = ?`).join(' and ');
    const all = [change.update().set({ [NAMED_BY[table][0] as string]: 'new' } as never), change.delete()];
    for (const statement of all) {
      const { sql, parameters } = statement.compile();
      expect(sql).toMatch(new RegExp(`where \\(?${limit.replaceAll('?', String.raw`\?`)}\\)?$`));
      expect(parameters).toEqual(expect.arrayContaining(Object.values(row)));
    }
    const foreign = Object.fromEntries(NAMED_BY[table].map((column) => [column, 'another']));
    const inserted = change.insert(foreign).compile();
    expect(inserted.parameters).toEqual(Object.values(row));
  });
});

it('a row names every cached row with which it is deleted', async () => {
  const database = new SQLite(':memory:');
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database }) });
  for (const migration of MIGRATIONS) await migration.up(db as Tx, 'sqlite');
  const sourcesOf = (table: string, row: object) =>
    (SOURCES as unknown as Record<string, (row: object) => Source[]>)[table]?.(row);
  let cascades = 0;
  for (const child of TABLES) {
    const keys = database.pragma(`foreign_key_list(${child})`) as Record<string, string>[];
    for (const { table: parent = '', from = '', to = '', on_delete } of keys) {
      // Versions stay in the cache on purpose.
      if (on_delete !== 'CASCADE' || child === 'automation_versions') continue;
      cascades += 1;
      expect(sourcesOf(child, { [from]: 'x' }), `${child} of ${parent}`).toContain(
        sourcesOf(parent, { [to]: 'x' })?.[0],
      );
    }
  }
  expect(cascades).toBeGreaterThan(5);
  await db.destroy();
});
