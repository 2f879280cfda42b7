import { toPart, type WebhookBody } from './body.ts';
import { equal, hmac, type HmacKey } from './hmac.ts';
import { checkedSecrets, serviceKey } from './secret.ts';

/** Exactly 64 hex digits: nothing around them, no `sha256=`, no second value. Hex has no case, so both are taken. */
export const HEX_SIGNATURE = /^[0-9a-f]{64}$/i;

type Part = string | Uint8Array;

/**
 * Reports whether any key gives any of the candidates. Every key and every candidate is compared, whatever the ones before gave.
 */
export async function matchesAny(
  keys: readonly HmacKey[],
  signed: readonly Part[],
  candidates: { readonly digest: 'hex' | 'base64'; readonly signatures: readonly string[] },
): Promise<boolean> {
  let matched = false;
  for (const key of keys) {
    const expected = await hmac(key, signed, candidates.digest);
    for (const signature of candidates.signatures) matched = equal(expected, signature) || matched;
  }
  return matched;
}

/**
 * Reports whether `signature` is the `X-Service-Signature` of `body` (specification, "Delivery" 2), compared in constant time.
 * For a whole call prefer {@link unwrap}: it also checks the timestamp and gives the typed event.
 *
 * @param body - The raw body, before anything has parsed it.
 * @param signature - The header's value. Anything but one string of 64 hex digits, in either case, gives `false`.
 * @param secret - The secret, or several during a rotation: any of them may match.
 * @returns A promise: `await` it. The promise itself is always truthy.
 * @throws {@link WebhookVerificationError} `missing_secret`, `invalid_secret`, `unreadable_body` or `body_already_parsed`:
 * mistakes of the caller, which are not a reason to say "forged".
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
  const secrets = checkedSecrets(secret);
  const part = toPart(body);
  if (typeof signature !== 'string' || !HEX_SIGNATURE.test(signature)) return false;
  return matchesAny(secrets.map(serviceKey), [part], {
    digest: 'hex',
    signatures: [signature.toLowerCase()],
  });
}
