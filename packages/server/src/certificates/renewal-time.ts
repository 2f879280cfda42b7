import type { Certificate } from './certificate.ts';

/** The facts that decide when the authority is asked next. */
export interface Situation {
  certificate: Pick<Certificate, 'issuedAt' | 'expiresAt' | 'fingerprint'> | null;
  /** The number of failed attempts in a row. */
  failures: number;
  /** The end of the last failed attempt; `null` for none. */
  failedAt: Date | null;
  /** The delay that the authority asked for after it, in milliseconds. */
  retryAfterMs: number;
}

const MINUTE_MS = 60_000;
/** Let's Encrypt allows five failed challenges for a name in an hour: 0, 2, 6, 14 and 30 minutes after the first. */
const FIRST_PAUSE_MS = 2 * MINUTE_MS;
const LONGEST_PAUSE_MS = 60 * MINUTE_MS;
/**
 * The longest window of Let's Encrypt's limits. A mistaken `Retry-After` of years must not let the certificate expire.
 */
const RETRY_AFTER_MAX_MS = 7 * 24 * 60 * MINUTE_MS;

/** As Let's Encrypt recommends: the last third of the lifetime leaves time for failures. */
const RENEW_AFTER = 2 / 3;
/** Keeps servers that were set up together from renewing at the same moment. */
const JITTER = 1 / 50;

/** The time at which a certificate is renewed. The random part is derived from the certificate: a restart does not change it. */
export function renewalOf({ issuedAt, expiresAt, fingerprint }: NonNullable<Situation['certificate']>): Date {
  const life = expiresAt.getTime() - issuedAt.getTime();
  const chance = Number.parseInt(fingerprint.replaceAll(':', '').slice(0, 8), 16) / 2 ** 32;
  return new Date(Math.round(issuedAt.getTime() + life * (RENEW_AFTER + JITTER * chance)));
}

/** The time of the next attempt; a past time means now. */
export function nextAttempt({ certificate, failures, failedAt, retryAfterMs }: Situation): Date {
  if (failedAt !== null) {
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    return new Date(failedAt.getTime() + Math.max(pause, Math.min(retryAfterMs, RETRY_AFTER_MAX_MS)));
  }
  return certificate === null ? new Date(0) : renewalOf(certificate);
}
