import { fromLatin1 } from './bytes.ts';
import { WebhookVerificationError } from './error.ts';

/**
 * A raw body: text, or the bytes in any of their wrappings (`Buffer` and `Uint8Array` are views). Specification, "Delivery"
 * 2: the signature is over these bytes.
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

/** Text stays text and bytes stay bytes: nothing is decoded or encoded before it is compared. */
export function toPart(body: unknown): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (isArrayBuffer(body)) return new Uint8Array(body);
  throw new WebhookVerificationError(isParsed(body) ? 'body_already_parsed' : 'unreadable_body');
}

// By tag, not by instanceof: the ArrayBuffer of a vm or a test runner comes from another realm.
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

// Any object but a promise and the two kinds of streams, which are merely not read yet.
function isParsed(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    !['then', 'getReader', 'pipe'].some((method) => method in body)
  );
}

/** AWS hands binary bodies over in base64. Strict: what is not base64 is refused, not repaired. */
export function fromBase64(body: unknown): Uint8Array {
  try {
    if (typeof body === 'string') return fromLatin1(atob(body));
  } catch {
    // Told below.
  }
  // A parser that ran first leaves the mark beside its object, such as middy's.
  if (typeof body === 'object') toPart(body);
  throw new WebhookVerificationError('unreadable_body', 'isBase64Encoded is set:');
}

/** Strict both ways: invalid UTF-8 and a byte order mark are errors, never silently changed characters. */
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
