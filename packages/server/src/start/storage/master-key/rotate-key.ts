import type { ServerConfig } from '../../../config/config.ts';
import { ConfigError } from '../../../config/config.ts';
import type { Awaitable } from '../../../db/core/awaitable.ts';
import type { Store } from '../../../db/core/store.ts';
import { readMeta, writeMeta } from '../../../db/meta.ts';
import { listSealed, replaceSealed, SEALED_COLUMNS } from '../../../db/sealed-columns.ts';
import { createVault, keyIdOf, type Vault, VaultError } from '../../../secrets/vault.ts';
import {
  addMasterKey,
  lockDataDirectory,
  readMasterKeys,
  readRetiredKeys,
  retireMasterKeys,
} from '../../../data-directory/data-directory.ts';
import { explainStorageError } from '../explain-storage-error.ts';
import { FINGERPRINT_META_KEY, MAC_SEED_META_KEY, MAC_SEED_CONTEXT, openStorage } from '../open-storage.ts';
import { associatedData } from './sealed-columns.ts';

const BATCH = 200;

/** The result of a rotation. */
export interface RotatedKey {
  /** The number of stored secrets that are sealed with the new key now. */
  resealed: number;
  /** The number of stored secrets that no key opens, not even the old one: they stay as they are. */
  unreadable: number;
  /** The file that keeps the old keys, for older backups; `null` if the keys come from the environment. */
  retired: string | null;
}

/**
 * Seals every stored secret with a new master key, while no server runs. An interrupted rotation continues where it
 * stopped: until it is done, the old key opens what it has sealed, and a server can start. Throws `ConfigError`.
 */
export async function rotateMasterKey(
  config: ServerConfig,
  { onBatch = () => {} }: { onBatch?: () => Awaitable<void> } = {},
): Promise<RotatedKey> {
  const keys = readMasterKeys(config);
  if (keys === null) throw new ConfigError('There is no master key to replace.');
  const fromEnvironment = config.masterKey !== undefined;
  // The old keys are added to that file at the end: if it is unusable, that must be found before anything is changed.
  if (!fromEnvironment) readRetiredKeys(config);
  const lock = lockDataDirectory(config.data, '');
  try {
    // Only a key that opens the database may be replaced.
    const { store } = await openStorage(config, new Date());
    try {
      await refuseWithServers(store);
      if (fromEnvironment && keys.length === 1)
        throw new ConfigError(
          'Put a new key before the one in HUBLINE_MASTER_KEY, separated by a comma. To make one: openssl rand -base64 32',
        );
      const ring = keys.length > 1 ? keys : addMasterKey(config, keys);
      const counts = await resealAll(store, createVault(ring), onBatch);
      return { ...counts, retired: fromEnvironment ? null : retireMasterKeys(config, ring) };
    } catch (error) {
      throw await explainStorageError(error, config);
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
}

/** Refuses a rotation on PostgreSQL while a server runs: it would keep sealing with the old key. */
async function refuseWithServers({ peers }: Store): Promise<void> {
  const servers = (await peers?.others()) ?? 0;
  if (servers === 0) return;
  throw new ConfigError(
    `The PostgreSQL database is in use by ${servers === 1 ? 'a server' : `${servers} servers`}. Stop every server, and run this again: a running server keeps sealing with the old key.`,
  );
}

async function resealAll(store: Store, vault: Vault, onBatch: () => Awaitable<void>) {
  let resealed = 0;
  let unreadable = 0;
  for (const column of SEALED_COLUMNS) {
    let after: readonly unknown[] | null = null;
    for (;;) {
      const sealedWith = keyIdOf(vault.fingerprint);
      const found = await listSealed(store.read, column, { after, sealedWith, limit: BATCH });
      const again = found.flatMap((value) => {
        const resealed = reseal(vault, value.sealed, associatedData(column, value.key));
        return resealed === undefined ? [] : [{ ...value, resealed }];
      });
      await store.write(async (tx) => {
        for (const value of again) await replaceSealed(tx, column, value);
      });
      resealed += again.length;
      unreadable += found.length - again.length;
      await onBatch();
      if (found.length < BATCH) break;
      after = found.at(-1)?.key ?? null;
    }
  }
  // One that has started meanwhile may have sealed with the old key.
  await refuseWithServers(store);
  // Last, in one transaction: from now on only the new key opens the database.
  await store.write(async (tx) => {
    const seed = await readMeta(tx, MAC_SEED_META_KEY);
    const again = seed === null ? null : vault.reseal(seed, MAC_SEED_CONTEXT);
    if (again !== null) await writeMeta(tx, MAC_SEED_META_KEY, again);
    await writeMeta(tx, FINGERPRINT_META_KEY, vault.fingerprint);
  });
  await onBatch();
  return { resealed, unreadable };
}

/** The secret sealed with the current key; `undefined` if it cannot be opened. */
function reseal(vault: Vault, sealed: string, associatedData: string): string | undefined {
  try {
    return vault.reseal(sealed, associatedData) ?? sealed;
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}
