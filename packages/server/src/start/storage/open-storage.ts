import { randomBytes } from 'node:crypto';
import type { Store } from '../../db/core/store.ts';
import { backupBeforeMigration } from '../../backups/backup.ts';
import type { ServerConfig } from '../../config/config.ts';
import { ConfigError } from '../../config/config.ts';
import {
  type DataDirectory,
  lockDataDirectory,
  openDataDirectory,
} from '../../data-directory/data-directory.ts';
import { refuseEmptied } from '../../data-directory/refuse-emptied.ts';
import { claimMeta, readMeta } from '../../db/meta.ts';
import { hasSealed, SEALED_COLUMNS } from '../../db/sealed-columns.ts';
import { migrate, OlderDatabase } from '../../db/migrations/migrate.ts';
import { openSqlite, type SqliteOptions } from '../../db/sqlite/sqlite-store.ts';
import { createVault, keyIdOf, type Vault } from '../../secrets/vault.ts';
import { explainStorageError } from './explain-storage-error.ts';
import { fingerprintsOf, requireKey } from './master-key/require-key.ts';
import { requireUtf8 } from './require-utf8.ts';
import { shellWord } from '../../system/shell-word.ts';

/** The key in `meta` of the fingerprint of the master key. */
export const FINGERPRINT_META_KEY = 'master_key_fingerprint';
/** The key in `meta` of the sealed seed of keyed digests, and the associated data of its seal. */
export const MAC_SEED_META_KEY = 'mac_seed';
export const MAC_SEED_CONTEXT = 'meta:mac_seed';

/** The opened database, and the vault with its keys. */
export interface Opened {
  store: Store;
  vault: Vault;
  /** The copy that was made before a migration; `null` when there was nothing to migrate. */
  migrationBackup: string | null;
  /** The migrations that an older database was missing; none for a new one. */
  migrated: readonly string[];
}

interface Opening extends Pick<SqliteOptions, 'onCommit' | 'onFailure'> {
  /** Brings an older database up to date (SQLite: after a backup). Default `false`: it is refused. */
  upgrade?: boolean;
}

/** Opens the database, makes the schema of a new one, and checks that the master key is the one it was made with. */
export async function openStorage(config: ServerConfig, now: Date, opening: Opening = {}): Promise<Opened> {
  try {
    return await openDatabase(config, { directory: openDataDirectory(config), now, ...opening });
  } catch (error) {
    throw await explainStorageError(error, config);
  }
}

async function openDatabase(
  config: ServerConfig,
  { directory, now, upgrade = false, ...listeners }: Opening & { directory: DataDirectory; now: Date },
): Promise<Opened> {
  refuseEmptied(config);
  const migrationBackup =
    upgrade && config.databaseUrl === undefined && config.migrationBackup
      ? await backupBeforeMigration(directory)
      : null;
  const store =
    config.databaseUrl === undefined
      ? openSqlite(directory.databaseFile, { synchronous: config.synchronous, ...listeners })
      : // Its driver takes memory that a server on SQLite need not have.
        (await import('../../db/postgres/postgres-store.ts')).openPostgres(config.databaseUrl, {
          connections: config.databaseConnections,
          onCommit: listeners.onCommit,
        });
  try {
    if (store.shared) await requireUtf8(store);
    const migrated = await migrate(store, now, { upgrade });
    return { store, vault: await openVault(store, directory, config), migrationBackup, migrated };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Makes the vault. The key of the first start becomes the key of the database: without it, every stored secret would be
 * unreadable.
 */
async function openVault(
  store: Store,
  directory: DataDirectory,
  { data, masterKey }: Pick<ServerConfig, 'data' | 'masterKey'>,
): Promise<Vault> {
  const known = await readMeta(store.read, FINGERPRINT_META_KEY);
  const { masterKeys } = directory;
  if (known !== null) requireKey(known, masterKeys, { data });
  const keys = masterKeys ?? directory.createMasterKey();
  const vault = createVault(keys);
  // If two servers start at the same time on an empty PostgreSQL, each with its own key, the second is refused.
  const agreed = known ?? (await store.write((tx) => claimMeta(tx, FINGERPRINT_META_KEY, vault.fingerprint)));
  requireKey(agreed, keys, { data });
  if (masterKey !== undefined) await requireOtherKeys(store, { vault, directory, data });
  return createVault(keys, await macSeed(store, vault));
}

/**
 * Refuses keys from the environment that lack a key of `master.key` that sealed values need: a rotation of that file
 * was interrupted.
 */
async function requireOtherKeys(
  store: Store,
  { vault, directory, data }: { vault: Vault; directory: DataDirectory; data: string },
): Promise<void> {
  for (const fingerprint of fingerprintsOf(directory.fileKeys)) {
    if (vault.fingerprints.includes(fingerprint)) continue;
    const keyId = keyIdOf(fingerprint);
    for (const column of SEALED_COLUMNS) {
      if (!(await hasSealed(store.read, column, keyId))) continue;
      throw new ConfigError(
        `A rotation of the master key was interrupted: some secrets are sealed with the key ${keyId}, which the master.key in ${data} has, but ` +
          `HUBLINE_MASTER_KEY does not. Unset HUBLINE_MASTER_KEY, and finish the rotation: hubline server rotate-key --data ${shellWord(data)}`,
      );
    }
  }
}

/** The seed of keyed digests: with it, cursors and idempotency keys stay valid when the master key changes. */
async function macSeed(store: Store, vault: Vault): Promise<Buffer> {
  const sealed =
    (await readMeta(store.read, MAC_SEED_META_KEY)) ??
    (await store.write((tx) =>
      claimMeta(tx, MAC_SEED_META_KEY, vault.seal(randomBytes(32).toString('base64'), MAC_SEED_CONTEXT)),
    ));
  return Buffer.from(vault.open(sealed, MAC_SEED_CONTEXT), 'base64');
}

/**
 * Brings the schema of the database up to date, as a server does when it starts. Returns the path of the backup that was made before.
 * Throws `ConfigError` if there is something to do and a server uses the SQLite database: what that one stores meanwhile
 * would be missing in the backup.
 */
export async function migrateDatabase(config: ServerConfig): Promise<{ backup: string | null }> {
  try {
    const { store } = await openStorage(config, new Date());
    await store.close();
    return { backup: null };
  } catch (error) {
    if (!(error instanceof OlderDatabase)) throw error;
  }
  const lock = config.databaseUrl === undefined ? lockDataDirectory(config.data, '') : null;
  try {
    const { store, migrationBackup } = await openStorage(config, new Date(), { upgrade: true });
    await store.close();
    return { backup: migrationBackup };
  } finally {
    lock?.release();
  }
}
