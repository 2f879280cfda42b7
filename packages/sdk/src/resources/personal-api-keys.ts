import type { ApiKey, ApiKeyWithSecret, PersonalApiKeyCreate } from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { type QueryOf, Resource } from '../core/resource.ts';
import { del, get, post } from '../internal/url.ts';

/**
 * Query of {@link PersonalApiKeys.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const { nextCursor } = await client.personalApiKeys.list({ limit: 100 });
 * if (nextCursor !== null) await client.personalApiKeys.list({ limit: 100, cursor: nextCursor });
 * ```
 */
export type PersonalApiKeyListQuery = QueryOf<'personalApiKeys.list'>;

/**
 * Keys of a user, which act in every workspace where that user may manage keys. See docs/decisions/roles-and-keys.md.
 *
 * @example
 * ```ts
 * const { id, key } = await client.personalApiKeys.create({ name: 'laptop' });
 * console.log(key); // shown only once
 * await client.personalApiKeys.revoke(id);
 * ```
 */
export class PersonalApiKeys extends Resource<'personalApiKeys'> {
  /**
   * Lists the caller's personal keys, without their secrets.
   *
   * @throws {@link ForbiddenError} when the calling key is bound to a workspace.
   *
   * @example
   * ```ts
   * for await (const { name, status } of client.personalApiKeys.list()) console.log(name, status);
   * ```
   */
  list(query?: PersonalApiKeyListQuery, options?: RequestOptions): PagePromise<ApiKey> {
    return this.page('list', get`/me/api-keys`, options, query);
  }

  /**
   * Creates a personal key. Only this response shows its secret.
   *
   * @throws {@link InvalidRequestError}, {@link ForbiddenError} for more rights than the calling key has.
   *
   * @example
   * ```ts
   * const { key } = await client.personalApiKeys.create({ name: 'laptop' });
   * ```
   */
  create(body: PersonalApiKeyCreate, options?: RequestOptions): ApiPromise<ApiKeyWithSecret> {
    return this.call('create', post`/me/api-keys`, options, body);
  }

  /**
   * Revokes a personal key at once.
   *
   * @throws {@link NotFoundError}
   *
   * @example
   * ```ts
   * await client.personalApiKeys.revoke('key_…');
   * ```
   */
  revoke(keyId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('revoke', del`/me/api-keys/${keyId}`, options);
  }
}
