import type { Recovery } from '@hubline/contract/types';
import type { ApiPromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import { get } from '../internal/url.ts';

/**
 * Jobs that retry many deliveries, started by {@link Webhooks.recover} and {@link Deliveries.retryAll}. Each delivery gets one extra
 * attempt. Specification, "States and transitions" 8.
 *
 * @example
 * ```ts
 * const { id } = await client.webhooks.recover('whk_…', { since: '2026-01-02T03:04:05Z' });
 * const { done, matched } = await client.recoveries.get(id);
 * console.log(`${done} of ${matched}`);
 * ```
 */
export class Recoveries extends Resource<'recoveries'> {
  /**
   * Reads a recovery with its progress.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { status, completed_at } = await client.recoveries.get('rec_…');
   * ```
   */
  get(recoveryId: string, options?: RequestOptions): ApiPromise<Recovery> {
    return this.call('get', get`/recoveries/${recoveryId}`, options);
  }
}
