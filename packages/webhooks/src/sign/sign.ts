import { requireRawBody, type WebhookBody } from '../body.ts';
import { hmac } from '../hmac/hmac.ts';
import { assertSecret, serviceKey, standardKey } from '../secret.ts';

/**
 * The value of `X-Service-Signature`: the hex HMAC-SHA256 of the raw body, keyed with the secret (specification, "Delivery" 2).
 *
 * @param body - The raw body. Bytes are signed as bytes, text as its UTF-8 bytes.
 * @param secret - The webhook's secret, exactly as it was given when the webhook was created.
 * @returns 64 lower-case hex digits.
 * @throws {@link WebhookVerificationError} `missing_secret`, `invalid_secret`, or `body_already_parsed` for an object.
 *
 * @example
 * ```ts
 * import { sign } from '@hubline/webhooks';
 *
 * console.log(await sign('{"id":"dlv_01"}', 'my-signing-secret'));
 * ```
 */
export async function sign(body: WebhookBody, secret: string): Promise<string> {
  assertSecret(secret);
  return hmac(serviceKey(secret), [requireRawBody(body)], 'hex');
}

/**
 * The parts that a Standard Webhooks signature covers.
 *
 * @example
 * ```ts
 * import { signStandard, type StandardMessage } from '@hubline/webhooks';
 *
 * const message: StandardMessage = { id: 'dlv_01', timestamp: Math.floor(Date.now() / 1000), body: '{}' };
 * const signatures = await Promise.all(['new-secret', 'old-secret'].map((secret) => signStandard(message, secret)));
 * console.log(signatures.join(' ')); // the value of webhook-signature
 * ```
 */
export interface StandardMessage {
  /** The value of `webhook-id`: the delivery ID, the same on every attempt. */
  readonly id: string;
  /** The value of `webhook-timestamp`: the time of this attempt, in whole Unix seconds. */
  readonly timestamp: number;
  /** The raw body. */
  readonly body: WebhookBody;
}

/** The text before the body that Standard Webhooks signs. */
export function standardPrefix(id: string, timestamp: number | string): string {
  return `${id}.${timestamp}.`;
}

/**
 * One Standard Webhooks signature (`v1,` and base64), as in `webhook-signature`. The key is the decoded base64 after `whsec_`, or
 * the UTF-8 bytes of any other secret. The libraries of Standard Webhooks take the latter with `format: 'raw'`.
 *
 * @throws {@link WebhookVerificationError} `missing_secret`, `invalid_secret`, or `body_already_parsed` for an object.
 * @throws RangeError when `timestamp` is not a positive whole number of seconds: milliseconds and dates are common mistakes.
 *
 * @example
 * ```ts
 * import { signStandard } from '@hubline/webhooks';
 *
 * const signature = await signStandard(
 *   { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' },
 *   'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
 * );
 * console.log(signature); // v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=
 * ```
 */
export async function signStandard(message: StandardMessage, secret: string): Promise<string> {
  assertSecret(secret);
  const { id, timestamp, body } = message;
  if (!/^[1-9]\d{0,11}$/.test(String(timestamp))) {
    throw new RangeError('timestamp must be whole Unix seconds, such as Math.floor(Date.now() / 1000).');
  }
  return `v1,${await hmac(standardKey(secret), [standardPrefix(id, timestamp), requireRawBody(body)], 'base64')}`;
}
