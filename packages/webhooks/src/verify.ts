import { requireRawBody, type WebhookBody } from './body.ts';
import { HEX_SIGNATURE, proves } from './proof.ts';
import { signingKeys } from './secret.ts';

/**
 * Reports whether `signature` is the `X-Service-Signature` of `body` (specification, "Delivery" 2), compared in constant time.
 * For a whole call prefer {@link unwrap}: it also checks the timestamp and gives the typed event.
 *
 * @param body - The raw body, before anything has parsed it.
 * @param signature - The header's value. Anything but one string of 64 hex digits, in either case, gives `false`.
 * @param secret - The secret, or several during a rotation: any of them may match.
 * @returns A promise: `await` it. The promise itself is always truthy.
 * @throws {@link WebhookVerificationError} `missing_secret`, `invalid_secret`, `unreadable_body` or `body_already_parsed`:
 * mistakes of the caller, which do not mean that the call is forged.
 *
 * @example
 * ```ts
 * import { sign, verify } from '@hubline/webhooks';
 *
 * const signature = await sign('{"id":"dlv_01"}', 'my-signing-secret');
 * console.log(await verify('{"id":"dlv_01"}', signature, ['next-secret', 'my-signing-secret'])); // true
 * ```
 */
export async function verify(
  body: WebhookBody,
  signature: string | null | undefined,
  secret: string | readonly string[],
): Promise<boolean> {
  const keys = signingKeys(secret);
  const part = requireRawBody(body);
  if (typeof signature !== 'string' || !HEX_SIGNATURE.test(signature)) return false;
  return proves({ scheme: 'service', prefix: '', signatures: [signature.toLowerCase()] }, part, keys);
}
