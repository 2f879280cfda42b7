import { secondOverlap } from './errors.ts';
import { type ErrorExample, type ExamplesFor, lastPage } from './example.ts';
import { ids } from './ids.ts';

const key = {
  id: ids.key,
  workspace_id: ids.workspace,
  name: 'CI',
  prefix: 'hl_EXAMPL',
  role: 'member' as const,
  scopes: ['events:write' as const],
  status: 'active' as const,
  created_by: ids.ana,
  created_at: '2026-10-05T08:30:18.500Z',
  last_used_at: '2026-11-02T10:21:00.000Z',
  expires_at: '2027-10-05T08:30:00.000Z',
  revoked_at: null,
};

const SECRET = 'hl_EXAMPLEkeyThatOpensNothing0000000002';

const scopesExceed: ErrorExample = {
  message: 'scopes must not exceed those of the calling key: api_keys:write.',
  details: [{ field: 'scopes', issue: 'must not exceed those of the calling key: api_keys:write' }],
};

const revoked: ErrorExample = {
  message: 'keyId names a revoked key; create a new one.',
  details: [{ field: 'keyId', issue: 'names a revoked key; create a new one' }],
};

export const apiKeyExamples = {
  'apiKeys.list': { response: { data: [key], pagination: lastPage } },
  'apiKeys.create': {
    body: { name: 'CI', role: 'member', scopes: ['events:write'], expires_at: '2027-10-05T08:30:00Z' },
    response: { ...key, last_used_at: null, key: SECRET },
    errors: {
      forbidden: scopesExceed,
      unprocessable_entity: {
        message: 'expires_at must be in the future.',
        details: [{ field: 'expires_at', issue: 'must be in the future' }],
      },
    },
  },
  'apiKeys.get': { response: key },
  'apiKeys.update': {
    body: { name: 'CI and nightly builds', scopes: ['events:read', 'events:write'] },
    response: { ...key, name: 'CI and nightly builds', scopes: ['events:read', 'events:write'] },
    errors: { forbidden: scopesExceed, unprocessable_entity: revoked },
  },
  'apiKeys.revoke': {},
  'apiKeys.rotate': {
    body: { overlap_seconds: 86_400 },
    response: { ...key, key: SECRET },
    errors: { conflict: secondOverlap, forbidden: scopesExceed, unprocessable_entity: revoked },
  },
} satisfies ExamplesFor<'apiKeys'>;
