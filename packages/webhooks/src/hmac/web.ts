import { concatBytes, encodeUtf8, fromLatin1, toBase64, toHex } from '../bytes.ts';
import type { Digest, HmacKey, Part } from './types.ts';

/** HMAC-SHA256 by WebCrypto, which needs a secure context in browsers. */
export async function webHmac(key: HmacKey, parts: readonly Part[], digest: Digest): Promise<string> {
  const subtle = (globalThis as { crypto?: { subtle?: typeof crypto.subtle } }).crypto?.subtle;
  if (!subtle)
    throw new Error('WebCrypto is missing. In a browser it exists only on pages served over HTTPS.');
  const raw = key.encoding === 'utf8' ? encodeUtf8(key.text) : fromLatin1(key.text);
  const imported = await subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const data = concatBytes(parts.map((part) => (typeof part === 'string' ? encodeUtf8(part) : part)));
  const mac = new Uint8Array(await subtle.sign('HMAC', imported, data));
  return digest === 'hex' ? toHex(mac) : toBase64(mac);
}
