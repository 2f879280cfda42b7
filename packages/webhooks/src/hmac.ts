import { concatBytes, encodeUtf8, fromLatin1, toBase64, toHex } from './bytes.ts';

/** A key as text: `utf8` for a secret as it was typed, `latin1` (one character per byte) for decoded bytes. */
export interface HmacKey {
  readonly text: string;
  readonly encoding: 'utf8' | 'latin1';
  /** Filled in with the first signature. */
  pads?: { readonly inner: Uint8Array; readonly outer: Uint8Array };
}

type Part = string | Uint8Array;
type Digest = 'hex' | 'base64';

interface NodeHmac {
  update(data: Part): unknown;
  digest(encoding: Digest): string;
}

interface NodeCrypto {
  createHmac(algorithm: 'sha256', key: string, options: { encoding: HmacKey['encoding'] }): NodeHmac;
  /** Node 20.12 and later. */
  hash?: Hash;
}

type Hash = (algorithm: 'sha256', data: Uint8Array, encoding: Digest | 'binary') => string;

interface Runtime {
  process?: { getBuiltinModule?: (id: 'node:crypto') => NodeCrypto | undefined };
  crypto?: { subtle?: typeof crypto.subtle };
}

const runtime: Runtime = globalThis;
// Undefined until the first signature; false where there is none, so that it is not looked for again.
let nodeCrypto: NodeCrypto | false | undefined;

/**
 * HMAC-SHA256 of the parts, one after the other. Synchronous where `node:crypto` exists (Node, Bun, Deno, workerd with
 * nodejs_compat), because a promise of WebCrypto costs ten times as much; a promise everywhere else.
 */
export function hmac(key: HmacKey, parts: readonly Part[], digest: Digest): string | Promise<string> {
  // Not `import 'node:crypto'`: that would break browsers and workerd. Not at module load: not every import signs something.
  nodeCrypto ??= runtime.process?.getBuiltinModule?.('node:crypto') ?? false;
  if (!nodeCrypto) return hmacWithWebCrypto(key, parts, digest);
  const short = nodeCrypto.hash && hmacInOneBuffer(nodeCrypto.hash, key, { parts, digest });
  if (short) return short;
  const mac = nodeCrypto.createHmac('sha256', key.text, { encoding: key.encoding });
  for (const part of parts) mac.update(part);
  return mac.digest(digest);
}

/** The block of SHA-256, in bytes. RFC 2104 pads the key to it. */
const BLOCK = 64;
/** The digest of SHA-256, in bytes. */
const DIGEST = 32;

const encoder = new TextEncoder();
/** The padded key and what is signed, one behind the other. Reused, because nothing here waits. Most webhook calls fit. */
const inner = new Uint8Array(BLOCK + 16_384);
const outer = new Uint8Array(BLOCK + DIGEST);

/**
 * RFC 2104 as two one-shot hashes: two thirds of the time of `createHmac`, which makes an object and crosses into C++ three
 * times (Node 24.21, 1 KB body). `undefined` for what does not fit the buffer: there the hashing itself is what takes time.
 */
function hmacInOneBuffer(
  hash: Hash,
  key: HmacKey,
  { parts, digest }: { parts: readonly Part[]; digest: Digest },
): string | undefined {
  let end = BLOCK;
  for (const part of parts) {
    // A UTF-16 unit is at most three bytes of UTF-8.
    if (part.length * (typeof part === 'string' ? 3 : 1) > inner.length - end) return undefined;
    if (typeof part === 'string') end += encoder.encodeInto(part, inner.subarray(end)).written;
    else {
      inner.set(part, end);
      end += part.length;
    }
  }
  const pads = (key.pads ??= padded(hash, key));
  inner.set(pads.inner);
  outer.set(pads.outer);
  const first = hash('sha256', inner.subarray(0, end), 'binary');
  for (let index = 0; index < DIGEST; index++) outer[BLOCK + index] = first.charCodeAt(index);
  return hash('sha256', outer, digest);
}

/** The key, padded for the inner and the outer hash. A key longer than a block stands for its hash. */
function padded(hash: Hash, key: HmacKey): NonNullable<HmacKey['pads']> {
  const bytes = bytesOf(key);
  const block = new Uint8Array(BLOCK);
  block.set(bytes.length > BLOCK ? fromLatin1(hash('sha256', bytes, 'binary')) : bytes);
  return { inner: block.map((byte) => byte ^ 0x36), outer: block.map((byte) => byte ^ 0x5c) };
}

function bytesOf({ text, encoding }: HmacKey): Uint8Array<ArrayBuffer> {
  return encoding === 'utf8' ? encodeUtf8(text) : fromLatin1(text);
}

async function hmacWithWebCrypto(key: HmacKey, parts: readonly Part[], digest: Digest): Promise<string> {
  const subtle = runtime.crypto?.subtle;
  if (!subtle)
    throw new Error('WebCrypto is missing. In a browser it exists only on pages served over HTTPS.');
  const imported = await subtle.importKey('raw', bytesOf(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const data = concatBytes(parts.map((part) => (typeof part === 'string' ? encodeUtf8(part) : part)));
  const mac = new Uint8Array(await subtle.sign('HMAC', imported, data));
  return digest === 'hex' ? toHex(mac) : toBase64(mac);
}
