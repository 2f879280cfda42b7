import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** The public key in a PEM, in one spelling. Throws for another kind of key. */
export function publicKeyOf(pem: string): string {
  const key = ed25519(createPublicKey(pem), 'HUBLINE_RELEASE_PUBLIC_KEY');
  return key.export({ type: 'spki', format: 'pem' }) as string;
}

/** The private key in a PEM. Throws for another kind of key. */
export function privateKeyOf(pem: string): KeyObject {
  return ed25519(createPrivateKey(pem), 'HUBLINE_RELEASE_PRIVATE_KEY');
}

function ed25519(key: KeyObject, name: string): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new Error(
    `${name}: it must be an ed25519 key in PEM, as openssl genpkey -algorithm ed25519 makes it`,
  );
}
