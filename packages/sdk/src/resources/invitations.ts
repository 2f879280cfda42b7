import type { InvitationAccept, JoinedMember } from '@hubline/contract/types';
import type { ApiPromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';

/**
 * Invitations, from the side of the invited. They need no API key. Specification, "Members".
 *
 * @example
 * ```ts
 * import { Hubline } from '@hubline/sdk';
 *
 * const token = new URL('https://hub.example.com/invite?token=…').searchParams.get('token') ?? '';
 * const { role } = await new Hubline({ apiKey: null }).invitations.accept({ token });
 * ```
 */
export class Invitations extends Resource {
  /**
   * Accepts an invitation with the token of its link, once.
   *
   * @throws {@link NotFoundError} when the token is unknown, used or too old.
   *
   * @example
   * ```ts
   * import { Hubline } from '@hubline/sdk';
   *
   * const { workspace_id } = await new Hubline({ apiKey: null }).invitations.accept({ token: '…' });
   * ```
   */
  accept(body: InvitationAccept, options?: RequestOptions): ApiPromise<JoinedMember> {
    return this.call('invitations.accept', { method: 'POST', path: '/invitations/accept', body, options });
  }
}
