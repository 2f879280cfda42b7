import type { HEADERS } from '@hubline/contract/constants';

/** A header of the contract, in lower case: no other name compiles. */
export type HeaderName = Lowercase<(typeof HEADERS)[keyof typeof HEADERS]>;

/**
 * Headers as an object, as `Headers`, as a `Map`, or as pairs.
 *
 * @example
 * ```ts
 * import { Hubline, type HeaderInput } from '@hubline/sdk';
 *
 * const headers: HeaderInput = new Headers({ 'X-Team': 'billing' });
 * const client = new Hubline({ headers });
 * ```
 */
export type HeaderInput =
  | Readonly<Record<string, string | undefined>>
  | Iterable<readonly [name: string, value: string | undefined]>;

/** The headers with names in lower case, so that a later one replaces an earlier one in any case. Drops `undefined` values. */
export function lowerCase(headers: HeaderInput = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  // `Headers` and `Map` have no entries of their own.
  for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers))
    if (value !== undefined) lower[name.toLowerCase()] = value;
  return lower;
}
