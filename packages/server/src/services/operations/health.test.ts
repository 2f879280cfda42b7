import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../db/core/store.ts';
import { migrate } from '../../db/migrations/migrate.ts';
import { openSqlite } from '../../db/sqlite/sqlite-store.ts';
import { StorageUnavailable } from '../../domain/faults/storage-unavailable.ts';
import { Readiness } from './health.ts';

const silent = () => undefined;

let folder: string;
let store: Store;
let elapsed: number;
/** A write waits for this before it begins. */
let connection: Promise<void>;
let readiness: Readiness;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hubline-health-'));
  store = openSqlite(join(folder, 'test.db'));
  await migrate(store, new Date());
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  elapsed = 0;
  connection = Promise.resolve();
  const write: Store['write'] = async (unit, options) => {
    await connection;
    return store.write(unit, options);
  };
  readiness = new Readiness(
    {
      store: Object.create(store, { write: { value: write } }) as Store,
      clock: () => new Date(),
      log: { debug: silent, info: silent, warn: silent, error: silent },
    },
    () => elapsed,
  );
});

it('a probe that hangs is not waited for: the last result holds for ten seconds', async () => {
  expect(await readiness.check()).toBe(true);
  connection = new Promise(silent);
  elapsed = 9_999;
  expect(await readiness.check()).toBe(true);
  elapsed = 10_000;
  expect(await readiness.check()).toBe(false);
});

it('the first probe hangs: nothing is known', async () => {
  connection = new Promise(silent);
  expect(await readiness.check()).toBe(false);
});

it('a failure that comes late is reported, and so is the end of it', async () => {
  expect(await readiness.check()).toBe(true);
  const { promise, reject } = Promise.withResolvers<void>();
  connection = promise;
  elapsed = 1_000;
  expect(await readiness.check()).toBe(true);
  reject(new StorageUnavailable({ cause: new Error('all connections are in use') }));
  elapsed = 5_000;
  await new Promise(setImmediate);
  expect(await readiness.check()).toBe(false);
  connection = Promise.resolve();
  elapsed = 6_000;
  expect(await readiness.check()).toBe(true);
});
