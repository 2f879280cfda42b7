import { crc32 } from 'node:zlib';

const PREFIX = 'hl_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 30;
const CHECK_LENGTH = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

/** The number of random bytes that `formatApiKey` takes: more than it needs, because it skips the biased ones. */
export const API_KEY_RANDOM_BYTES = 64;

/**
 * A key from random bytes: `hl_`, 30 characters of base62 (178 bits), and 6 of CRC-32 over all before them. The check
 * refuses mistyped and made-up keys without asking the database, and lets secret scanners recognize real ones.
 */
export function formatApiKey(random: Uint8Array): string {
  let body = PREFIX;
  for (const byte of random) {
    if (byte >= 248) continue; // 248 = 4 × 62: above it, the first characters would come more often
    body += ALPHABET.charAt(byte % 62);
    if (body.length === PREFIX.length + RANDOM_LENGTH) return body + check(body);
  }
  throw new Error(`formatApiKey needs ${API_KEY_RANDOM_BYTES} random bytes.`);
}

/** Reports whether `key` has the shape and the check of a key. */
export function isApiKey(key: string): boolean {
  return SHAPE.test(key) && check(key.slice(0, -CHECK_LENGTH)) === key.slice(-CHECK_LENGTH);
}

/** The part of a key that may be shown, to recognize it by. */
export function apiKeyPrefix(key: string): string {
  return key.slice(0, PREFIX.length + 6);
}

function check(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let index = 0; index < CHECK_LENGTH; index++) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
