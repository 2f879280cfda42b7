import { HEADERS } from './constants/headers.ts';

/** The end of an endpoint. A breaking change makes a new version of the API; the old one stays for at least 6 months. */
export interface Deprecation {
  /** The day of deprecation, such as `2027-01-31`: new programs should not use the endpoint from then on. */
  since: `${number}-${number}-${number}`;
  /** The day from which the endpoint may be removed, in UTC: at least 6 months later. */
  sunset: `${number}-${number}-${number}`;
  /** The replacement, as a sentence. */
  instead: string;
}

/** The headers on every response of a deprecated endpoint: RFC 9745 and RFC 8594. */
export function deprecationHeaders({ since, sunset }: Deprecation): Record<string, string> {
  return {
    [HEADERS.deprecation]: `@${Date.parse(since) / 1_000}`,
    [HEADERS.sunset]: new Date(sunset).toUTCString(),
  };
}
