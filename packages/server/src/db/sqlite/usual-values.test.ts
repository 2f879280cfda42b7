import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { expect, it } from 'vitest';
import { runDirectly } from '../core/queries/prepared-query.ts';
import type { Database } from '../core/schema.ts';
import { preparedUsually } from './usual-values.ts';

it('binds only the other values, and every value when a usual one differs', async () => {
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  const ran: unknown[] = [];
  runDirectly(db, (sql) => ({
    all: () => [],
    first: () => undefined,
    change: (values) => {
      ran.push([sql, ...values]);
      return { rows: 1, seq: 1 };
    },
  }));
  const insert = preparedUsually<{ kind: string; attempts: number; key: string | null }>(
    { attempts: 0, key: null },
    (on, p) =>
      on.insertInto('jobs').values({ kind: p('kind'), attempts: p('attempts'), key: p('key') } as never),
  );
  await insert(db, { kind: 'a', attempts: 0, key: null });
  await insert(db, { kind: 'b', attempts: 0, key: 'c' });
  const into = 'insert into "jobs" ("kind", "attempts", "key") values';
  expect(ran).toEqual([
    [`${into} (?, 0, null)`, 'a'],
    [`${into} (?, ?, ?)`, 'b', 0, 'c'],
  ]);
});
