import SQLite from 'better-sqlite3';
import { Kysely, sql, type SqlBool, SqliteDialect } from 'kysely';
import { expect, it } from 'vitest';
import type { Database } from '../schema.ts';
import { cachedRow } from './cache.ts';

it('a cached query may have no SQL as text, which could read tables that its sources do not name', async () => {
  await using db = new Kysely<Database>({
    dialect: new SqliteDialect({ database: new SQLite(':memory:') }),
  });
  const query = cachedRow<{ id: string }, { id: string }, 'users'>(
    'user whose workspace exists',
    (users) => ({ users }),
    (reading, p) =>
      reading
        .selectFrom('users')
        .select('id')
        .where('id', '=', p('id'))
        .where((and) => and.not(and.exists(sql<SqlBool>`(select 1 from workspaces)`))),
  );
  expect(() => query(db, { id: 'x' })).toThrow('A cached query may have no SQL as text');
});
