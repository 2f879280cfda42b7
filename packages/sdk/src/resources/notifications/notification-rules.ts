import type {
  LoggedMessage,
  NotificationRule,
  NotificationRuleCreate,
  NotificationRuleUpdate,
  RuleTest,
  RuleTestResult,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../../core/api-promise.ts';
import type { RequestOptions } from '../../core/options.ts';
import { type QueryOf, Resource } from '../../core/resource.ts';
import { del, get, patch, post } from '../../internal/url.ts';

/**
 * Query of {@link NotificationRules.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const rules = await client.notificationRules.list(workspaceId, { limit: 100 }).toArray();
 * ```
 */
export type NotificationRuleListQuery = QueryOf<'notificationRules.list'>;

/**
 * Query of {@link NotificationRules.log}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const failed = await client.notificationRules.log(workspaceId, { status: 'failed' }).toArray();
 * ```
 */
export type NotificationLogQuery = QueryOf<'notificationRules.log'>;

/**
 * Rules for who is notified of what, when and where. See docs/decisions/notifications.md.
 *
 * @example
 * ```ts
 * await client.notificationRules.create(workspaceId, {
 *   name: 'Critical alerts',
 *   notify_on: ['event.created'],
 *   filters: { severity: ['critical'] },
 *   destinations: [{ kind: 'email', roles: ['owner', 'admin'] }],
 * });
 * ```
 */
export class NotificationRules extends Resource<'notificationRules'> {
  /**
   * Lists the rules of a workspace.
   *
   * @throws {@link ForbiddenError} when the key lacks the scope `notifications:read`.
   *
   * @example
   * ```ts
   * for await (const { name, enabled } of client.notificationRules.list(workspaceId)) console.log(name, enabled);
   * ```
   */
  list(
    workspaceId: string,
    query?: NotificationRuleListQuery,
    options?: RequestOptions,
  ): PagePromise<NotificationRule> {
    return this.page('list', get`/workspaces/${workspaceId}/notification-rules`, options, query);
  }

  /**
   * Creates a rule.
   *
   * @throws {@link InvalidRequestError} when a condition, a key or a time zone is invalid; `details` name its path.
   *
   * @example
   * ```ts
   * await client.notificationRules.create(workspaceId, {
   *   name: 'Everything, once a day',
   *   notify_on: ['event.created'],
   *   destinations: [{ kind: 'email', roles: ['owner'] }],
   *   digest: { window_seconds: 86_400 },
   * });
   * ```
   */
  create(
    workspaceId: string,
    body: NotificationRuleCreate,
    options?: RequestOptions,
  ): ApiPromise<NotificationRule> {
    return this.call('create', post`/workspaces/${workspaceId}/notification-rules`, options, body);
  }

  /**
   * Reads a rule.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { destinations } = await client.notificationRules.get(workspaceId, 'nrl_…');
   * ```
   */
  get(workspaceId: string, ruleId: string, options?: RequestOptions): ApiPromise<NotificationRule> {
    return this.call('get', get`/workspaces/${workspaceId}/notification-rules/${ruleId}`, options);
  }

  /**
   * Changes a rule; `null` removes a setting.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.notificationRules.update(workspaceId, 'nrl_…', { enabled: false });
   * ```
   */
  update(
    workspaceId: string,
    ruleId: string,
    body: NotificationRuleUpdate,
    options?: RequestOptions,
  ): ApiPromise<NotificationRule> {
    return this.call('update', patch`/workspaces/${workspaceId}/notification-rules/${ruleId}`, options, body);
  }

  /**
   * Deletes a rule. Messages that are still waiting are not sent.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.notificationRules.delete(workspaceId, 'nrl_…');
   * ```
   */
  delete(workspaceId: string, ruleId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('delete', del`/workspaces/${workspaceId}/notification-rules/${ruleId}`, options);
  }

  /**
   * Tries a rule on an event. Nothing is sent.
   * The key needs `events:read` too, unless the body has `event`.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { matched, refused_by } = await client.notificationRules.test(workspaceId, 'nrl_…');
   * ```
   */
  test(
    workspaceId: string,
    ruleId: string,
    body: RuleTest = {},
    options?: RequestOptions,
  ): ApiPromise<RuleTestResult> {
    return this.call(
      'test',
      post`/workspaces/${workspaceId}/notification-rules/${ruleId}/test`,
      options,
      body,
    );
  }

  /**
   * Lists the messages that rules and integrations have asked for, each with its outcome.
   *
   * @throws {@link ForbiddenError} when the key lacks the scope `notifications:read`.
   *
   * @example
   * ```ts
   * for await (const { to, status, reason } of client.notificationRules.log(workspaceId, { limit: 100 }))
   *   console.log(to, status, reason);
   * ```
   */
  log(
    workspaceId: string,
    query?: NotificationLogQuery,
    options?: RequestOptions,
  ): PagePromise<LoggedMessage> {
    return this.page('log', get`/workspaces/${workspaceId}/notification-log`, options, query);
  }
}
