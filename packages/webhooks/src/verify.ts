import { toPart, type WebhookBody } from './body.ts';
import { equal } from './equal.ts';
import { hmac } from './hmac.ts';
import { checkedSecrets, keysOf } from './secret.ts';

/** Exactly 64 hex digits: nothing around them, no `sha256=`, no second value. Hex has no case, so both are taken. */
export const HEX_SIGNATURE = /^[0-9a-f]{64}$/i;

type Part = string | Uint8Array;

/** The signatures that a call carries in one of the two schemes. */
export interface Claim {
  readonly scheme: 'service' | 'standard';
  readonly digest: 'hex' | 'base64';
  readonly signatures: readonly string[];
}

/**
 * True if any secret gives any of the signatures. Every pair is compared, whatever the ones before gave. A promise only where
 * `hmac` gives one: each promise costs a tenth of a verification.
 */
export function matchesAny(
  secrets: readonly string[],
  signed: readonly Part[],
  { scheme, digest, signatures }: Claim,
): boolean | Promise<boolean> {
  const expected = secrets.map((secret) => hmac(keysOf(secret)[scheme], signed, digest));
  if (expected.every((mac) => typeof mac === 'string')) return anyEqual(expected, signatures);
  return Promise.all(expected.map(async (mac) => mac)).then((macs) => anyEqual(macs, signatures));
}

function anyEqual(macs: readonly string[], signatures: readonly string[]): boolean {
  let found = false;
  for (const mac of macs) for (const signature of signatures) found = equal(mac, signature) || found;
  return found;
}

/**
 * Whether `signature` is the `X-Service-Signature` of `body` (specification, "Delivery" 2), compared in constant time.
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
  return matchesAny(secrets, [part], {
    scheme: 'service',
    digest: 'hex',
    signatures: [signature.toLowerCase()],
  });
}
