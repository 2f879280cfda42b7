import { ConfigError } from '../config/config.ts';
import { judgeMigrations } from '../db/migrations/migrate.ts';
import { createVault, keyIdOf, type MasterKeys } from '../secrets/vault.ts';

/** The keys of a data directory. */
interface Keys {
  readonly masterKeys: MasterKeys | null;
  /** The keys that `rotate-key` has replaced. */
  readonly retiredKeys: MasterKeys | null;
}

/** The name of a backup for messages, and the fingerprint of the master key that it was sealed with. */
interface Sealed {
  readonly name: string;
  readonly fingerprint: string | null;
}

/** Refuses a backup of a newer version. Throws `ConfigError`. */
export function refuseNewer(migrations: readonly string[], name: string): void {
  const { unknown } = judgeMigrations([...migrations]);
  if (unknown.length > 0) {
    throw new ConfigError(
      `${name} was made by a newer version of Hubline (${unknown.join(', ')}). Restore it with that version.`,
    );
  }
}

/** The reason why the keys do not open a backup, and the fix; `null` if they do. */
export function keyRefusal(keys: Keys, { name, fingerprint }: Sealed): string | null {
  const { masterKeys } = keys;
  if (masterKeys === null)
    return `${name} needs the master key of its server, but there is none. Put master.key into the data directory, or set HUBLINE_MASTER_KEY.`;
  if (fingerprint === null || createVault(masterKeys).fingerprints.includes(fingerprint)) return null;
  const { retiredKeys } = keys;
  return retiredKeys && createVault(retiredKeys).fingerprints.includes(fingerprint)
    ? `${name} was made before the master key was replaced. Add the keys of master.key.retired to the end of master.key, restore the backup, and run hubline server rotate-key again.`
    : `${name} was sealed with another master key. Put that key into master.key in the data directory, or set HUBLINE_MASTER_KEY to it.`;
}

/**
 * The reason why the keys do not open all secrets of a backup that they open otherwise, and the fix; `null` if they do. `keyIds` are those
 * of the keys that its secrets are sealed with.
 */
export function secretsRefusal(
  { masterKeys, retiredKeys }: Keys,
  { name, keyIds }: { name: string; keyIds: readonly string[] },
): string | null {
  const idsOf = (keys: MasterKeys | null) => (keys ? createVault(keys).fingerprints.map(keyIdOf) : []);
  const [held, retired] = [idsOf(masterKeys), idsOf(retiredKeys)];
  const missing = keyIds.filter((id) => !held.includes(id));
  if (missing.length === 0) return null;
  const isRetired = missing.every((id) => retired.includes(id));
  return (
    `${name} was made after a rotation of the master key was interrupted: some of its secrets are sealed with the key ${missing.join(', ')}. ` +
    `Add that key, which is in ${isRetired ? 'master.key.retired' : 'the master.key of its server'}, to the end of master.key, and run hubline server rotate-key after the restore.`
  );
}
