import { WebhookVerificationError } from './error.ts';

/** Specification, "Delivery" 2: hex HMAC-SHA256 of the raw body. */
export const SIGNATURE_HEADER = 'X-Service-Signature';

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
 *   console.log((await unwrap({ body, headers }, { secret: 'my-signing-secret' })).id); // dlv_01
 * ```
 */
export type HeadersLike =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | readonly (readonly [string, string])[]
  | readonly string[];

/**
 * The one value of each named header, `undefined` where it is absent. Names are in lower case. Total: what is not text is no
 * value.
 *
 * @throws WebhookVerificationError `malformed_signature` for a header with two values: one of them could be an attacker's.
 */
export function singleHeaders(
  headers: HeadersLike | null | undefined,
  names: readonly string[],
): (string | undefined)[] {
  const found = names.map((): string | undefined => undefined);
  const take = (index: number, value: unknown): void => {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item !== 'string') continue;
      if (found[index] !== undefined) throw new WebhookVerificationError('malformed_signature', names[index]);
      found[index] = item;
    }
  };
  if (!headers) return found;
  if (isFetchHeaders(headers)) {
    for (const [index, name] of names.entries()) take(index, headers.get(name));
    return found;
  }
  const takeNamed = (key: unknown, value: unknown): void => {
    for (let index = 0; index < names.length; index++) {
      // Lengths first: they tell most headers of a call apart, without a lower-cased copy of each.
      if (typeof key !== 'string' || key.length !== names[index]?.length) continue;
      if (key.toLowerCase() === names[index]) take(index, value);
    }
  };
  if (Array.isArray(headers)) for (const [key, value] of pairs(headers)) takeNamed(key, value);
  else for (const key of Object.keys(headers)) takeNamed(key, Reflect.get(headers, key));
  return found;
}

function isFetchHeaders(headers: object): headers is { get(name: string): string | null } {
  return 'get' in headers && typeof headers.get === 'function';
}

// Node's rawHeaders are flat: name, value, name, value.
function pairs(headers: readonly unknown[]): readonly (readonly unknown[])[] {
  if (Array.isArray(headers[0])) return headers.filter(Array.isArray);
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []));
}
