import type {
  ConnectedIntegration,
  Integration,
  IntegrationConnect,
  IntegrationCreate,
  IntegrationReconnect,
  IntegrationSummary,
  IntegrationSync,
  IntegrationTest,
  IntegrationTestResult,
  IntegrationUpdate,
  Provider,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../../core/api-promise.ts';
import type { RequestOptions } from '../../core/options.ts';
import { type QueryOf, Resource } from '../../core/resource.ts';
import { del, get, patch, post } from '../../internal/url.ts';

/**
 * Query of {@link Integrations.listProviders}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const { nextCursor } = await client.integrations.listProviders({ limit: 100 });
 * if (nextCursor !== null) await client.integrations.listProviders({ limit: 100, cursor: nextCursor });
 * ```
 */
export type ProviderListQuery = QueryOf<'integrations.listProviders'>;

/**
 * Query of {@link Integrations.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const { nextCursor } = await client.integrations.list(workspaceId, { limit: 100 });
 * if (nextCursor !== null) await client.integrations.list(workspaceId, { limit: 100, cursor: nextCursor });
 * ```
 */
export type IntegrationListQuery = QueryOf<'integrations.list'>;

/**
 * External tools, available and connected. Specification, "Integrations" 1 to 7.
 *
 * @example
 * ```ts
 * const { integration_id, ingest } = await client.integrations.connect({
 *   provider: 'github',
 *   workspace_id: workspaceId,
 *   credentials: { token: process.env.GITHUB_TOKEN ?? '', repository: 'acme/web' },
 * });
 * if (!ingest.registered) console.log(ingest.instructions);
 * ```
 */
export class Integrations extends Resource<'integrations'> {
  /**
   * Lists the external tools that can be connected, and the credentials that each needs.
   *
   * @throws {@link ForbiddenError} when the key lacks the scope `integrations:read`.
   *
   * @example
   * ```ts
   * for await (const { provider, required_credentials } of client.integrations.listProviders())
   *   console.log(provider, required_credentials);
   * ```
   */
  listProviders(query?: ProviderListQuery, options?: RequestOptions): PagePromise<Provider> {
    return this.page('listProviders', get`/integrations`, options, query);
  }

  /**
   * Connects an external tool with credentials, which are checked first and stored encrypted. Any steps that remain are in
   * `status_detail` and `ingest.instructions`.
   *
   * @throws {@link UnprocessableEntityError} when the tool refuses the credentials, or is already connected.
   * @throws {@link ServiceUnavailableError} when the API of the tool does not respond. Nothing was connected.
   *
   * @example
   * ```ts
   * const { integration_id } = await client.integrations.connect({
   *   provider: 'github',
   *   workspace_id: workspaceId,
   *   credentials: { token: process.env.GITHUB_TOKEN ?? '' },
   * });
   * ```
   */
  connect(body: IntegrationConnect, options?: RequestOptions): ApiPromise<ConnectedIntegration> {
    return this.call('connect', post`/integrations/connect`, options, body);
  }

  /**
   * Connects an external tool in the variant form of the specification, by type and configuration. In new code, call
   * {@link Integrations.connect}.
   *
   * @throws {@link UnprocessableEntityError} when the tool is already connected.
   *
   * @example
   * ```ts
   * const { integration_id } = await client.integrations.create({
   *   type: 'custom',
   *   workspace_id: workspaceId,
   *   config: { channel: '#deploys', notify_on: ['event.created'] },
   * });
   * ```
   */
  create(body: IntegrationCreate, options?: RequestOptions): ApiPromise<ConnectedIntegration> {
    return this.call('create', post`/integrations`, options, body);
  }

  /**
   * Reads an integration, without its credentials.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { status, config } = await client.integrations.get('int_…');
   * ```
   */
  get(integrationId: string, options?: RequestOptions): ApiPromise<Integration> {
    return this.call('get', get`/integrations/${integrationId}`, options);
  }

  /**
   * Replaces the notification settings of an integration.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.integrations.update('int_…', { config: { channel: '#ops', notify_on: ['event.created'] } });
   * ```
   */
  update(integrationId: string, body: IntegrationUpdate, options?: RequestOptions): ApiPromise<Integration> {
    return this.call('update', patch`/integrations/${integrationId}`, options, body);
  }

  /**
   * Sends a test notification to the tool. The response says whether it arrived; the status of the integration is updated.
   *
   * @throws {@link UnprocessableEntityError} when the tool takes no notifications, or has no usable credentials.
   * @throws {@link ServiceUnavailableError} when the tool does not respond.
   *
   * @example
   * ```ts
   * const { success, destination } = await client.integrations.test('int_…', {
   *   event_type: 'event.created',
   *   payload: { message: 'Is this on?' },
   * });
   * ```
   */
  test(
    integrationId: string,
    body: IntegrationTest,
    options?: RequestOptions,
  ): ApiPromise<IntegrationTestResult> {
    return this.call('test', post`/integrations/${integrationId}/test`, options, body);
  }

  /**
   * Replaces the credentials of an integration. The webhook that was registered at the tool is changed, or replaced.
   *
   * @throws {@link UnprocessableEntityError} when the tool refuses the credentials.
   * @throws {@link ServiceUnavailableError} when the API of the tool does not respond. The old credentials stay in use.
   *
   * @example
   * ```ts
   * await client.integrations.reconnect('int_…', { credentials: { token: process.env.GITHUB_TOKEN ?? '' } });
   * ```
   */
  reconnect(
    integrationId: string,
    body: IntegrationReconnect,
    options?: RequestOptions,
  ): ApiPromise<ConnectedIntegration> {
    return this.call('reconnect', post`/integrations/${integrationId}/reconnect`, options, body);
  }

  /**
   * Asks the tool for what was missed: the tool repeats calls that failed, or its past changes become events. No event is stored
   * twice. The sync runs in the background; {@link Integrations.get} returns its status as `sync`.
   *
   * @throws {@link UnprocessableEntityError} when the tool has no API that lists past changes.
   *
   * @example
   * ```ts
   * await client.integrations.sync('int_…');
   * const { sync } = await client.integrations.get('int_…');
   * ```
   */
  sync(integrationId: string, options?: RequestOptions): ApiPromise<IntegrationSync> {
    return this.call('sync', post`/integrations/${integrationId}/sync`, options);
  }

  /**
   * Lists the connected integrations of a workspace.
   *
   * @throws {@link NotFoundError} when the key cannot see the workspace.
   *
   * @example
   * ```ts
   * for await (const { provider, status } of client.integrations.list(workspaceId)) console.log(provider, status);
   * ```
   */
  list(
    workspaceId: string,
    query?: IntegrationListQuery,
    options?: RequestOptions,
  ): PagePromise<IntegrationSummary> {
    return this.page('list', get`/workspaces/${workspaceId}/integrations`, options, query);
  }

  /**
   * Disconnects an integration: its credentials are deleted and its events stop.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.integrations.disconnect(workspaceId, 'int_…');
   * ```
   */
  disconnect(workspaceId: string, integrationId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('disconnect', del`/workspaces/${workspaceId}/integrations/${integrationId}`, options);
  }
}
