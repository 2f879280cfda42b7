import { WebhookVerificationError } from './error.ts';
import type { SignatureHeaders } from './sign/sign-delivery.ts';

/** Specification, "Delivery" 2: hex HMAC-SHA256 of the raw body. */
export const SIGNATURE_HEADER = 'X-Service-Signature' satisfies keyof SignatureHeaders;

/**
 * The headers of a call: `Headers`, Node's `headers` or `rawHeaders`, a plain object in any case, or pairs.
 *
 * @example
 * ```ts
 * import { sign, unwrap } from '@hubline/webhooks';
 *
 * const body = '{"id":"dlv_01","type":"user.invited"}';
 * const signature = await sign(body, 'my-signing-secret');
 * for (const headers of [
 *   new Headers({ 'x-service-signature': signature }),
 *   { 'X-SERVICE-SIGNATURE': [signature] },
 *   ['X-Service-Signature', signature], // Node's rawHeaders
 * ])
 *   console.log((await unwrap({ body, headers }, { secret: 'my-signing-secret', requireTimestamp: false })).id); // dlv_01
 * ```
 */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | readonly (readonly [string, string])[]
  | readonly string[];

// The names of the signature headers, as Node and `Headers` write them; any other name does not compile.
type Name = Lowercase<keyof SignatureHeaders>;

/** The value of each signature header of a call, if it has one. */
export type ReceivedSignatureHeaders = Record<Name, string | undefined>;

const NAMES: readonly Name[] = [
  'x-service-signature',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
];

/**
 * The signature headers, found in one pass. A header that is not text counts as missing.
 *
 * @throws {@link WebhookVerificationError} `malformed_signature` if one of them has several values.
 */
export function signatureHeaders(headers: HeadersLike | null | undefined): ReceivedSignatureHeaders {
  const found: ReceivedSignatureHeaders = {
    'x-service-signature': undefined,
    'webhook-id': undefined,
    'webhook-timestamp': undefined,
    'webhook-signature': undefined,
  };
  const take = (name: Name | undefined, value: unknown) => {
    if (!name) return;
    for (const text of Array.isArray(value) ? value : [value]) {
      if (typeof text !== 'string') continue;
      if (found[name] !== undefined) throw new WebhookVerificationError('malformed_signature', name);
      found[name] = text;
    }
  };
  if (!headers) return found;
  if (isFetchHeaders(headers)) for (const name of NAMES) take(name, headers.get(name));
  else if (Array.isArray(headers)) for (const [header, value] of pairs(headers)) take(nameOf(header), value);
  // Not Object.entries, which takes 0.4 µs for a usual set of headers where this takes 0.05 (Node 24.21).
  else
    for (const header of Object.keys(headers))
      take(nameOf(header), (headers as Record<string, unknown>)[header]);
  return found;
}

// Compares the length first: converting to lower case costs more than all the rest.
function nameOf(header: unknown): Name | undefined {
  if (typeof header !== 'string') return undefined;
  for (const name of NAMES) if (header.length === name.length && header.toLowerCase() === name) return name;
  return undefined;
}

function isFetchHeaders(headers: object): headers is { get(name: string): string | null } {
  return 'get' in headers && typeof headers.get === 'function';
}

// Node's rawHeaders are flat: name, value, name, value.
function pairs(headers: readonly unknown[]): readonly (readonly unknown[])[] {
  if (Array.isArray(headers[0])) return headers.filter(Array.isArray);
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []));
}
