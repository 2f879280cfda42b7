import type { InvitationAccept, JoinedMember } from '@hubline/contract/types';
import type { ApiPromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import { post } from '../internal/url.ts';

/**
 * Invitations, for the person who was invited. A new user needs no API key. See docs/decisions/invitations.md.
 *
 * @example
 * ```ts
 * import { Hubline } from '@hubline/sdk';
 *
 * const token = new URL('https://hub.example.com/invite?token=…').searchParams.get('token') ?? '';
 * const { role } = await new Hubline({ apiKey: null }).invitations.accept({ token });
 * ```
 */
export class Invitations extends Resource<'invitations'> {
  /**
   * Accepts an invitation with the token of its link, which works once. A new user may set a first password. A user with an
   * account needs a personal key of that account, with `members:write`.
   *
   * @throws {@link NotFoundError} when the token is unknown, used or too old.
   * @throws {@link UnauthorizedError} when the invited user has an account, and no key was sent.
   * @throws {@link ForbiddenError} when the key is somebody else's, or bound to a workspace.
   * @throws {@link ConflictError} when the user has no account, but an older invitation to another workspace.
   *
   * @example
   * ```ts
   * import { Hubline } from '@hubline/sdk';
   *
   * const token = new URL('https://hub.example.com/invite?token=…').searchParams.get('token') ?? '';
   * const { workspace_id } = await new Hubline({ apiKey: null }).invitations.accept({ token, password: 'correct horse battery' });
   * ```
   *
   * @example
   * ```ts
   * // With an account: the client has a personal key.
   * const { role } = await client.invitations.accept({ token: '…' });
   * ```
   */
  accept(body: InvitationAccept, options?: RequestOptions): ApiPromise<JoinedMember> {
    return this.call('accept', post`/invitations/accept`, options, body);
  }
}
