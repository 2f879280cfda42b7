import type { WebhookBody } from '../body.ts';
import { assertSecret } from '../secret.ts';
import { sign, signStandard } from './sign.ts';

/**
 * One attempt of a delivery, about to be sent. Specification, "Delivery" 2.
 *
 * @example
 * ```ts
 * import { signDelivery, type DeliveryToSign } from '@hubline/webhooks';
 *
 * // The second attempt of a delivery: the same id and body, another time.
 * const first: DeliveryToSign = { id: 'dlv_01', timestamp: 1_767_322_800, body: '{}', secrets: ['my-signing-secret'] };
 * const headers = await signDelivery({ ...first, timestamp: first.timestamp + 5 });
 * ```
 */
export interface DeliveryToSign {
  /** The delivery ID, the same on every attempt. */
  readonly id: string;
  /** The time of this attempt, in whole Unix seconds. */
  readonly timestamp: number;
  /** The raw body, byte for byte as it will be sent. */
  readonly body: WebhookBody;
  /** The current secret first; after it, during a rotation, those that are still valid. */
  readonly secrets: readonly string[];
}

/**
 * The signature headers of one attempt.
 *
 * @example
 * ```ts
 * import { signDelivery, unwrap, type SignatureHeaders } from '@hubline/webhooks';
 *
 * const body = JSON.stringify({ id: 'dlv_01', type: 'event.created' });
 * const timestamp = Math.floor(Date.now() / 1000);
 * const headers: SignatureHeaders = await signDelivery({ id: 'dlv_01', timestamp, body, secrets: ['my-signing-secret'] });
 * await unwrap({ body, headers }, { secret: 'my-signing-secret' });
 * ```
 */
export type SignatureHeaders = {
  /** Hex HMAC-SHA256 of the body, keyed with the current secret (specification, "Delivery" 2). */
  'X-Service-Signature': string;
  /** Standard Webhooks: the delivery ID. */
  'webhook-id': string;
  /** Standard Webhooks: Unix seconds of this attempt. */
  'webhook-timestamp': string;
  /** Standard Webhooks: one signature for each valid secret, separated by spaces. */
  'webhook-signature': string;
};

/**
 * Signs one attempt in both schemes and returns all signature headers. It is for a sender of deliveries. Specification,
 * "Delivery" 2.
 *
 * There is no synchronous version: on Node the work inside is synchronous already, and the promise around it is a small part of
 * the cost of one attempt.
 *
 * @throws {@link WebhookVerificationError} `missing_secret`, `invalid_secret`, or `body_already_parsed` for an object.
 * @throws RangeError when `timestamp` is not a positive whole number.
 *
 * @example
 * ```ts
 * import { signDelivery } from '@hubline/webhooks';
 *
 * const body = JSON.stringify({ id: 'dlv_01', type: 'event.created' });
 * const timestamp = Math.floor(Date.now() / 1000);
 * const headers = await signDelivery({ id: 'dlv_01', timestamp, body, secrets: ['new-secret', 'old-secret'] });
 * await fetch('https://app.example.com/hooks/hubline', { method: 'POST', headers, body });
 * ```
 */
export async function signDelivery({
  id,
  timestamp,
  body,
  secrets,
}: DeliveryToSign): Promise<SignatureHeaders> {
  const [current] = secrets;
  assertSecret(current);
  const standard: string[] = [];
  for (const secret of secrets) standard.push(await signStandard({ id, timestamp, body }, secret));
  return {
    'X-Service-Signature': await sign(body, current),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}
