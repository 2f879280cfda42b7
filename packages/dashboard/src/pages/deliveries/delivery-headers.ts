import type { Attempt, Delivery } from '@hubline/sdk';

/** What a call carries that is not kept: it follows from the secret, the body and the time. */
export const SIGNATURES: readonly string[] = [
  'X-Service-Signature',
  'webhook-signature',
  'webhook-timestamp',
];

/** The headers of an attempt that are known; the rest is the HTTP client's. */
export function headersOf({ id, event_type }: Delivery, { attempt }: Attempt): Record<string, string> {
  return {
    'webhook-id': id,
    'X-Service-Event': event_type,
    'X-Service-Delivery': id,
    'X-Service-Attempt': String(attempt),
    'Content-Type': 'application/json',
  };
}
