import type { Me } from '@hubline/contract/types';
import type { ApiPromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import { get } from '../internal/url.ts';

/**
 * The user and the key of a request, and the workspaces that they can reach.
 *
 * @example
 * ```ts
 * const { memberships } = await client.me.get();
 * for (const { slug, role } of memberships) console.log(slug, role);
 * ```
 */
export class MeResource extends Resource<'me'> {
  /**
   * Reads the user, the key and the memberships of the caller.
   *
   * @throws {@link UnauthorizedError} when the key is wrong.
   *
   * @example
   * ```ts
   * const { user } = await client.me.get();
   * console.log(user.email);
   * ```
   */
  get(options?: RequestOptions): ApiPromise<Me> {
    return this.call('get', get`/me`, options);
  }
}
