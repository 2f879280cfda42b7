import { beforeAll, expect, it } from 'vitest';
import { readMeta, writeMeta } from '../../../src/db/meta.ts';
import { migrate } from '../../../src/db/migrations/migrate.ts';
import type { Tx } from '../../../src/db/core/schema.ts';
import type { Store } from '../../../src/db/core/store.ts';
import { NOW, openMigrated, type TestStorage } from '../storage.ts';

export function testUnits(create: () => Promise<TestStorage>): void {
  let store: Store;
  beforeAll(async () => {
    const opened = await openMigrated(create);
    store = opened.store;
    return opened.close;
  });
  let count = 0;
  const newKey = () => `key ${(count += 1)}`;
  const stored = (key: string) => readMeta(store.read, key);

  it('is committed when it has ended, and resolves with what it returned', async () => {
    const key = newKey();
    expect(await store.write(async (tx) => (await writeMeta(tx, key, 'a'), 42))).toBe(42);
    expect(await stored(key)).toBe('a');
  });

  it('sees what it has written, and what was committed before', async () => {
    const key = newKey();
    await store.write((tx) => writeMeta(tx, key, 'a'));
    const seen = await store.write(async (tx) => {
      const before = await readMeta(tx, key);
      await writeMeta(tx, key, 'b');
      return [before, await readMeta(tx, key)];
    });
    expect(seen).toEqual(['a', 'b']);
  });

  it('leaves nothing when it throws, and disturbs none of the others', async () => {
    const keys = Array.from({ length: 40 }, newKey);
    const refusal = new Error('no');
    const results = await Promise.allSettled(
      keys.map((key, index) =>
        store.write(async (tx) => {
          await writeMeta(tx, key, 'a');
          if (index % 4 === 1) throw refusal;
          return index;
        }),
      ),
    );
    for (const [index, result] of results.entries()) {
      const failed = index % 4 === 1;
      expect(result).toEqual(
        failed ? { status: 'rejected', reason: refusal } : { status: 'fulfilled', value: index },
      );
      expect(await stored(keys[index] ?? '')).toBe(failed ? null : 'a');
    }
  });

  it('is rolled back by what it throws before its first query', async () => {
    const thrown = new Error('at once');
    const unit = (): Promise<void> => {
      throw thrown;
    };
    await expect(store.write(unit)).rejects.toBe(thrown);
    const key = newKey();
    await store.write((tx) => writeMeta(tx, key, 'a'));
    expect(await stored(key)).toBe('a');
  });

  it('cannot begin another unit, nor read outside of itself', async () => {
    const key = newKey();
    await expect(
      store.write(async (tx) => {
        await writeMeta(tx, key, 'a');
        await store.write((inner) => writeMeta(inner, key, 'b'));
      }),
    ).rejects.toThrow(/Store.write inside a unit/);
    await expect(store.write(() => readMeta(store.read, key))).rejects.toThrow(/Store.read inside a unit/);
    expect(await stored(key)).toBeNull();
  });

  it('cannot go on after its end', async () => {
    let leaked: Tx | undefined;
    await store.write(async (tx) => {
      leaked = tx;
      await readMeta(tx, 'x');
    });
    const key = newKey();
    await expect(writeMeta(leaked as Tx, key, 'late')).rejects.toThrow(/unit|committed|transaction/i);
    expect(await stored(key)).toBeNull();
  });

  it('cannot write with the handle of another one', async () => {
    const key = newKey();
    let leaked: Tx | undefined;
    await store.write(async (tx) => void (leaked = tx));
    await Promise.all([
      store.write((tx) => writeMeta(tx, `${key} own`, 'a')),
      expect(writeMeta(leaked as Tx, key, 'foreign')).rejects.toThrow(),
    ]);
    expect([await stored(key), await stored(`${key} own`)]).toEqual([null, 'a']);
  });

  it('is waited for when the store closes', async () => {
    const storage = await create();
    const closing = storage.open();
    await migrate(closing, new Date(NOW));
    const units = Array.from({ length: 20 }, (_, index) =>
      closing.write((tx) => writeMeta(tx, `key ${index}`, 'kept')),
    );
    await closing.close();
    await Promise.all(units);
    const again = storage.open();
    try {
      for (const index of units.keys()) expect(await readMeta(again.read, `key ${index}`)).toBe('kept');
    } finally {
      await again.close();
      await storage.drop();
    }
  });
}
