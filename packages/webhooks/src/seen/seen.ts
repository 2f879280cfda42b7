import { WebhookVerificationError } from '../error.ts';

/**
 * The result of a claim: the delivery is `new` and now claimed by this call, another call is `processing` it, or it is `done`.
 *
 * @example
 * ```ts
 * import { memorySeen } from '@hubline/webhooks';
 *
 * const seen = memorySeen();
 * console.log(await seen.claim('dlv_01')); // new: this call handles it
 * console.log(await seen.claim('dlv_01')); // processing: respond with non-2xx, and it comes again
 * await seen.complete('dlv_01');
 * console.log(await seen.claim('dlv_01')); // done: respond with 2xx and do nothing
 * ```
 */
export type SeenState = 'new' | 'processing' | 'done';

/**
 * Remembers delivery IDs, so that a delivery is handled once. Specification, "Delivery" 4. Hubline delivers at least once:
 * when a response is lost, it sends the same delivery again, with the same ID. The same store also stops a replay by an
 * attacker.
 *
 * There are three steps instead of one, because a delivery that failed half-way must be handled when it comes again, and one
 * that is still being handled must not be confirmed yet. `memorySeen` and `sqliteSeen` are two stores; the example is a third. If `claim`
 * throws, an adapter responds with 500, so that the delivery comes again. If another method throws, the adapter only calls `onError`.
 *
 * @example
 * ```ts
 * import type { SeenStore } from '@hubline/webhooks';
 *
 * interface Redis {
 *   get(key: string): Promise<string | null>;
 *   set(key: string, value: string, ...options: string[]): Promise<string | null>;
 *   del(key: string): Promise<unknown>;
 * }
 *
 * export function redisSeen(redis: Redis): SeenStore {
 *   return {
 *     async claim(id) {
 *       if (await redis.set(`hubline:${id}`, 'processing', 'EX', '120', 'NX')) return 'new';
 *       return (await redis.get(`hubline:${id}`)) === 'done' ? 'done' : 'processing';
 *     },
 *     complete: (id) => redis.set(`hubline:${id}`, 'done', 'EX', '86400'),
 *     release: (id) => redis.del(`hubline:${id}`),
 *   };
 * }
 * ```
 */
export interface SeenStore {
  /** Atomically takes `id` if nobody has it, and returns its state before. */
  claim(id: string): SeenState | Promise<SeenState>;
  /** Marks the claimed delivery as handled, so that later claims get `done`. */
  complete(id: string): unknown;
  /** Forgets a claimed delivery that could not be handled, so that the next claim gets `new`. */
  release(id: string): unknown;
}

/**
 * The times for which a store remembers deliveries. All are in seconds.
 *
 * @example
 * ```ts
 * import { memorySeen, type SeenOptions } from '@hubline/webhooks';
 *
 * const aWeek: SeenOptions = { ttl: 7 * 86_400, lease: 60 };
 * const seen = memorySeen(aWeek);
 * ```
 */
export interface SeenOptions {
  /**
   * The time for which a handled delivery is remembered, in seconds. The automatic attempts of one delivery end about
   * 13 minutes after the first, or about 4 hours after it if the receiver asks for pauses; a person can retry it at any time.
   *
   * @default 86_400
   */
  ttl?: number | undefined;
  /**
   * The seconds after which a claim that was neither completed nor released counts as abandoned, because its process died. It is
   * longer than the 30 seconds that a call may take, and short enough that a later attempt can claim the delivery again.
   *
   * @default 120
   */
  lease?: number | undefined;
}

/** The times of {@link SeenOptions}, checked, with their defaults, in milliseconds. */
export function seenTimes({ ttl = 86_400, lease = 120 }: SeenOptions): { ttl: number; lease: number } {
  for (const [name, seconds] of Object.entries({ ttl, lease })) {
    if (!(seconds > 0)) throw new RangeError(`${name} must be a positive number of seconds.`);
  }
  return { ttl: ttl * 1000, lease: lease * 1000 };
}

/** Claims the delivery for this call, or throws the error to respond with. */
export async function claim(store: SeenStore, id: string): Promise<void> {
  const state = await store.claim(id);
  if (state !== 'new') {
    throw new WebhookVerificationError(state === 'done' ? 'replayed' : 'in_progress', `Delivery ${id}`);
  }
}
