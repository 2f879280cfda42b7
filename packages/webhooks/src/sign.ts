import { toPart, type WebhookBody } from './body.ts';
import { hmac } from './hmac.ts';
import { assertSecret, serviceKey } from './secret.ts';

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
  return hmac(serviceKey(secret), [toPart(body)], 'hex');
}
