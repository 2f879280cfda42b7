import type {
  NotificationTemplate,
  NotificationTemplateCreate,
  NotificationTemplateUpdate,
  RenderedTemplate,
  TemplatePreview,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../../core/api-promise.ts';
import type { RequestOptions } from '../../core/options.ts';
import { type QueryOf, Resource } from '../../core/resource.ts';
import { del, get, patch, post } from '../../internal/url.ts';

/**
 * Query of {@link NotificationTemplates.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const templates = await client.notificationTemplates.list(workspaceId, { limit: 100 }).toArray();
 * ```
 */
export type NotificationTemplateListQuery = QueryOf<'notificationTemplates.list'>;

/**
 * Query of {@link NotificationTemplates.get}.
 *
 * @example
 * ```ts
 * const first = await client.notificationTemplates.get(workspaceId, 'ntp_…', { version: 1 });
 * ```
 */
export type NotificationTemplateQuery = QueryOf<'notificationTemplates.get'>;

/**
 * Texts of notifications, in Liquid. Every change creates a new version.
 *
 * @example
 * ```ts
 * const { id } = await client.notificationTemplates.create(workspaceId, {
 *   name: 'Pull requests',
 *   body: { text: '{{ event.summary.text }}' },
 * });
 * ```
 */
export class NotificationTemplates extends Resource<'notificationTemplates'> {
  /**
   * Lists the templates of a workspace.
   *
   * @throws {@link ForbiddenError} when the key lacks the scope `notifications:read`.
   *
   * @example
   * ```ts
   * for await (const { name, version } of client.notificationTemplates.list(workspaceId)) console.log(name, version);
   * ```
   */
  list(
    workspaceId: string,
    query?: NotificationTemplateListQuery,
    options?: RequestOptions,
  ): PagePromise<NotificationTemplate> {
    return this.page('list', get`/workspaces/${workspaceId}/notification-templates`, options, query);
  }

  /**
   * Creates a template.
   *
   * @throws {@link InvalidRequestError} when a text cannot be rendered; `details` name the path, line and column.
   *
   * @example
   * ```ts
   * await client.notificationTemplates.create(workspaceId, { name: 'Short', body: { text: '{{ event.type }}' } });
   * ```
   */
  create(
    workspaceId: string,
    body: NotificationTemplateCreate,
    options?: RequestOptions,
  ): ApiPromise<NotificationTemplate> {
    return this.call('create', post`/workspaces/${workspaceId}/notification-templates`, options, body);
  }

  /**
   * Reads a template, or an older version of it.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { version, body } = await client.notificationTemplates.get(workspaceId, 'ntp_…');
   * ```
   */
  get(
    workspaceId: string,
    templateId: string,
    query?: NotificationTemplateQuery,
    options?: RequestOptions,
  ): ApiPromise<NotificationTemplate> {
    return this.call(
      'get',
      get`/workspaces/${workspaceId}/notification-templates/${templateId}`,
      options,
      query,
    );
  }

  /**
   * Changes a template, which creates a new version.
   *
   * @throws {@link InvalidRequestError} when a text cannot be rendered.
   *
   * @example
   * ```ts
   * await client.notificationTemplates.update(workspaceId, 'ntp_…', { subject: '{{ event.type }}' });
   * ```
   */
  update(
    workspaceId: string,
    templateId: string,
    body: NotificationTemplateUpdate,
    options?: RequestOptions,
  ): ApiPromise<NotificationTemplate> {
    return this.call(
      'update',
      patch`/workspaces/${workspaceId}/notification-templates/${templateId}`,
      options,
      body,
    );
  }

  /**
   * Deletes a template with all its versions.
   *
   * @throws {@link ConflictError} when a rule or an automation uses it.
   *
   * @example
   * ```ts
   * await client.notificationTemplates.delete(workspaceId, 'ntp_…');
   * ```
   */
  delete(workspaceId: string, templateId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('delete', del`/workspaces/${workspaceId}/notification-templates/${templateId}`, options);
  }

  /**
   * Renders a template, or a given text, with the values of an event. Nothing is sent.
   * The key needs `events:read` too, unless the body has `event`.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { text } = await client.notificationTemplates.preview(workspaceId, 'ntp_…', { event_id: 'evt_…' });
   * ```
   */
  preview(
    workspaceId: string,
    templateId: string,
    body: TemplatePreview = {},
    options?: RequestOptions,
  ): ApiPromise<RenderedTemplate> {
    return this.call(
      'preview',
      post`/workspaces/${workspaceId}/notification-templates/${templateId}/preview`,
      options,
      body,
    );
  }
}
