import type { HEADERS } from '@hubline/contract/constants';

/** A header of the contract, in lower case: no other name compiles. */
export type HeaderName = Lowercase<(typeof HEADERS)[keyof typeof HEADERS]>;

/** Characters that HTTP allows in a value (RFC 9110, 5.5). */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Reports whether a header can carry a value: one line of Latin-1 text. */
export const isHeaderValue = (value: unknown): value is string =>
  typeof value === 'string' && VALUE.test(value);

type Headers = Readonly<Record<string, string | undefined>>;

/** The headers with names in lower case, so that a later one replaces an earlier one in any case. Drops `undefined` values. */
export function lowerCase(headers: Headers = {}): Record<string, string> {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) lower[name.toLowerCase()] = value;
  return lower;
}
