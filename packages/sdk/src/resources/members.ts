import type {
  InvitedMember,
  Member,
  MemberInvite,
  MemberUpdate,
  PendingMember,
  UpdatedMember,
} from '@hubline/contract/types';
import type { ApiPromise, PagePromise } from '../core/api-promise.ts';
import type { RequestOptions } from '../core/options.ts';
import { type QueryOf, Resource } from '../core/resource.ts';
import { del, get, patch, post } from '../internal/url.ts';

/**
 * Query of {@link Members.list}. Specification, "Pagination (list endpoints)" 1 and 2.
 *
 * @example
 * ```ts
 * const { nextCursor } = await client.members.list(workspaceId, { limit: 100 });
 * if (nextCursor !== null) await client.members.list(workspaceId, { limit: 100, cursor: nextCursor });
 * ```
 */
export type MemberListQuery = QueryOf<'members.list'>;

/**
 * The users of a workspace and their roles. Specification, "Members" 1 to 5 and "Role permissions" 9 to 13.
 *
 * @example
 * ```ts
 * const { user_id, invite_url } = await client.members.invite(workspaceId, { email: 'ada@example.com', role: 'member' });
 * console.log(invite_url); // shown only once
 * await client.members.update(workspaceId, user_id, { role: 'admin' });
 * ```
 */
export class Members extends Resource<'members'> {
  /**
   * Lists members and open invitations.
   *
   * @throws {@link NotFoundError} when the key cannot see the workspace.
   *
   * @example
   * ```ts
   * for await (const { email, role } of client.members.list(workspaceId)) console.log(email, role);
   * ```
   */
  list(workspaceId: string, query?: MemberListQuery, options?: RequestOptions): PagePromise<Member> {
    return this.page('list', get`/workspaces/${workspaceId}/members`, options, query);
  }

  /**
   * Invites somebody by email. Only this response shows the one-time link.
   *
   * @throws {@link ConflictError} when the address belongs to a member or to an open invitation.
   *
   * @example
   * ```ts
   * const { user_id, status } = await client.members.invite(workspaceId, { email: 'ada@example.com', role: 'admin' });
   * ```
   */
  invite(workspaceId: string, body: MemberInvite, options?: RequestOptions): ApiPromise<InvitedMember> {
    return this.call('invite', post`/workspaces/${workspaceId}/members/invite`, options, body);
  }

  /**
   * Invites somebody in the variant form of the specification, which returns `id` and the status `pending`. In new code, call
   * {@link Members.invite}.
   *
   * @throws {@link ConflictError} when the address belongs to a member or to an open invitation.
   *
   * @example
   * ```ts
   * const { id, status } = await client.members.create(workspaceId, { email: 'ada@example.com' });
   * ```
   */
  create(workspaceId: string, body: MemberInvite, options?: RequestOptions): ApiPromise<PendingMember> {
    return this.call('create', post`/workspaces/${workspaceId}/members`, options, body);
  }

  /**
   * Changes a role, or with `owner` transfers ownership to an admin. The change takes effect at once.
   *
   * @throws {@link UnprocessableEntityError} for the sole owner, or when the new owner is not an admin.
   *
   * @example
   * ```ts
   * await client.members.update(workspaceId, 'usr_…', { role: 'admin' });
   * ```
   */
  update(
    workspaceId: string,
    userId: string,
    body: MemberUpdate,
    options?: RequestOptions,
  ): ApiPromise<UpdatedMember> {
    return this.call('update', patch`/workspaces/${workspaceId}/members/${userId}`, options, body);
  }

  /**
   * Removes a member, or withdraws an invitation. Access ends at once.
   *
   * @throws {@link UnprocessableEntityError} for the sole owner.
   *
   * @example
   * ```ts
   * await client.members.remove(workspaceId, 'usr_…');
   * ```
   */
  remove(workspaceId: string, userId: string, options?: RequestOptions): ApiPromise<undefined> {
    return this.call('remove', del`/workspaces/${workspaceId}/members/${userId}`, options);
  }

  /**
   * Sends an open invitation again, with a new link.
   *
   * @throws {@link UnprocessableEntityError} when the user has already joined.
   *
   * @example
   * ```ts
   * await client.members.resendInvite(workspaceId, 'usr_…');
   * ```
   */
  resendInvite(workspaceId: string, userId: string, options?: RequestOptions): ApiPromise<InvitedMember> {
    return this.call(
      'resendInvite',
      post`/workspaces/${workspaceId}/members/${userId}/resend-invite`,
      options,
    );
  }
}
