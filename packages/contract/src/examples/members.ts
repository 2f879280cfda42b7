import { type ErrorExample, type ExamplesFor, lastPage } from './example.ts';
import { ids } from './ids.ts';

const personalKey = {
  id: ids.personalKey,
  workspace_id: null,
  name: 'Laptop',
  prefix: 'hl_EXAMPL',
  role: null,
  scopes: ['*' as const],
  status: 'active' as const,
  created_by: ids.ana,
  created_at: '2026-10-05T08:02:41.015Z',
  last_used_at: '2026-11-02T10:45:00.000Z',
  expires_at: null,
  revoked_at: null,
};

export const meExamples = {
  'me.get': {
    response: {
      user: { id: ids.ana, email: 'ana@example.com', created_at: '2026-10-05T08:00:00.000Z' },
      key: personalKey,
      memberships: [{ workspace_id: ids.workspace, name: 'Acme', slug: 'acme', role: 'owner' }],
    },
  },
  'personalApiKeys.list': { response: { data: [personalKey], pagination: lastPage } },
  'personalApiKeys.create': {
    body: { name: 'Laptop' },
    response: { ...personalKey, last_used_at: null, key: 'hl_EXAMPLEkeyThatOpensNothing0000000001' },
    errors: {
      forbidden: {
        message: 'scopes must not exceed those of the calling key: api_keys:write.',
        details: [{ field: 'scopes', issue: 'must not exceed those of the calling key: api_keys:write' }],
      },
      unprocessable_entity: {
        message: 'expires_at must be in the future.',
        details: [{ field: 'expires_at', issue: 'must be in the future' }],
      },
    },
  },
  'personalApiKeys.revoke': {},
} satisfies ExamplesFor<'me' | 'personalApiKeys'>;

const INVITE_URL = 'https://hub.example.com/invite?token=EXAMPLEtokenThatOpensNothing000000000000001';

const invited = {
  user_id: ids.sam,
  email: 'sam@example.com',
  role: 'member' as const,
  status: 'invited' as const,
  invited_at: '2026-11-02T10:12:05.227Z',
  invite_url: INVITE_URL,
  expires_at: '2026-11-09T10:12:05.227Z',
};

const alreadyInvited: ErrorExample = {
  message: 'email has an open invitation; resend it instead.',
  details: [{ field: 'email', issue: 'has an open invitation; resend it instead' }],
};

const unknownRole: ErrorExample = {
  message: 'role must be one of owner, admin, member, viewer.',
  details: [{ field: 'role', issue: 'must be one of owner, admin, member, viewer' }],
};

const roleAbove: ErrorExample = {
  message: 'Your role, admin, may not give, change or remove the role owner.',
  details: [{ field: 'role', issue: 'must not be above your own, admin' }],
};

const soleOwner = (field: string, issue: string): ErrorExample => ({
  message: `${field} ${issue}.`,
  details: [{ field, issue }],
});

export const memberExamples = {
  'members.list': {
    response: {
      data: [
        {
          user_id: ids.ana,
          email: 'ana@example.com',
          role: 'owner',
          status: 'active',
          joined_at: '2026-10-05T08:01:12.340Z',
        },
        {
          user_id: ids.li,
          email: 'li@example.com',
          role: 'admin',
          status: 'active',
          joined_at: '2026-10-05T08:25:30.006Z',
        },
        { user_id: ids.sam, email: 'sam@example.com', role: 'member', status: 'invited', joined_at: null },
      ],
      pagination: lastPage,
    },
  },
  'members.invite': {
    body: { email: 'sam@example.com', role: 'member' },
    response: invited,
    errors: { conflict: alreadyInvited, forbidden: roleAbove, unprocessable_entity: unknownRole },
  },
  'members.create': {
    body: { email: 'sam@example.com', role: 'member' },
    response: {
      id: ids.sam,
      email: 'sam@example.com',
      role: 'member',
      status: 'pending',
      invited_at: '2026-11-02T10:12:05.227Z',
      invite_url: INVITE_URL,
      expires_at: '2026-11-09T10:12:05.227Z',
    },
    errors: { conflict: alreadyInvited, forbidden: roleAbove, unprocessable_entity: unknownRole },
  },
  'members.update': {
    bodies: { newRole: { role: 'admin' }, transferOfOwnership: { role: 'owner' } },
    response: {
      user_id: ids.li,
      email: 'li@example.com',
      role: 'admin',
      updated_at: '2026-11-02T10:45:09.117Z',
    },
    errors: {
      forbidden: {
        message: 'Only an owner can transfer ownership.',
        details: [{ field: 'role', issue: 'owner can be given only by an owner' }],
      },
      unprocessable_entity: soleOwner(
        'role',
        'of the sole owner cannot change; transfer ownership to an admin first',
      ),
    },
  },
  'members.remove': {
    errors: {
      forbidden: roleAbove,
      unprocessable_entity: soleOwner('userId', 'names the sole owner; transfer ownership to an admin first'),
    },
  },
  'members.resendInvite': {
    response: { ...invited, invited_at: '2026-11-02T10:45:09.117Z', expires_at: '2026-11-09T10:45:09.117Z' },
    errors: {
      forbidden: roleAbove,
      unprocessable_entity: {
        message: 'userId has already joined; there is no open invitation.',
        details: [{ field: 'userId', issue: 'has already joined; there is no open invitation' }],
      },
    },
  },
  'invitations.accept': {
    body: { token: 'EXAMPLEtokenThatOpensNothing000000000000001', password: 'correct horse battery staple' },
    response: {
      workspace_id: ids.workspace,
      user_id: ids.sam,
      email: 'sam@example.com',
      role: 'member',
      status: 'active',
      joined_at: '2026-11-02T10:45:09.117Z',
    },
    errors: {
      unauthorized: {
        message: 'sam@example.com has an account. Log in, or send a personal API key of that account.',
      },
      forbidden: {
        message:
          'This invitation is for sam@example.com, and you are ana@example.com. Log in as sam@example.com, or send a personal API key of that account.',
      },
      conflict: {
        message:
          'sam@example.com has an older invitation to another workspace. Accept that one first and choose a password, then log in and accept this one.',
      },
      not_found: {
        message: 'token is unknown, used or expired; ask for a new invitation.',
        details: [{ field: 'token', issue: 'is unknown, used or expired; ask for a new invitation' }],
      },
      unprocessable_entity: {
        message:
          'password must be left out: sam@example.com has an account, and an invitation does not change its password.',
        details: [
          {
            field: 'password',
            issue:
              'must be left out: sam@example.com has an account, and an invitation does not change its password',
          },
        ],
      },
    },
  },
} satisfies ExamplesFor<'members' | 'invitations'>;
