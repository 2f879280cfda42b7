import type {
  OAuthApp,
  OAuthAppConfigure,
  OAuthFlow,
  OAuthStart,
  StartedOAuthFlow,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../../core/api-promise.ts';
import type { RequestOptions } from '../../core/options.ts';
import { type QueryOf, Resource } from '../../core/resource.ts';
import { del, get, post } from '../../internal/url.ts';

/**
 * Query of {@link OAuth.listApps}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * for await (const app of client.oauth.listApps(workspaceId, { limit: 100 })) console.log(app.provider);
 * ```
 */
export type OAuthAppListQuery = QueryOf<'oauth.listApps'>;

/**
 * Connects tools in the browser, through apps that the workspace has created at the providers. Specification,
 * "Authentication" 6.
 *
 * @example
 * ```ts
 * const { url, flow_id } = await client.oauth.start('github', { workspace_id: workspaceId });
 * console.log(`Open ${url}`);
 * const { status } = await client.oauth.get(workspaceId, flow_id);
 * ```
 */
export class OAuth extends Resource<'oauth'> {
  /**
   * Starts a flow. A person opens its `url` in a browser within 15 minutes; {@link OAuth.get} returns the outcome.
   *
   * @throws {@link NotFoundError} when the provider cannot be connected with OAuth.
   * @throws {@link UnprocessableEntityError} when the workspace has no app there.
   *
   * @example
   * ```ts
   * const { url } = await client.oauth.start('github', {
   *   workspace_id: workspaceId,
   *   settings: { repository: 'acme/web' },
   * });
   * ```
   */
  start(provider: string, body: OAuthStart, options?: RequestOptions): ApiPromise<StartedOAuthFlow> {
    return this.call('start', post`/integrations/oauth/${provider}/start`, options, body);
  }

  /**
   * Reads a flow: whether the person has decided, and which integration was connected.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { status, integration_id, error } = await client.oauth.get(workspaceId, 'oaf_…');
   * ```
   */
  get(workspaceId: string, flowId: string, options?: RequestOptions): ApiPromise<OAuthFlow> {
    return this.call('get', get`/workspaces/${workspaceId}/oauth-flows/${flowId}`, options);
  }

  /**
   * Lists the providers that can be connected with OAuth, each with the app of the workspace.
   *
   * @throws {@link ForbiddenError} when the key lacks the scope `integrations:read`.
   *
   * @example
   * ```ts
   * for await (const { provider, redirect_uri } of client.oauth.listApps(workspaceId))
   *   console.log(provider, redirect_uri);
   * ```
   */
  listApps(workspaceId: string, query?: OAuthAppListQuery, options?: RequestOptions): PagePromise<OAuthApp> {
    return this.page('listApps', get`/workspaces/${workspaceId}/oauth-apps`, options, query);
  }

  /**
   * Stores the credentials of an app that was created at a provider, or replaces them.
   *
   * @throws {@link UnprocessableEntityError} when the provider is unknown, or cannot be connected with OAuth.
   *
   * @example
   * ```ts
   * await client.oauth.configureApp(workspaceId, {
   *   provider: 'github',
   *   client_id: 'Iv1.8a61f9b3a7aba766',
   *   client_secret: process.env.GITHUB_CLIENT_SECRET ?? 'secret',
   * });
   * ```
   */
  configureApp(workspaceId: string, body: OAuthAppConfigure, options?: RequestOptions): ApiPromise<OAuthApp> {
    return this.call('configureApp', post`/workspaces/${workspaceId}/oauth-apps`, options, body);
  }

  /**
   * Deletes the credentials of an app. Integrations that are connected through it keep working until their access ends.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.oauth.removeApp(workspaceId, 'github');
   * ```
   */
  removeApp(workspaceId: string, provider: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('removeApp', del`/workspaces/${workspaceId}/oauth-apps/${provider}`, options);
  }
}
