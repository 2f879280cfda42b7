import { ConfigError, type ServerConfig } from '../../../config/config.ts';
import { createVault, keyIdOf, type MasterKeys } from '../../../secrets/vault.ts';
import { readMasterKeys } from '../../../data-directory/data-directory.ts';

/** Refuses keys that lack the one with the fingerprint that a database names. Throws `ConfigError`. */
export function requireKey(
  fingerprint: string,
  keys: MasterKeys | null,
  { data }: Pick<ServerConfig, 'data'>,
): void {
  if (keys === null) {
    throw new ConfigError(
      'The database needs its master key, but there is none. Put master.key back into the data directory, or set HUBLINE_MASTER_KEY.',
    );
  }
  if (fingerprintsOf(keys).includes(fingerprint)) return;
  const cure = fingerprintsOf(readMasterKeys({ data, masterKey: undefined })).includes(fingerprint)
    ? `The master.key in ${data} has that key: unset HUBLINE_MASTER_KEY.`
    : 'Put that key back into master.key, or set HUBLINE_MASTER_KEY to it.';
  throw new ConfigError(
    `This is not the master key of the database, which is ${keyIdOf(fingerprint)}. ${cure}`,
  );
}

/** The fingerprints of some keys; none for `null`. */
export const fingerprintsOf = (keys: MasterKeys | null): readonly string[] =>
  keys === null ? [] : createVault(keys).fingerprints;
