import type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyRotate,
  ApiKeyUpdate,
  ApiKeyWithSecret,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { type QueryOf, Resource } from '../core/resource.ts';
import { del, get, patch, post } from '../internal/url.ts';

/**
 * Query of {@link ApiKeys.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const { nextCursor } = await client.apiKeys.list(workspaceId, { limit: 100 });
 * if (nextCursor !== null) await client.apiKeys.list(workspaceId, { limit: 100, cursor: nextCursor });
 * ```
 */
export type ApiKeyListQuery = QueryOf<'apiKeys.list'>;

/**
 * Keys that are bound to one workspace. Specification, "Authentication" 2.
 *
 * @example
 * ```ts
 * const { id, key } = await client.apiKeys.create(workspaceId, { name: 'CI', scopes: ['events:write'] });
 * console.log(key); // shown only once
 * await client.apiKeys.revoke(workspaceId, id);
 * ```
 */
export class ApiKeys extends Resource<'apiKeys'> {
  /**
   * Lists the keys of a workspace, without their secrets; for owners and admins.
   *
   * @throws {@link ForbiddenError} for members and viewers, {@link NotFoundError} when the key cannot see the workspace.
   *
   * @example
   * ```ts
   * for await (const key of client.apiKeys.list(workspaceId)) console.log(key.name, key.last_used_at);
   * ```
   */
  list(workspaceId: string, query?: ApiKeyListQuery, options?: RequestOptions): PagePromise<ApiKey> {
    return this.page('list', get`/workspaces/${workspaceId}/api-keys`, options, query);
  }

  /**
   * Creates a key. Only this response shows its secret.
   *
   * @throws {@link ForbiddenError} for more rights than the calling key has.
   *
   * @example
   * ```ts
   * const { key } = await client.apiKeys.create(workspaceId, { name: 'CI', scopes: ['events:write'] });
   * ```
   */
  create(workspaceId: string, body: ApiKeyCreate, options?: RequestOptions): ApiPromise<ApiKeyWithSecret> {
    return this.call('create', post`/workspaces/${workspaceId}/api-keys`, options, body);
  }

  /**
   * Reads a key, without its secret.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { status, expires_at } = await client.apiKeys.get(workspaceId, 'key_…');
   * ```
   */
  get(workspaceId: string, keyId: string, options?: RequestOptions): ApiPromise<ApiKey> {
    return this.call('get', get`/workspaces/${workspaceId}/api-keys/${keyId}`, options);
  }

  /**
   * Changes the name, scopes or role cap of a key. The change takes effect at once.
   *
   * @throws {@link ForbiddenError} for more rights than the calling key has.
   *
   * @example
   * ```ts
   * await client.apiKeys.update(workspaceId, 'key_…', { name: 'CI of the website' });
   * ```
   */
  update(
    workspaceId: string,
    keyId: string,
    body: ApiKeyUpdate,
    options?: RequestOptions,
  ): ApiPromise<ApiKey> {
    return this.call('update', patch`/workspaces/${workspaceId}/api-keys/${keyId}`, options, body);
  }

  /**
   * Revokes a key at once.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.apiKeys.revoke(workspaceId, 'key_…');
   * ```
   */
  revoke(workspaceId: string, keyId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('revoke', del`/workspaces/${workspaceId}/api-keys/${keyId}`, options);
  }

  /**
   * Gives a key a new secret, shown only in this response; the old one can stay valid for a while.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * const { key } = await client.apiKeys.rotate(workspaceId, 'key_…', { overlap_seconds: 3_600 });
   * ```
   */
  rotate(
    workspaceId: string,
    keyId: string,
    body: ApiKeyRotate = {},
    options?: RequestOptions,
  ): ApiPromise<ApiKeyWithSecret> {
    return this.call('rotate', post`/workspaces/${workspaceId}/api-keys/${keyId}/rotate`, options, body);
  }
}
