import type { HEADERS } from '@hubline/contract/constants';

/** A header of the contract, in lower case: no other name compiles. */
export type HeaderName = Lowercase<(typeof HEADERS)[keyof typeof HEADERS]>;

type Headers = Readonly<Record<string, string | undefined>>;

/** Names of headers are the same in any case: in one spelling, a later one replaces an earlier one. `undefined` replaces none. */
export function lowerCase(headers: Headers = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) lower[name.toLowerCase()] = value;
  return lower;
}
