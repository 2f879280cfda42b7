import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { ROLES } from '../roles.ts';
import { email, text, timestamp } from '../text.ts';
import { ApiKey } from './api-keys.ts';
import { role } from './common.ts';

/** Response of `GET /me`. */
export const Me = z
  .object({
    user: z
      .object({
        id: z.string().describe('`usr_` and 26 characters.'),
        email: z.string().describe('Email address, lower case.'),
        created_at: timestamp.describe('When the user was first known here.'),
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
  .describe('Who is calling, and what they can reach.')
  .meta({ id: 'Me' });

// An unknown role is 422 by the specification ("assigning a role that does not exist"), a missing one 400: the
// schema asks for a string, the service for a role.
const roleInput = z
  .string()
  .max(100, 'must have at most 100 characters')
  .meta({ enum: [...ROLES] });

/** Specification, "Member", as the list returns it. */
export const Member = z
  .object({
    user_id: z.string().describe('`usr_` and 26 characters.'),
    email: z.string().describe('Email address, lower case.'),
    role: role.describe('What the member may do.'),
    status: z.enum(['active', 'invited']).describe('`invited` until the invitation is accepted.'),
    joined_at: timestamp.nullable().describe('When the invitation was accepted; `null` before.'),
  })
  .describe('A user in a workspace.')
  .meta({ id: 'Member' });

/** Body of both invite endpoints. */
export const MemberInvite = z
  .strictObject({
    email: email.describe('Whom to invite.'),
    role: roleInput.default('member').describe('Role on joining. Default `member`.'),
  })
  .describe('An invitation to send.')
  .meta({ id: 'MemberInvite' });

const invitation = {
  invite_url: z
    .string()
    .describe('One-time link for the invitee, valid for 7 days. Shown only in this response.'),
  expires_at: timestamp.describe('When the link stops working.'),
};

/** Response of `POST /workspaces/{id}/members/invite`. */
export const InvitedMember = z
  .object({
    user_id: z.string().describe('`usr_` and 26 characters.'),
    email: z.string().describe('Email address, lower case.'),
    role: role.describe('Role on joining.'),
    status: z.literal('invited').describe('Until the invitation is accepted.'),
    invited_at: timestamp.describe('When the invitation was made.'),
    ...invitation,
  })
  .describe('A member who has been invited.')
  .meta({ id: 'InvitedMember' });

/** Response of the variant `POST /workspaces/{workspace_id}/members`. */
export const PendingMember = z
  .object({
    id: z.string().describe('`usr_` and 26 characters; named `user_id` everywhere else.'),
    email: z.string().describe('Email address, lower case.'),
    role: role.describe('Role on joining.'),
    status: z.literal('pending').describe('Until the invitation is accepted.'),
    invited_at: timestamp.describe('When the invitation was made.'),
    ...invitation,
  })
  .describe('A member who has been invited, in the variant form.')
  .meta({ id: 'PendingMember' });

/** Body of `PATCH /workspaces/{id}/members/{userId}`. */
export const MemberUpdate = z
  .strictObject({
    role: roleInput.describe('New role. `owner` transfers ownership, from an owner to an admin.'),
  })
  .describe('A role change.')
  .meta({ id: 'MemberUpdate' });

/** Response of `PATCH /workspaces/{id}/members/{userId}`. */
export const UpdatedMember = z
  .object({
    user_id: z.string().describe('`usr_` and 26 characters.'),
    email: z.string().describe('Email address, lower case.'),
    role: role.describe('The role now.'),
    updated_at: timestamp.describe('When the role changed.'),
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
        'First password for the dashboard, 12 to 256 characters, for somebody who has no account yet.',
      ),
    take_over: z
      .boolean()
      .optional()
      .describe(
        'With the link of the email, for an account that one cannot log in to: `password` replaces its password, all its sessions end, and its API keys are revoked. Default `false`.',
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
    role: role.describe('What the member may do.'),
    status: z.literal('active').describe('The member has joined.'),
    joined_at: timestamp.describe('When the invitation was accepted.'),
  })
  .describe('A member who has just joined.')
  .meta({ id: 'JoinedMember' });
