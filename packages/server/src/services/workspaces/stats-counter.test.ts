import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../db/migrations/migrate.ts';
import { openSqlite } from '../../db/sqlite/sqlite-store.ts';
import { StorageUnavailable } from '../../domain/faults/storage-unavailable.ts';
import { StatsCounter } from './stats-counter.ts';

// A database that fails now and then cannot be brought about through the front door.
it('keeps what could not be stored for the next time, and stores nothing twice', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hubline-stats-'));
  const store = openSqlite(join(folder, 'hubline.db'), { synchronous: 'NORMAL' });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  const now = new Date('2026-03-04T12:00:00.000Z');
  await migrate(store, now);
  const warnings: string[] = [];
  const silent = () => {};
  let writes = 0;
  const counter = new StatsCounter({
    clock: () => now,
    log: { debug: silent, info: silent, warn: (_, text) => void warnings.push(text), error: silent },
    store: {
      ...store,
      // The second of several: a part is stored already.
      write: (unit) => {
        writes += 1;
        if (writes === 2) throw new StorageUnavailable({ cause: new Error('a test') });
        return store.write(unit);
      },
    },
  });
  const attempts = Array.from({ length: 150 }, (_, index) => ({
    workspaceId: 'ws_1',
    webhookId: `whk_${index}`,
    ok: true,
    durationMs: 5,
    startedAt: 0,
    responseStatus: 200,
    errorKind: null,
    message: null,
    ended: 'delivered' as const,
  }));
  counter.attempts(attempts);
  counter.event('ws_1', 'api');
  await counter.flush();
  expect(warnings).toEqual(['statistics could not be stored; they are kept for the next time']);

  counter.attempts(attempts);
  await counter.stop();
  expect(warnings).toHaveLength(1);
  const rows = await store.read.selectFrom('workspace_stats').selectAll().execute();
  expect(rows).toHaveLength(3 * 151);
  for (const {
    webhook_id: id,
    attempts_succeeded: succeeded,
    deliveries_delivered: delivered,
    ...row
  } of rows) {
    const webhooks = id === '' ? 150 : 1;
    expect({ id, succeeded, delivered }).toEqual({ id, succeeded: 2 * webhooks, delivered: 2 * webhooks });
    expect(row).toMatchObject({ events: id === '' ? 1 : 0, latency_4: 2 * webhooks, latency_5: 0 });
  }
});
