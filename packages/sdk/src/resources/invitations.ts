import type { InvitationAccept, JoinedMember } from '@hubline/contract/types';
import type { ApiPromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import { post } from '../internal/url.ts';

/**
 * Invitations, from the side of the invited. Somebody new needs no API key. Specification, "Members".
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
   * Accepts an invitation with the token of its link, once. Somebody new may set a first password; whoever has an account
   * calls this with a personal key of theirs that has `members:write`.
   *
   * @throws {@link NotFoundError} when the token is unknown, used or too old.
   * @throws {@link UnauthorizedError} when the invited user has an account, and no key was sent.
   * @throws {@link ForbiddenError} when the key is somebody else's, or bound to a workspace.
   * @throws {@link ConflictError} when the user has no account, and an older invitation to another workspace.
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
