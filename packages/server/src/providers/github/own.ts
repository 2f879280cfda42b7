import { readPointer } from '../../domain/json/json-pointer.ts';
import { hmacSha256, isDigest } from '../hmac.ts';

// Without this, a comment that we write comes back as an event, which is notified by a comment, which …
const STAMP = /\n\n<!-- hubline:([0-9a-f]{64}) -->$/;

/** A text with a mark that only holders of the secret can make; GitHub does not show it. */
export function stampNotification(text: string, secret: string | undefined): string {
  return secret === undefined ? text : `${text}\n\n<!-- hubline:${digest(text, secret).toString('hex')} -->`;
}

/** Reports whether a payload says that one of our own notifications has been written. */
export function isOwnNotification(payload: unknown, secret: string | undefined): boolean {
  const action = readPointer(payload, '/action');
  if (secret === undefined || (action !== 'created' && action !== 'opened')) return false;
  const body = readPointer(payload, action === 'created' ? '/comment/body' : '/issue/body');
  if (typeof body !== 'string') return false;
  const text = body.replaceAll('\r\n', '\n');
  const stamp = STAMP.exec(text);
  return stamp?.[1] !== undefined && isDigest(digest(text.slice(0, stamp.index), secret), stamp[1], 'hex');
}

// The prefix keeps a webhook signature from ever being a stamp.
function digest(text: string, secret: string): Buffer {
  return hmacSha256(secret, ['hubline notification\n', text.replaceAll('\r\n', '\n').trimEnd()]);
}
