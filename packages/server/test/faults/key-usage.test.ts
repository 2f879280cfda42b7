import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Deps } from '../../src/context.ts';
import { insertApiKey } from '../../src/db/identity/api-keys.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite-store.ts';
import type { Store } from '../../src/db/core/store.ts';
import { StorageUnavailable } from '../../src/domain/faults/storage-unavailable.ts';
import { KeyUsage } from '../../src/services/identity/key-usage.ts';
import { recordKeyUsageJob } from '../../src/services/identity/record-key-usage-job.ts';
import { apiKeyRow, ids, newUser, newWorkspace, openMigrated } from '../storage/storage.ts';
import { idlePorts } from '../idle-ports.ts';

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
  const silent = () => {};
  const deps = {
    store: {
      write: ((unit) =>
        full
          ? Promise.reject(new StorageUnavailable({ cause: 'a test' }))
          : store.write(unit)) as Store['write'],
    },
    clock: () => new Date(61_000),
    ids,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    ...idlePorts,
  } as unknown as Deps;
  const usage = new KeyUsage(deps);
  usage.note(one, new Date(1_000));
  usage.note(two, new Date(1_000));
  await usage.stop();
  // Within a minute of a recorded use, nothing is recorded.
  usage.note(two, new Date(60_999));
  usage.note(two, new Date(61_000));
  full = false;
  await usage.stop();
  for (const { payload } of await store.read.selectFrom('jobs').select('payload').execute()) {
    const run = { id: 'job', attempt: 1, signal: new AbortController().signal };
    const ended = { finish: async () => true, putOff: async () => true };
    await recordKeyUsageJob.run(deps, recordKeyUsageJob.payload.parse(JSON.parse(payload)), {
      ...run,
      ...ended,
    });
  }
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
