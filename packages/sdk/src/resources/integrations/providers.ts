import type {
  ProviderDefinition,
  ProviderDefinitionCreate,
  ProviderDefinitionUpdate,
  ProviderPreset,
  ProviderPreview,
  ProviderPreviewRequest,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../../core/api-promise.ts';
import type { RequestOptions } from '../../core/options.ts';
import { type QueryOf, Resource } from '../../core/resource.ts';
import { del, get, patch, post } from '../../internal/url.ts';

/**
 * Query of {@link Providers.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * for await (const { provider } of client.providers.list(workspaceId, { limit: 100 })) console.log(provider);
 * ```
 */
export type ProviderDefinitionListQuery = QueryOf<'providers.list'>;

/**
 * Query of {@link Providers.listPresets}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * for await (const { preset } of client.providers.listPresets({ limit: 100 })) console.log(preset);
 * ```
 */
export type ProviderPresetListQuery = QueryOf<'providers.listPresets'>;

/**
 * Tools that a workspace defines itself. Their provider keys work wherever those of built-in providers do.
 *
 * @example
 * ```ts
 * const { provider } = await client.providers.create(workspaceId, {
 *   provider: 'acme-ci',
 *   name: 'Acme CI',
 *   verification: { kind: 'hmac', header: 'X-Acme-Signature', prefix: 'sha256=' },
 *   event_type: { from: ['/event'] },
 * });
 * await client.integrations.connect({ provider, workspace_id: workspaceId, credentials: {} });
 * ```
 */
export class Providers extends Resource<'providers'> {
  /**
   * Lists presets: definitions of well-known tools to begin with.
   *
   * @throws {@link ForbiddenError} when the key lacks the scope `integrations:read`.
   *
   * @example
   * ```ts
   * for await (const { preset, definition } of client.providers.listPresets())
   *   if (preset === 'stripe') await client.providers.create(workspaceId, definition);
   * ```
   */
  listPresets(query?: ProviderPresetListQuery, options?: RequestOptions): PagePromise<ProviderPreset> {
    return this.page('listPresets', get`/provider-presets`, options, query);
  }

  /**
   * Lists the providers that the workspace has defined, oldest first.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * for await (const { provider, name } of client.providers.list(workspaceId)) console.log(provider, name);
   * ```
   */
  list(
    workspaceId: string,
    query?: ProviderDefinitionListQuery,
    options?: RequestOptions,
  ): PagePromise<ProviderDefinition> {
    return this.page('list', get`/workspaces/${workspaceId}/providers`, options, query);
  }

  /**
   * Defines a provider.
   *
   * @throws {@link ConflictError} when the workspace has a definition with that key.
   * @throws {@link UnprocessableEntityError} when the key is that of a built-in provider.
   *
   * @example
   * ```ts
   * await client.providers.create(workspaceId, {
   *   provider: 'heating',
   *   name: 'Heating',
   *   verification: { kind: 'token', header: 'X-Token' },
   * });
   * ```
   */
  create(
    workspaceId: string,
    body: ProviderDefinitionCreate,
    options?: RequestOptions,
  ): ApiPromise<ProviderDefinition> {
    return this.call('create', post`/workspaces/${workspaceId}/providers`, options, body);
  }

  /**
   * Shows which event a definition would make of a call, and whether the call passes verification. Nothing is stored.
   *
   * @throws {@link InvalidRequestError} when the definition is wrong.
   *
   * @example
   * ```ts
   * const { event, verification } = await client.providers.preview(workspaceId, {
   *   provider_id: 'prv_…',
   *   body: '{"event":"build.finished"}',
   *   headers: { 'X-Token': 's3cret' },
   *   secret: 's3cret',
   * });
   * console.log(verification.result, event?.type);
   * ```
   */
  preview(
    workspaceId: string,
    body: ProviderPreviewRequest,
    options?: RequestOptions,
  ): ApiPromise<ProviderPreview> {
    return this.call('preview', post`/workspaces/${workspaceId}/providers/preview`, options, body);
  }

  /**
   * Reads a definition.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { verification } = await client.providers.get(workspaceId, 'prv_…');
   * ```
   */
  get(workspaceId: string, providerId: string, options?: RequestOptions): ApiPromise<ProviderDefinition> {
    return this.call('get', get`/workspaces/${workspaceId}/providers/${providerId}`, options);
  }

  /**
   * Changes a definition, from the next call on. A given field replaces the old one entirely, and `null` removes it.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.providers.update(workspaceId, 'prv_…', { name: 'Acme', pings: null });
   * ```
   */
  update(
    workspaceId: string,
    providerId: string,
    body: ProviderDefinitionUpdate,
    options?: RequestOptions,
  ): ApiPromise<ProviderDefinition> {
    return this.call('update', patch`/workspaces/${workspaceId}/providers/${providerId}`, options, body);
  }

  /**
   * Deletes a definition that no integration uses. Its events are kept.
   *
   * @throws {@link ConflictError} when integrations use it.
   *
   * @example
   * ```ts
   * await client.providers.delete(workspaceId, 'prv_…');
   * ```
   */
  delete(workspaceId: string, providerId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('delete', del`/workspaces/${workspaceId}/providers/${providerId}`, options);
  }
}
