import type { ServerConfig } from '../../config/config.ts';
import type { Deps } from '../../context.ts';
import { createIds } from '../../ids.ts';
import { explainStorageError } from './explain-storage-error.ts';
import { openStorage } from './open-storage.ts';

/** Opens the database for one task of the operator, whether a server is running or not, and closes it afterward. */
export async function withStorage<Result>(
  config: ServerConfig,
  work: (deps: Pick<Deps, 'store' | 'clock' | 'ids' | 'vault'>) => Promise<Result>,
): Promise<Result> {
  const clock = () => new Date();
  const { store, vault } = await openStorage(config, clock());
  try {
    return await work({ store, vault, clock, ids: createIds(clock) });
  } catch (error) {
    throw await explainStorageError(error, config);
  } finally {
    await store.close();
  }
}
