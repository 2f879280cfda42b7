import { createPublicKey, verify } from 'node:crypto';

// RFC 8410: the head of a SubjectPublicKeyInfo, in front of the 32 bytes of the key.
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex');
const KEY = /^[\da-f]{64}$/i;
// Strict, because `Buffer.from(x, 'hex')` stops silently at the first bad digit.
const SIGNATURE = /^[\da-f]{128}$/i;

/** Reports whether a signature over these bytes is by this key. Both are in hexadecimal digits. Never throws. */
export function isSignedBy(publicKey: string, bytes: Buffer, signature: string): boolean {
  if (!KEY.test(publicKey) || !SIGNATURE.test(signature)) return false;
  const der = Buffer.concat([SPKI_HEAD, Buffer.from(publicKey, 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, bytes, key, Buffer.from(signature, 'hex'));
}
