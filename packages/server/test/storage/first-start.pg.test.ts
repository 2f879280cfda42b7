import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { parseServerConfig } from '../../src/config.ts';
import { openStorage } from '../../src/start/open-storage.ts';
import { createTestDatabase, type TestDatabase } from '../../src/testing-database.ts';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase(inject('postgresUrl'));
  folder = await mkdtemp(join(tmpdir(), 'hubline-first-'));
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The result of each server that starts at the same time on the empty database: the fingerprint of its key, or a refusal. */
async function startAtOnce(...folders: string[]): Promise<PromiseSettledResult<string>[]> {
  return Promise.allSettled(
    folders.map(async (name) => {
      const config = parseServerConfig({ data: join(folder, name), databaseUrl: database.url }, {});
      const { store, vault } = await openStorage(config, new Date());
      await store.close();
      return vault.fingerprint;
    }),
  );
}

it('of servers that start at once with keys of their own, one has its key accepted', async () => {
  const starts = await startAtOnce('a', 'b', 'c');
  const refused = starts.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(2);
  for (const start of refused)
    expect(String((start as PromiseRejectedResult).reason)).toMatch(/is not the one|needs its master key/);
});

it('servers that start at once on one data directory share a key', async () => {
  const starts = await startAtOnce('a', 'a', 'a');
  expect(starts.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect(new Set(starts.map((start) => (start as PromiseFulfilledResult<string>).value)).size).toBe(1);
});
