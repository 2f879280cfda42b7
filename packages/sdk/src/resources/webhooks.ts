import type {
  Delivery,
  Recovery,
  RecoveryCreate,
  Webhook,
  WebhookCreate,
  WebhookFilterTest,
  WebhookFilterTestResult,
  WebhookRotatedSecret,
  WebhookRotateSecret,
  WebhookStats,
  WebhookTest,
  WebhookUpdate,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { type QueryOf, Resource } from '../core/resource.ts';
import { del, get, patch, post } from '../internal/url.ts';

/**
 * Query of {@link Webhooks.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const webhooks = await client.webhooks.list({ workspace_id: workspaceId, limit: 100 }).toArray();
 * ```
 */
export type WebhookListQuery = QueryOf<'webhooks.list'>;

/**
 * Query of {@link Webhooks.stats}.
 *
 * @example
 * ```ts
 * const { queue } = await client.webhooks.stats('whk_…', { window: '24h' });
 * console.log(queue.retrying);
 * ```
 */
export type WebhookStatsQuery = QueryOf<'webhooks.stats'>;

/**
 * Customer-controlled URLs that receive signed calls. Specification, "Webhooks" 1.
 *
 * @example
 * ```ts
 * const { id } = await client.webhooks.create({
 *   workspace_id: workspaceId,
 *   url: 'https://app.example.com/hooks/hubline',
 *   events: ['*'],
 *   secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
 * });
 * await client.webhooks.test(id);
 * ```
 */
export class Webhooks extends Resource<'webhooks'> {
  /**
   * Lists the webhooks of a workspace.
   *
   * @throws {@link InvalidRequestError} when a personal key is used without `workspace_id`.
   *
   * @example
   * ```ts
   * for await (const { url, status } of client.webhooks.list({ workspace_id: workspaceId })) console.log(url, status);
   * ```
   */
  list(query?: WebhookListQuery, options?: RequestOptions): PagePromise<Webhook> {
    return this.page('list', get`/webhooks`, options, query);
  }

  /**
   * Registers a webhook. Its secret is not returned again: keep it to verify the calls, with `@hubline/sdk/webhooks`.
   *
   * @throws {@link InvalidRequestError} when the URL is not HTTPS, {@link UnprocessableEntityError} when it is not public.
   *
   * @example
   * ```ts
   * const { id } = await client.webhooks.create({
   *   workspace_id: workspaceId,
   *   url: 'https://app.example.com/hooks',
   *   events: ['event.created'],
   *   secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
   * });
   * ```
   */
  create(body: WebhookCreate, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call('create', post`/webhooks`, options, body);
  }

  /**
   * Reads a webhook.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { status, events } = await client.webhooks.get('whk_…');
   * ```
   */
  get(webhookId: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call('get', get`/webhooks/${webhookId}`, options);
  }

  /**
   * Changes a webhook, or disables or enables it.
   *
   * @throws {@link InvalidRequestError} when the URL is not HTTPS, {@link UnprocessableEntityError} when it is not public.
   *
   * @example
   * ```ts
   * await client.webhooks.update('whk_…', { status: 'disabled' });
   * ```
   */
  update(webhookId: string, body: WebhookUpdate, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call('update', patch`/webhooks/${webhookId}`, options, body);
  }

  /**
   * Deletes a webhook; its open deliveries are cancelled.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.webhooks.delete('whk_…');
   * ```
   */
  delete(webhookId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('delete', del`/webhooks/${webhookId}`, options);
  }

  /**
   * Replaces the signing secret. `X-Service-Signature` uses the new one at once: receivers must know both beforehand. During an overlap,
   * `webhook-signature` has a signature with each. Only this response shows a generated secret.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { secret } = await client.webhooks.rotateSecret('whk_…', { overlap_seconds: 3_600 });
   * ```
   */
  rotateSecret(
    webhookId: string,
    body: WebhookRotateSecret = {},
    options?: RequestOptions,
  ): ApiPromise<WebhookRotatedSecret> {
    return this.call('rotateSecret', post`/webhooks/${webhookId}/rotate-secret`, options, body);
  }

  /**
   * Reads the recent activity of a webhook: attempts by outcome, latencies, open deliveries, a series for charts, and failed
   * attempts by cause. `window` is the period up to now: `1h`, `24h` or `7d`.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { failures } = await client.webhooks.stats('whk_…', { window: '24h' });
   * for (const { response_status, error_kind, attempts } of failures) console.log(response_status ?? error_kind, attempts);
   * ```
   */
  stats(webhookId: string, query?: WebhookStatsQuery, options?: RequestOptions): ApiPromise<WebhookStats> {
    return this.call('stats', get`/webhooks/${webhookId}/stats`, options, query);
  }

  /**
   * Sends a test call, once. Read the delivery to see the response.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { id } = await client.webhooks.test('whk_…');
   * const { attempts } = await client.deliveries.get(id);
   * ```
   */
  test(webhookId: string, body: WebhookTest = {}, options?: RequestOptions): ApiPromise<Delivery> {
    return this.call('test', post`/webhooks/${webhookId}/test`, options, body);
  }

  /**
   * Tries filters on past events, and says for each whether it would be delivered, or why not. Nothing is sent.
   * The key needs `events:read` too.
   *
   * @throws {@link InvalidRequestError} when a condition is malformed.
   *
   * @example
   * ```ts
   * const { data } = await client.webhooks.testFilters('whk_…', {
   *   filters: { conditions: { field: 'event.payload.pull_request.merged', op: 'eq', value: true } },
   * });
   * for (const { event_id, matched, refused_by } of data) console.log(event_id, matched, refused_by);
   * ```
   */
  testFilters(
    webhookId: string,
    body: WebhookFilterTest = {},
    options?: RequestOptions,
  ): ApiPromise<WebhookFilterTestResult> {
    return this.call('testFilters', post`/webhooks/${webhookId}/test-filters`, options, body);
  }

  /**
   * Enables a disabled webhook, and sends the deliveries that were held.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.webhooks.enable('whk_…');
   * ```
   */
  enable(webhookId: string, options?: RequestOptions): ApiPromise<Webhook> {
    return this.call('enable', post`/webhooks/${webhookId}/enable`, options);
  }

  /**
   * Sends again the deliveries that a webhook has missed since a given time. Returns a recovery: read its progress with
   * {@link Recoveries.get}.
   *
   * @throws {@link UnprocessableEntityError} when the webhook is disabled.
   *
   * @example
   * ```ts
   * let recovery = await client.webhooks.recover('whk_…', { since: '2026-01-02T03:04:05Z' });
   * while (recovery.completed_at === null) {
   *   await new Promise((resolve) => setTimeout(resolve, 1_000));
   *   recovery = await client.recoveries.get(recovery.id);
   * }
   * ```
   */
  recover(webhookId: string, body: RecoveryCreate, options?: RequestOptions): ApiPromise<Recovery> {
    return this.call('recover', post`/webhooks/${webhookId}/recover`, options, body);
  }
}
