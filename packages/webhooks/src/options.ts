import type { SecretOptions } from './secret.ts';
import type { SeenStore } from './seen/seen.ts';

/**
 * Checks of {@link unwrap} and every adapter. All times are in seconds, except `now`. Specification, "Delivery" 2.
 *
 * @example
 * ```ts
 * import { memorySeen, unwrap, type UnwrapOptions } from '@hubline/webhooks';
 *
 * const options: UnwrapOptions = {
 *   secrets: ['next-secret', 'my-signing-secret'],
 *   tolerance: 60,
 *   seen: memorySeen(),
 * };
 * export const receive = (request: Request) => unwrap(request, options);
 * ```
 */
export type UnwrapOptions = SecretOptions & {
  /**
   * The greatest difference between `webhook-timestamp` and now, in the past or the future, in seconds. `0` is strict: only the
   * current second. `Infinity` switches the check off. The timestamp is that of the attempt, so a retry is never too old.
   *
   * @default 300
   */
  tolerance?: number | undefined;
  /**
   * Refuses a call without the Standard Webhooks headers (`missing_timestamp`).
   *
   * `X-Service-Signature` covers the body only. Someone who has recorded a call can send it again later, without the headers
   * that carry the time. Hubline always sends them, so this is on. Turn it off for a sender that signs with
   * `X-Service-Signature` alone, which is all that the specification asks of it.
   *
   * @default true
   */
  requireTimestamp?: boolean | undefined;
  /**
   * The greatest age of the event, by its signed `created_at`, in seconds. Off by default: automatic retries come up to about
   * 13 minutes after the event, or about 4 hours after it if the receiver asks for pauses, and a person can retry a delivery
   * much later. A value below 15,000 can refuse an automatic retry.
   *
   * @default Infinity
   */
  maxAge?: number | undefined;
  /**
   * The store of delivery IDs, so that each delivery is handled once. `unwrap` marks a delivery as handled at once; if your
   * handling then fails, call `seen.release(event.id)`, or its retry counts as a duplicate. Adapters do this for you.
   *
   * @default none: every authentic call is handled
   */
  seen?: SeenStore | undefined;
  /**
   * The current time in milliseconds since 1970: for tests, and to check stored calls as of the time at which they arrived.
   *
   * @default Date.now
   */
  now?: (() => number) | undefined;
};
