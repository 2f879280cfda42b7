import type { HEADERS } from '@hubline/contract/constants';

/** A header of the contract, in lower case: no other name compiles. */
export type HeaderName = Lowercase<(typeof HEADERS)[keyof typeof HEADERS]>;

type Headers = Readonly<Record<string, string | undefined>>;

/** The headers with names in lower case, so that a later one replaces an earlier one in any case. Drops `undefined` values. */
export function lowerCase(headers: Headers = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) lower[name.toLowerCase()] = value;
  return lower;
}
