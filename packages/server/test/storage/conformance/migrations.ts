import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readMeta } from '../../../src/db/meta.ts';
import { migrate, MIGRATIONS } from '../../../src/db/migrations/migrate.ts';
import type { Store } from '../../../src/db/core/store.ts';
import type { TestStorage } from '../storage.ts';

const FIRST = new Date('2026-01-01T00:00:00.000Z');
const LATER = new Date('2026-02-01T00:00:00.000Z');

export function testMigrations(create: () => Promise<TestStorage>): void {
  let storage: TestStorage;
  let stores: Store[];
  const open = () => {
    const store = storage.open();
    stores.push(store);
    return store;
  };
  beforeEach(async () => {
    storage = await create();
    stores = [];
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await storage.drop();
  });

  const applied = async (store: Store) =>
    (
      await sql<{ name: string; applied_at: string }>`select * from migrations order by name`.execute(
        store.read,
      )
    ).rows;

  it('make the schema, and do nothing the second time', async () => {
    const store = open();
    await migrate(store, FIRST);
    const once = await applied(store);
    expect(once.length).toBeGreaterThan(0);
    expect(new Set(once.map((row) => row.applied_at))).toEqual(new Set([FIRST.toISOString()]));
    await migrate(store, LATER);
    expect(await applied(store)).toEqual(once);
    expect(await readMeta(store.read, 'anything')).toBeNull();
  });

  it('are applied once by processes that start together', async () => {
    const together = [open(), open(), open(), open()];
    await Promise.all(together.map((store) => migrate(store, FIRST)));
    const names = (await applied(open())).map(({ name }) => name);
    expect(names).toEqual(MIGRATIONS.map(({ name }) => name));
  });

  it('refuse a database that a newer version has migrated, and leave it alone', async () => {
    const store = open();
    await migrate(store, FIRST);
    await store.write(
      async (tx) => void (await sql`insert into migrations values ('9999-future', 'then')`.execute(tx)),
    );
    const before = await applied(store);
    await expect(migrate(store, LATER)).rejects.toThrow(/newer version of Hubline \(9999-future\)/);
    expect(await applied(store)).toEqual(before);
  });
}
