import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { insertApiKey } from '../../src/db/identity/api-keys.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite-store.ts';
import type { Store } from '../../src/db/core/store.ts';
import { StorageUnavailable } from '../../src/domain/faults/storage-unavailable.ts';
import { KeyUsage } from '../../src/services/identity/key-usage.ts';
import { apiKeyRow, newUser, newWorkspace, openMigrated } from '../storage/storage.ts';

it('the last use of a key outlives a database that takes no writes for a while', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hubline-key-usage-'));
  const { store, close } = await openMigrated(async () => ({
    open: () => openSqlite(join(folder, 'hubline.db'), { synchronous: 'NORMAL' }),
    drop: () => rm(folder, { recursive: true }),
  }));
  onTestFinished(close);
  const userId = await newUser(store);
  const workspaceId = await newWorkspace(store);
  const keys = [apiKeyRow(userId, workspaceId), apiKeyRow(userId, workspaceId)];
  await store.write(async (tx) => {
    for (const key of keys) await insertApiKey(tx, key);
  });
  const [one = '', two = ''] = keys.map(({ id }) => id);

  let full = true;
  const failing = {
    write: ((unit) =>
      full
        ? Promise.reject(new StorageUnavailable({ cause: 'a test' }))
        : store.write(unit)) as Store['write'],
  } as Store;
  const silent = () => {};
  const usage = new KeyUsage({
    store: failing,
    clock: () => new Date(61_000),
    log: { debug: silent, info: silent, warn: silent, error: silent },
  });
  usage.note(one, new Date(1_000));
  usage.note(two, new Date(1_000));
  await usage.stop();
  // Within a minute of a stored use, nothing is stored.
  usage.note(two, new Date(60_999));
  usage.note(two, new Date(61_000));
  full = false;
  await usage.stop();
  const used = await store.read
    .selectFrom('api_keys')
    .select(['id', 'last_used_at'])
    .orderBy('last_used_at')
    .execute();
  expect(used).toEqual([
    { id: one, last_used_at: new Date(1_000).toISOString() },
    { id: two, last_used_at: new Date(61_000).toISOString() },
  ]);
});
