import { DELIVERY_HEADERS } from '@hubline/contract/constants';
import type { Delivery } from '@hubline/sdk';

/** Headers of a call that are not kept: they follow from the secret, the body and the time. */
export const SIGNATURES: readonly string[] = [
  DELIVERY_HEADERS.signature,
  DELIVERY_HEADERS.standardSignature,
  DELIVERY_HEADERS.standardTimestamp,
];

/** The headers of an attempt, by its number, that are known. The rest is the HTTP client's. */
export function headersOf({ id, event_type }: Delivery, attempt: number): Record<string, string> {
  return {
    [DELIVERY_HEADERS.standardId]: id,
    [DELIVERY_HEADERS.event]: event_type,
    [DELIVERY_HEADERS.delivery]: id,
    [DELIVERY_HEADERS.attempt]: String(attempt),
    'Content-Type': 'application/json',
  };
}
