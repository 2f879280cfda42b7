import { type SeenOptions, type SeenStore, seenTimes } from './seen.ts';

/**
 * Options of {@link memorySeen}.
 *
 * @example
 * ```ts
 * import { memorySeen } from '@hubline/webhooks';
 *
 * const seen = memorySeen({ ttl: 3_600, max: 50_000 }); // an hour, and at most as many as fit into memory
 * console.log(await seen.claim('dlv_01'), await seen.claim('dlv_01')); // new processing
 * ```
 */
export interface MemorySeenOptions extends SeenOptions {
  /**
   * The maximum number of deliveries that are remembered. Beyond it, the oldest are forgotten early.
   *
   * @default 10_000
   */
  max?: number | undefined;
}

/**
 * A {@link SeenStore} in the memory of this process. Use it with a single process. After a restart, a delivery may be handled
 * twice: it comes again if its response was lost (specification, "Delivery" 4).
 *
 * @throws RangeError when a number is not positive.
 *
 * @example
 * ```ts
 * import { memorySeen, unwrap } from '@hubline/webhooks';
 *
 * const seen = memorySeen({ ttl: 3_600, max: 50_000 });
 *
 * export async function POST(request: Request): Promise<Response> {
 *   const event = await unwrap(request, { secret: process.env.HUBLINE_WEBHOOK_SECRET, seen });
 *   return new Response(event.id);
 * }
 * ```
 */
export function memorySeen(options: MemorySeenOptions = {}): SeenStore {
  const { ttl, lease } = seenTimes(options);
  const { max = 10_000 } = options;
  if (!(max >= 1)) throw new RangeError('max must be at least 1.');
  const entries = new Map<string, { done: boolean; until: number }>();

  // Deleting first moves the entry to the end: a Map keeps the order of insertion, so the first key is always the oldest.
  function remember(id: string, done: boolean): void {
    entries.delete(id);
    entries.set(id, { done, until: Date.now() + (done ? ttl : lease) });
    for (const oldest of entries.keys()) {
      if (entries.size <= max) break;
      entries.delete(oldest);
    }
  }

  return {
    claim(id) {
      const entry = entries.get(id);
      if (entry && entry.until > Date.now()) return entry.done ? 'done' : 'processing';
      remember(id, false);
      return 'new';
    },
    complete: (id) => remember(id, true),
    release: (id) => entries.delete(id),
  };
}
