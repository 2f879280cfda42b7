import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The encoding of a digest as text. */
export type DigestEncoding = 'hex' | 'base64';

/** A hash algorithm for signatures. */
export type HmacAlgorithm = 'sha1' | 'sha256' | 'sha512';

/** HMAC of the parts, one after the other. */
export function hmac(
  algorithm: HmacAlgorithm,
  key: string | Buffer,
  parts: readonly (string | Buffer)[],
): Buffer {
  const sum = createHmac(algorithm, key);
  for (const part of parts) sum.update(part);
  return sum.digest();
}

/** HMAC-SHA256 of the parts, one after the other. */
export const hmacSha256 = (key: string | Buffer, parts: readonly (string | Buffer)[]): Buffer =>
  hmac('sha256', key, parts);

/** Reports whether a digest in this encoding is the expected one, in constant time. Never throws. */
export function isDigest(expected: Buffer, given: string, encoding: DigestEncoding): boolean {
  // The length first, so that a longer text need not be decoded.
  if (given.length !== expected.toString(encoding).length) return false;
  const bytes = Buffer.from(given, encoding);
  // Strict, because `Buffer.from(x, 'hex')` stops silently at the first bad digit, and base64 skips what is not base64.
  const isExact = encoding === 'hex' || bytes.toString('base64') === given;
  return isExact && bytes.length === expected.length && timingSafeEqual(expected, bytes);
}

/** Reports whether two secrets are the same, in a time that tells neither where they differ nor how long they are. */
export function isSameSecret(expected: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}

/** A dedupe key for a body: the same for redeliveries of the same bytes. */
export function bodyHash(body: Buffer): string {
  return `sha256:${createHash('sha256').update(body).digest('hex')}`;
}

/** A new secret to sign with: 32 random bytes in base64url. */
export const randomSecret = (): string => randomBytes(32).toString('base64url');
