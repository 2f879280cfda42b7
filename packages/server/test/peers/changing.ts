import pg from 'pg';
import { onTestFinished } from 'vitest';
import { parseServerConfig } from '../../src/config/config.ts';
import type { Tx } from '../../src/db/core/schema.ts';
import { openStorage } from '../../src/start/storage/open-storage.ts';
import type { TestWorkspace } from '../api/support/workspace.ts';

type Change = (tx: Tx) => Promise<unknown>;

/** Changes something in another process on the PostgreSQL of a workspace. That process stands still just before its commit. */
export async function changing({ server: { storage } }: TestWorkspace, change: Change) {
  const { store } = await openStorage(parseServerConfig(storage, {}), new Date());
  const { promise: changed, resolve: hasChanged } = Promise.withResolvers<void>();
  const { promise: end, resolve: letGo } = Promise.withResolvers<Change | undefined>();
  const committed = store.write(async (tx) => {
    await change(tx);
    hasChanged();
    await (
      await end
    )?.(tx);
  });
  /** `last`: a further change before the commit. */
  const commit = async (last?: Change) => {
    letGo(last);
    await committed;
  };
  onTestFinished(async () => {
    await commit();
    await store.close();
  });
  await Promise.race([changed, committed]);
  return {
    commit,
    /** Reports whether that many transactions wait for a lock. */
    async isWaitedFor(waiting = 1): Promise<boolean> {
      const client = new pg.Client({ connectionString: storage.databaseUrl });
      await client.connect();
      const { rows } = await client.query(
        'select pid from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0',
      );
      await client.end();
      return rows.length >= waiting;
    },
  };
}
