import { hmacSha256, isDigest } from './hmac.ts';

// Without a stamp, our own comment would come back as an event and cause another comment, in an endless loop.
const STAMP = /\n\n<!-- hubline:([0-9a-f]{64}) -->$/;

/** A Markdown text with a marker that only holders of the secret can make, and that readers do not see. */
export function stamp(text: string, secret: string | undefined): string {
  return secret === undefined ? text : `${text}\n\n<!-- hubline:${digest(text, secret).toString('hex')} -->`;
}

/** Reports whether a text that came back has the marker. */
export function isStamped(text: unknown, secret: string | undefined): boolean {
  if (secret === undefined || typeof text !== 'string') return false;
  const lines = text.replaceAll('\r\n', '\n');
  const found = STAMP.exec(lines);
  return found?.[1] !== undefined && isDigest(digest(lines.slice(0, found.index), secret), found[1], 'hex');
}

// The prefix keeps a webhook signature from ever being a stamp.
function digest(text: string, secret: string): Buffer {
  return hmacSha256(secret, ['hubline notification\n', text.replaceAll('\r\n', '\n').trimEnd()]);
}
