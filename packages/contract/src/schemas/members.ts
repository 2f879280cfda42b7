import { z } from 'zod';
import { LIMITS } from '../constants/limits.ts';
import { email, text, timestamp } from '../text.ts';
import { ApiKey } from './api-keys.ts';
import { assignedRole, role } from './common.ts';

/** Response of `GET /me`. */
export const Me = z
  .object({
    user: z
      .object({
        id: z.string().describe('`usr_` and 26 characters.'),
        email: z.string().describe('Email address, lower case.'),
        created_at: timestamp.describe('Time at which the user was created on this server.'),
      })
      .describe('The user behind the key.'),
    key: ApiKey.describe('The key of this request.'),
    memberships: z
      .array(
        z.object({
          workspace_id: z.string().describe('`ws_` and 26 characters.'),
          name: z.string().describe('Display name of the workspace.'),
          slug: z.string().describe('Slug of the workspace.'),
          role: role.describe('The role of the user, lowered to the cap of the key.'),
        }),
      )
      .describe('The workspaces that this key can see.'),
  })
  .describe('The calling user and key, and the workspaces that they can reach.')
  .meta({ id: 'Me' });

/** Specification, "Member", as the list returns it. */
export const Member = z
  .object({
    user_id: z.string().describe('`usr_` and 26 characters.'),
    email: z.string().describe('Email address, lower case.'),
    role: role.describe('Role of the member.'),
    status: z.enum(['active', 'invited']).describe('`invited` until the invitation is accepted.'),
    joined_at: timestamp.nullable().describe('Time of joining; `null` before.'),
  })
  .describe('A user in a workspace.')
  .meta({ id: 'Member' });

/** Body of both invite endpoints. */
export const MemberInvite = z
  .strictObject({
    email: email.describe('Email address of the invitee.'),
    role: assignedRole.default('member').describe('Role on joining. Default `member`.'),
  })
  .describe('An invitation to send.')
  .meta({ id: 'MemberInvite' });

const invitation = {
  invite_url: z
    .string()
    .describe('One-time link for the invitee, valid for 7 days. Shown only in this response.'),
  expires_at: timestamp.describe('Expiry time of the link.'),
};

/** Response of `POST /workspaces/{id}/members/invite`. */
export const InvitedMember = z
  .object({
    user_id: z.string().describe('`usr_` and 26 characters.'),
    email: z.string().describe('Email address, lower case.'),
    role: role.describe('Role on joining.'),
    status: z.literal('invited').describe('`invited` until the invitation is accepted.'),
    invited_at: timestamp.describe('Time of the invitation.'),
    ...invitation,
  })
  .describe('A member who has been invited.')
  .meta({ id: 'InvitedMember' });

/** Response of the variant `POST /workspaces/{workspace_id}/members`. */
export const PendingMember = z
  .object({
    id: z.string().describe('`usr_` and 26 characters; called `user_id` everywhere else.'),
    email: z.string().describe('Email address, lower case.'),
    role: role.describe('Role on joining.'),
    status: z.literal('pending').describe('`pending` until the invitation is accepted.'),
    invited_at: timestamp.describe('Time of the invitation.'),
    ...invitation,
  })
  .describe('A member who has been invited, in the variant form.')
  .meta({ id: 'PendingMember' });

/** Body of `PATCH /workspaces/{id}/members/{userId}`. */
export const MemberUpdate = z
  .strictObject({
    role: assignedRole.describe('New role. `owner` transfers ownership, from an owner to an admin.'),
  })
  .describe('A role change.')
  .meta({ id: 'MemberUpdate' });

/** Response of `PATCH /workspaces/{id}/members/{userId}`. */
export const UpdatedMember = z
  .object({
    user_id: z.string().describe('`usr_` and 26 characters.'),
    email: z.string().describe('Email address, lower case.'),
    role: role.describe('Role of the member now.'),
    updated_at: timestamp.describe('Time of the change.'),
  })
  .describe('A member after a role change.')
  .meta({ id: 'UpdatedMember' });

/** Body of `POST /invitations/accept`. */
export const InvitationAccept = z
  .strictObject({
    token: text(1, 200).describe('The token of the invitation link.'),
    password: text(LIMITS.passwordMin, LIMITS.passwordMax)
      .optional()
      .describe(
        `First password for the dashboard, ${LIMITS.passwordMin} to ${LIMITS.passwordMax} characters, for a user without an account.`,
      ),
    take_over: z
      .boolean()
      .optional()
      .describe(
        'Recovers an account with the link from the email: `password` replaces its password, all its sessions end, and its API keys are revoked. Default false.',
      ),
  })
  .describe('Acceptance of an invitation.')
  .meta({ id: 'InvitationAccept' });

/** Response of `POST /invitations/accept`. */
export const JoinedMember = z
  .object({
    workspace_id: z.string().describe('The workspace joined.'),
    user_id: z.string().describe('`usr_` and 26 characters.'),
    email: z.string().describe('Email address, lower case.'),
    role: role.describe('Role of the member.'),
    status: z.literal('active').describe('`active`: the member has joined.'),
    joined_at: timestamp.describe('Time of joining.'),
  })
  .describe('A member who has just joined.')
  .meta({ id: 'JoinedMember' });
