import type { Delivery, DeliveryDetail, DeliveryRetryAll, Recovery } from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { type QueryOf, Resource } from '../core/resource.ts';
import { get, post } from '../internal/url.ts';

/**
 * Query of {@link Deliveries.listForWebhook}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const invitations = client.deliveries.listForWebhook('whk_…', { event_type: 'user.invited', since: '2026-01-02T00:00:00Z' });
 * for await (const { id, status } of invitations) console.log(id, status);
 * ```
 */
export type WebhookDeliveryListQuery = QueryOf<'deliveries.listForWebhook'>;

/**
 * Query of {@link Deliveries.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * // The deliveries of one event, by webhook.
 * for await (const { webhook_id, status } of client.deliveries.list(workspaceId, { event_id: 'evt_…' }))
 *   console.log(webhook_id, status);
 * ```
 */
export type DeliveryListQuery = QueryOf<'deliveries.list'>;

/**
 * Deliveries: one event for one webhook, with its attempts. Specification, "Delivery" 1 to 5.
 *
 * @example
 * ```ts
 * for await (const { id } of client.deliveries.list(workspaceId, { status: 'failed' })) {
 *   const { attempts } = await client.deliveries.get(id);
 *   console.log(id, attempts.at(-1)?.error?.message);
 * }
 * ```
 */
export class Deliveries extends Resource<'deliveries'> {
  /**
   * Lists the deliveries of a webhook, newest first.
   *
   * @throws {@link NotFoundError} when the key cannot see the webhook.
   *
   * @example
   * ```ts
   * const failed = client.deliveries.listForWebhook('whk_…', { status: 'failed' });
   * for await (const delivery of failed) console.log(delivery.id, delivery.attempt_count);
   * ```
   */
  listForWebhook(
    webhookId: string,
    query?: WebhookDeliveryListQuery,
    options?: RequestOptions,
  ): PagePromise<Delivery> {
    return this.page('listForWebhook', get`/webhooks/${webhookId}/deliveries`, options, query);
  }

  /**
   * Lists the deliveries of a workspace, newest first.
   *
   * @throws {@link NotFoundError} when the key cannot see the workspace.
   *
   * @example
   * ```ts
   * const page = await client.deliveries.list(workspaceId, { limit: 100 });
   * console.log(page.data.length, page.nextCursor);
   * ```
   */
  list(workspaceId: string, query?: DeliveryListQuery, options?: RequestOptions): PagePromise<Delivery> {
    return this.page('list', get`/workspaces/${workspaceId}/deliveries`, options, query);
  }

  /**
   * Reads a delivery with the body that is sent, and the response of each attempt.
   * The key needs `events:read` too.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { attempts } = await client.deliveries.get('dlv_…');
   * console.log(attempts.at(-1)?.response_status);
   * ```
   */
  get(deliveryId: string, options?: RequestOptions): ApiPromise<DeliveryDetail> {
    return this.call('get', get`/deliveries/${deliveryId}`, options);
  }

  /**
   * Makes one extra attempt now, whatever the outcome of the others.
   *
   * @throws {@link UnprocessableEntityError} when the webhook is disabled or deleted.
   *
   * @example
   * ```ts
   * const { status } = await client.deliveries.retry('dlv_…');
   * ```
   */
  retry(deliveryId: string, options?: RequestOptions): ApiPromise<Delivery> {
    return this.call('retry', post`/deliveries/${deliveryId}/retry`, options);
  }

  /**
   * Makes one extra attempt for every delivery that matches, by default for all that failed. Returns a recovery: read its
   * progress with {@link Recoveries.get}.
   *
   * @throws {@link UnprocessableEntityError} when the webhook is disabled, {@link NotFoundError} when it is in another workspace.
   *
   * @example
   * ```ts
   * const { id } = await client.deliveries.retryAll(workspaceId, { webhook_id: 'whk_…' });
   * const { completed_at } = await client.recoveries.get(id);
   * ```
   */
  retryAll(workspaceId: string, body: DeliveryRetryAll = {}, options?: RequestOptions): ApiPromise<Recovery> {
    return this.call('retryAll', post`/workspaces/${workspaceId}/deliveries/retry`, options, body);
  }
}
