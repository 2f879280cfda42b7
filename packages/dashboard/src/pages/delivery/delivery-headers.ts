import { DELIVERY_HEADERS } from '@hubline/contract/constants';
import type { Delivery } from '@hubline/sdk';

/** Headers of a call that are not stored: they are computed from the secret, the body and the time. */
export const SIGNATURES: readonly string[] = [
  DELIVERY_HEADERS.signature,
  DELIVERY_HEADERS.standardSignature,
  DELIVERY_HEADERS.standardTimestamp,
];

/** The known headers of an attempt, given its number. The HTTP client adds the rest. */
export function headersOf({ id, event_type }: Delivery, attempt: number): Record<string, string> {
  return {
    [DELIVERY_HEADERS.standardId]: id,
    [DELIVERY_HEADERS.event]: event_type,
    [DELIVERY_HEADERS.delivery]: id,
    [DELIVERY_HEADERS.attempt]: String(attempt),
    'Content-Type': 'application/json',
  };
}
