import { createHash, randomBytes } from 'node:crypto';
import { hmacSha256, isSameSecret } from '../../signatures/hmac.ts';

/**
 * Makes the ID of something new in Linear, which lets clients choose IDs. The ID is a UUID. Its first half is random or
 * derived from a key, and only holders of the secret can make its second half. Webhooks carry the ID, so our own
 * notifications are recognized without a marker in their text.
 */
export function ownId(secret: string, key?: string): string {
  const half = key === undefined ? randomBytes(8) : createHash('sha256').update(key).digest().subarray(0, 8);
  half[6] = ((half[6] ?? 0) & 0x0f) | 0x40;
  return withSeal(half, secret);
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Reports whether an ID was made by `ownId` with this secret. */
export function isOwnId(id: unknown, secret: string): boolean {
  if (typeof id !== 'string' || !UUID.test(id)) return false;
  return isSameSecret(withSeal(Buffer.from(id.replaceAll('-', '').slice(0, 16), 'hex'), secret), id);
}

function withSeal(half: Buffer, secret: string): string {
  const seal = hmacSha256(secret, ['hubline id\n', half]).subarray(0, 8);
  seal[0] = ((seal[0] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.concat([half, seal]).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
