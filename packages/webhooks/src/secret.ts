import { WebhookVerificationError } from './error.ts';
import type { HmacKey } from './hmac.ts';

/** The secret of a webhook, or several while it is being rotated. Exactly one of the two is given. */
export type SecretOptions =
  | {
      /** The signing secret, exactly as it was given when the webhook was created. `undefined` (an unset variable) throws. */
      secret: string | undefined;
      secrets?: undefined;
    }
  | {
      /** Several signing secrets: a call that was signed with any of them is accepted. All are compared, always. */
      secrets: readonly string[];
      secret?: undefined;
    };

/**
 * Throws unless `secret` can sign: the rule that every function of this package applies, for whoever accepts a secret from a
 * person. Refused are an empty one, one with whitespace or quotes around it (a copy-and-paste accident that would only
 * ever show as a mismatch), and `whsec_` with nothing behind it.
 *
 * @throws {@link WebhookVerificationError} `missing_secret` or `invalid_secret`. The message never contains the secret.
 *
 * @example
 * ```ts
 * import { assertSecret } from '@hubline/webhooks';
 *
 * assertSecret('my-signing-secret');
 * assertSecret('"my-signing-secret"'); // throws: it has quotes around it
 * ```
 */
export function assertSecret(secret: unknown): asserts secret is string {
  if (secret === undefined || secret === null || secret === '')
    throw new WebhookVerificationError('missing_secret');
  if (typeof secret !== 'string' || /^[\s"'`]|[\s"'`]$|^whsec_$/.test(secret)) {
    throw new WebhookVerificationError('invalid_secret');
  }
}

/** The secrets of the options, each checked; none is as bad as an empty one. */
export function resolveSecrets({ secret, secrets = [secret as string] }: SecretOptions): readonly string[] {
  if (secrets.length === 0) assertSecret(undefined);
  // One by one, for the compiler: an assertion function cannot be passed to forEach.
  for (const candidate of secrets) assertSecret(candidate);
  return secrets;
}

/** Specification, "Delivery" 2: keyed with the secret as it was given, so with its UTF-8 bytes, prefix included. */
export function serviceKey(secret: string): HmacKey {
  return { text: secret, encoding: 'utf8' };
}

/** Standard Webhooks: the bytes behind `whsec_`, if they are base64; the UTF-8 bytes of any other secret. */
export function standardKey(secret: string): HmacKey {
  if (secret.startsWith('whsec_')) {
    try {
      return { text: atob(secret.slice(6)), encoding: 'latin1' };
    } catch {
      // Free text that happens to begin with whsec_.
    }
  }
  return serviceKey(secret);
}
