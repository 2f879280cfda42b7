import type { ServerConfig } from '../../config/config.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { lockDataDirectory } from '../../data-directory/data-directory.ts';
import { type Opened, openStorage } from './open-storage.ts';

/** Opens the storage of a server that is to run. Until `lock` is released, no other server opens the same data directory. */
export async function openLocked(
  config: ServerConfig,
  now: Date,
  { metrics, onFailure }: { metrics: Metrics; onFailure: (failure: Error) => void },
): Promise<Opened & { lock: { release(): void } }> {
  // SQLite allows one server; on PostgreSQL, claims keep several servers apart.
  const lock = config.databaseUrl === undefined ? lockDataDirectory(config.data) : { release: () => {} };
  try {
    const opened = await openStorage(config, now, { upgrade: true, onCommit: metrics.commit, onFailure });
    return { ...opened, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}
