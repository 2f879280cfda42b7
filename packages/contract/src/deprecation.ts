import { HEADERS } from './headers.ts';

/** That an endpoint will go. A breaking change is a new version of the API; the one before it lives for 6 months more. */
export interface Deprecation {
  /** The day from which nobody should begin to use it, such as `2027-01-31`. */
  since: `${number}-${number}-${number}`;
  /** The day from which it may be gone, in UTC: at least 6 months later. */
  sunset: `${number}-${number}-${number}`;
  /** The replacement, as a sentence. */
  instead: string;
}

/** The headers that tell every caller of a deprecated endpoint: RFC 9745 and RFC 8594. */
export function deprecationHeaders({ since, sunset }: Deprecation): Record<string, string> {
  return {
    [HEADERS.deprecation]: `@${Date.parse(since) / 1_000}`,
    [HEADERS.sunset]: new Date(sunset).toUTCString(),
  };
}
