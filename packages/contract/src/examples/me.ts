import type { ExamplesFor } from './example.ts';
import { lastPage } from './example.ts';
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
