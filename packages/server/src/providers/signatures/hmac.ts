import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How the bytes of a digest are written down. */
export type DigestEncoding = 'hex' | 'base64';

// Strict, because `Buffer.from(x, 'hex')` stops silently at the first bad digit: a valid signature with rubbish behind it
// would decode to the valid one.
const SHA256: Readonly<Record<DigestEncoding, RegExp>> = {
  hex: /^[0-9a-f]{64}$/i,
  base64: /^[A-Za-z0-9+/]{43}=$/,
};

/** HMAC-SHA256 of the parts, one after the other. */
export function hmacSha256(key: string | Buffer, parts: readonly (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** Reports whether a digest in this encoding is the expected one, in constant time. Never throws. */
export function isDigest(expected: Buffer, given: string, encoding: DigestEncoding): boolean {
  return SHA256[encoding].test(given) && timingSafeEqual(expected, Buffer.from(given, encoding));
}

/** Reports whether two secrets are the same, in a time that tells neither where they differ nor how long they are. */
export function isSameSecret(expected: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}

/** A name for a body: equal for redeliveries of the same bytes. */
export function bodyHash(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}

/** A new secret to sign with: 32 random bytes in base64url. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');
