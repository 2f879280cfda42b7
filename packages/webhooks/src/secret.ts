import { WebhookVerificationError } from './error.ts';
import type { HmacKey } from './hmac/types.ts';

/**
 * The secret of a webhook, or several while it is being rotated. Give either `secret` or `secrets`. A receiver must know both secrets
 * before the rotation: `X-Service-Signature` is one signature (specification, "Delivery" 2), made with the new secret at once, even
 * during an overlap. See docs/decisions/deliveries.md.
 *
 * @example
 * ```ts
 * import { signTestWebhook, unwrap } from '@hubline/webhooks';
 *
 * const call = await signTestWebhook({ secret: 'old-secret' });
 * await unwrap(call, { secret: 'old-secret' });
 * await unwrap(call, { secrets: ['new-secret', 'old-secret'] }); // while the secret is being rotated
 * ```
 */
export type SecretOptions =
  | {
      /** The signing secret, exactly as it was given when the webhook was created. `undefined` (an unset variable) throws. */
      secret: string | undefined;
      secrets?: undefined;
    }
  | {
      /** Several signing secrets: a call that was signed with any of them is accepted. All of them are always compared. */
      secrets: readonly string[];
      secret?: undefined;
    };

/**
 * Throws unless `secret` can sign. Every function of this package applies this rule; call it where you accept a secret from a
 * person. It refuses an empty secret, and one with whitespace or quotes around it: copy-and-paste accidents that would otherwise
 * show only as a mismatch.
 *
 * @throws {@link WebhookVerificationError} `missing_secret` or `invalid_secret`. The message never contains the secret.
 *
 * @example
 * ```ts
 * import { assertSecret } from '@hubline/webhooks';
 *
 * const secret: unknown = process.env.HUBLINE_WEBHOOK_SECRET;
 * assertSecret(secret); // throws for "my-signing-secret" with its quotes
 * console.log(secret.length); // a string from here on
 * ```
 */
export function assertSecret(secret: unknown): asserts secret is string {
  if (secret === undefined || secret === null || secret === '') {
    throw new WebhookVerificationError('missing_secret');
  }
  if (typeof secret !== 'string' || secret !== secret.trim() || /^(['"]).*\1$/s.test(secret)) {
    throw new WebhookVerificationError('invalid_secret');
  }
}

/** The keys of a secret, by scheme. */
export interface SigningKeys {
  readonly service: HmacKey;
  readonly standard: HmacKey;
}

// A receiver has few secrets and many calls. The limit is for a receiver with a secret for each of its customers.
const keyCache = new Map<unknown, SigningKeys>();
const KEY_CACHE_MAX = 100;

/** The keys of one secret or of several, each checked. An empty list is refused like an empty secret. */
export function signingKeys(given: string | readonly string[] | undefined): readonly SigningKeys[] {
  if (!Array.isArray(given)) return [keysOf(given)];
  if (given.length === 0) throw new WebhookVerificationError('missing_secret');
  return given.map(keysOf);
}

function keysOf(secret: unknown): SigningKeys {
  const cached = keyCache.get(secret);
  if (cached) return cached;
  assertSecret(secret);
  const keys = { service: serviceKey(secret), standard: standardKey(secret) };
  if (keyCache.size === KEY_CACHE_MAX) keyCache.clear();
  keyCache.set(secret, keys);
  return keys;
}

/** Specification, "Delivery" 2: keyed with the secret as it was given, so with its UTF-8 bytes, prefix included. */
export function serviceKey(secret: string): HmacKey {
  return { text: secret, encoding: 'utf8' };
}

/** Standard Webhooks: the bytes after `whsec_`, if they are base64; the UTF-8 bytes of any other secret. */
export function standardKey(secret: string): HmacKey {
  const base64 = /^whsec_(.+)$/.exec(secret)?.[1];
  try {
    if (base64) return { text: atob(base64), encoding: 'latin1' };
  } catch {
    // The secret is free text that happens to begin with whsec_.
  }
  return serviceKey(secret);
}
