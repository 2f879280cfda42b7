import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { Refusal } from '../script.ts';

/** The public key in a PEM, as PEM in one canonical form. Throws `Refusal` for another kind of key. */
export function publicKeyOf(pem: string): string {
  const key = ed25519('HUBLINE_RELEASE_PUBLIC_KEY', () => createPublicKey(pem));
  return key.export({ type: 'spki', format: 'pem' }) as string;
}

/** The private key in a PEM. Throws `Refusal` for another kind of key. */
export function privateKeyOf(pem: string): KeyObject {
  return ed25519('HUBLINE_RELEASE_PRIVATE_KEY', () => createPrivateKey(pem));
}

function ed25519(name: string, read: () => KeyObject): KeyObject {
  const key = readable(read);
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new Refusal(
    `${name} must be an ed25519 key in PEM, as made by openssl genpkey -algorithm ed25519. Give the text of the file, not its name.`,
  );
}

/** Returns `null` instead of OpenSSL's errors, which do not help a user. */
function readable(read: () => KeyObject): KeyObject | null {
  try {
    return read();
  } catch {
    return null;
  }
}
