import { hash } from 'node:crypto';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, it } from 'vitest';
import type { Database, Tx } from '../../src/db/core/schema.ts';
import type { Migration } from '../../src/db/migrations/migration.ts';
import { MIGRATIONS } from '../../src/db/migrations/migrate.ts';

/**
 * Migrations that existing databases have, with the digests of their statements on SQLite and on PostgreSQL. Rows are
 * added, and never changed.
 */
const LANDED: Readonly<Record<string, readonly [string, string]>> = {
  '0001-initial': ['34ae8dcfc57b', '3cfd68a40e54'],
  '0002-statistics': ['5723a598583c', 'd910b9b65fe9'],
  '0003-row-changes': ['e3b0c44298fc', 'bfd208e94982'],
  '0004-quotas': ['e3b0c44298fc', '0f3e18a2edcd'],
  '0005-statistics-by-name': ['5520a96b9df4', 'e98647887231'],
  '0006-tallies': ['69d65c056037', '32ce88981ddf'],
  '0007-deleted-workspaces': ['82d7f4838490', 'fe0aecce3392'],
  '0008-refresh-leases': ['e3b0c44298fc', 'acbb9545be40'],
  '0009-recovery-webhooks': ['0554f13973b4', 'e888fd377101'],
  '0010-audit-filters': ['9e10860953d2', '9e10860953d2'],
};

/** The digest of a migration's statements, without regard to line breaks. */
async function digestOf(migration: Migration, dialect: 'sqlite' | 'postgres'): Promise<string> {
  const statements: string[] = [];
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (any) => new PostgresIntrospector(any),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql.replaceAll(/\s+/g, ' ')),
  });
  await migration.up(db as unknown as Tx, dialect);
  return hash('sha256', statements.join('\n')).slice(0, 12);
}

it('migrations that databases have never change: a change would reach new databases only, and needs its own migration', async () => {
  const found: Record<string, readonly [string, string]> = {};
  for (const one of MIGRATIONS)
    found[one.name] = [await digestOf(one, 'sqlite'), await digestOf(one, 'postgres')];
  expect(found, 'a new migration needs a row in LANDED; the rows that are there must stay').toEqual(LANDED);
});
