import { fromLatin1 } from './bytes.ts';
import { WebhookVerificationError } from './error.ts';

/**
 * A raw body: text, or bytes in any form (`Buffer` and `Uint8Array` are views). Specification, "Delivery" 2: the signature is
 * over these bytes.
 *
 * @example
 * ```ts
 * import { sign, type WebhookBody } from '@hubline/webhooks';
 *
 * const bodies: WebhookBody[] = ['{}', new TextEncoder().encode('{}'), new TextEncoder().encode('{}').buffer];
 * const signatures = await Promise.all(bodies.map((body) => sign(body, 'my-signing-secret')));
 * console.log(new Set(signatures).size); // 1
 * ```
 */
export type WebhookBody = string | ArrayBuffer | ArrayBufferView;

/** The body as text or bytes. Text stays text, and bytes stay bytes: nothing is decoded or encoded before it is verified. */
export function requireRawBody(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (isArrayBuffer(body)) return new Uint8Array(body);
  throw new WebhookVerificationError(isParsed(body) ? 'body_already_parsed' : 'unreadable_body');
}

// Checks the tag, not instanceof: the ArrayBuffer of a vm or a test runner comes from another realm.
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

// True for any object except a promise and the two kinds of streams, which are not read yet.
function isParsed(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    !['then', 'getReader', 'pipe'].some((method) => method in body)
  );
}

/** Decodes base64, the form in which AWS passes binary bodies. Invalid base64 is refused, not repaired. */
export function fromBase64(body: unknown): Uint8Array {
  try {
    if (typeof body === 'string') return fromLatin1(atob(body));
  } catch {
    // Refused below.
  }
  // A parser that ran first, such as middy's, leaves isBase64Encoded set beside its parsed object.
  if (typeof body === 'object') requireRawBody(body);
  throw new WebhookVerificationError('unreadable_body', 'isBase64Encoded is set:');
}

/** Parses strictly: invalid UTF-8 and a byte order mark are errors, and no character changes silently. */
export function parseJson(part: string | Uint8Array): unknown {
  try {
    return JSON.parse(
      typeof part === 'string'
        ? part
        : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part),
    );
  } catch (cause) {
    throw new WebhookVerificationError('invalid_json', '', cause);
  }
}
