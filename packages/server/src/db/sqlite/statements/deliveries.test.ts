import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { expect, it } from 'vitest';
import { runDirectly } from '../../core/queries/prepared-query.ts';
import type { Database, Tx } from '../../core/schema.ts';
import type { DeliveryInsert } from '../../core/statements.ts';
import { insertDeliveries } from './deliveries.ts';

it('yields to the event loop while it stores an event with many deliveries', async () => {
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
  let inserted = 0;
  const insertSlowly = () => {
    for (const since = performance.now(); performance.now() - since < 3;);
    return { rows: 1, seq: (inserted += 1) };
  };
  runDirectly(db, () => ({ all: () => [], first: () => undefined, change: insertSlowly }));
  const storing = insertDeliveries(db as unknown as Tx, [{}, {}, {}] as DeliveryInsert[]);
  const seen = new Promise((resolve) => setImmediate(() => resolve(inserted)));
  expect(await seen).toBe(1);
  expect(await storing).toEqual([1, 2, 3]);
});
