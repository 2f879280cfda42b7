import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

const VERSION = 'v1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_CHARACTERS = 8;
// The secrets of busy webhooks and integrations are opened for every call: one decryption costs as much as a signature.
// A full cache takes 5 MB.
const OPENED_MAX = 16_384;
// 132 bits.
const MAC_CHARACTERS = 22;

/** Secrets at rest, and keyed digests. */
export interface Vault {
  /**
   * Encrypts `text` with the current key. The associated data names the row and field: a ciphertext that was moved
   * elsewhere does not decrypt.
   */
  seal(text: string, associatedData: string): string;
  /** Decrypts; throws `VaultError` for anything that `seal` did not make for this associated data with one of the keys. */
  open(sealed: string, associatedData: string): string;
  /** Seals a secret again with the current key; `null` if it already is. Throws like `open`. */
  reseal(sealed: string, associatedData: string): string | null;
  /**
   * A keyed digest for one purpose, such as cursors: the first 22 characters of its base64url. It does not change with
   * the master key.
   */
  mac(purpose: string, text: string): string;
  /** Identifies the current master key without revealing it; kept in the database to refuse a wrong one at start. */
  fingerprint: string;
  /** The fingerprints of all its keys. */
  fingerprints: readonly string[];
}

/** The part of a fingerprint by which sealed values name their key. */
export const keyIdOf = (fingerprint: string): string => fingerprint.slice(0, KEY_ID_CHARACTERS);

/** A ciphertext that is damaged, or was made for another row or with another key. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
}

/** Decrypts; `null` for a ciphertext that no longer decrypts: its row was damaged or moved, or its key is gone. */
export function openIfReadable(
  vault: Pick<Vault, 'open'>,
  sealed: string,
  associatedData: string,
): string | null {
  try {
    return vault.open(sealed, associatedData);
  } catch (error) {
    if (error instanceof VaultError) return null;
    throw error;
  }
}

/** Master keys: the current one, then those that only open what was sealed with them. */
export type MasterKeys = readonly [Buffer, ...Buffer[]];

/**
 * AES-256-GCM under a key derived from the master key: `v1.<key id>.<nonce>.<ciphertext and tag>`, the last two in base64url. The keyed
 * digests come from `macSeed`, by default the current master key.
 */
export function createVault(masterKeys: Buffer | MasterKeys, macSeed?: Buffer): Vault {
  const keys = Buffer.isBuffer(masterKeys) ? ([masterKeys] as const) : masterKeys;
  const [current, ...retired] = [toKey(keys[0]), ...keys.slice(1).map(toKey)] as const;
  const byId = new Map([...retired, current].map((key) => [key.id, key.sealing]));
  const seed = macSeed ?? keys[0];
  const macKeys = new Map<string, string>();
  const opened = new Map<string, string>();

  return {
    seal,

    open(sealed, associatedData) {
      const cacheKey = `${associatedData} ${sealed}`;
      const known = opened.get(cacheKey);
      if (known !== undefined) return known;
      const text = decrypt(sealed, associatedData);
      if (opened.size >= OPENED_MAX) opened.clear();
      opened.set(cacheKey, text);
      return text;
    },

    reseal: (sealed, associatedData) =>
      sealed.startsWith(`${VERSION}.${current.id}.`)
        ? null
        : seal(decrypt(sealed, associatedData), associatedData),

    mac(purpose, text) {
      const key = macKeys.get(purpose) ?? derive(seed, `mac:${purpose}`).toString('hex');
      macKeys.set(purpose, key);
      // SHA-3 needs no HMAC: a key before the text is enough. Node hashes in one call; an HMAC takes three and an object.
      return hash('sha3-256', key + text, 'base64url').slice(0, MAC_CHARACTERS);
    },

    fingerprint: current.fingerprint,
    fingerprints: [current, ...retired].map(({ fingerprint }) => fingerprint),
  };

  function seal(text: string, associatedData: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', current.sealing, nonce);
    cipher.setAAD(Buffer.from(`${VERSION}:${associatedData}`));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${current.id}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
  }

  function decrypt(sealed: string, associatedData: string): string {
    const [version, id = '', nonce, body] = sealed.split('.');
    const bytes = Buffer.from(body ?? '', 'base64url');
    if (version !== VERSION || nonce === undefined || bytes.length < TAG_BYTES) {
      throw new VaultError('This is not a sealed secret.');
    }
    const sealing = byId.get(id);
    if (!sealing) throw new VaultError('A sealed secret cannot be opened: its master key is not here.');
    try {
      const decipher = createDecipheriv('aes-256-gcm', sealing, Buffer.from(nonce, 'base64url'), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(`${VERSION}:${associatedData}`));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      throw new VaultError('A sealed secret cannot be opened: it is damaged, or was moved from another row.');
    }
  }
}

const derive = (master: Buffer, purpose: string) =>
  Buffer.from(hkdfSync('sha256', master, 'hubline', purpose, KEY_BYTES));

function toKey(master: Buffer) {
  if (master.length !== KEY_BYTES) throw new VaultError(`The master key must have ${KEY_BYTES} bytes.`);
  const fingerprint = createHash('sha256').update(derive(master, 'fingerprint')).digest('hex').slice(0, 16);
  return {
    fingerprint,
    id: keyIdOf(fingerprint),
    // With a Buffer as key it takes 12 µs to decrypt a secret instead of 4 (Node 24, measured).
    sealing: createSecretKey(derive(master, 'seal')),
  };
}
