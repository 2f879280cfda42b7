import { z } from 'zod';
import { LIMITS } from '../constants/limits.ts';
import { type GrantedScope, SCOPES } from '../constants/scopes.ts';
import { displayName, timestamp, timestampInput } from '../text.ts';
import { assignedRole, integer, list, role } from './common.ts';

const scope = z.enum(['*', ...SCOPES] as [GrantedScope, ...GrantedScope[]]).meta({
  id: 'Scope',
  description: 'One right of an API key; `*` is all of them.',
});
const scopes = list(scope, {
  min: 1,
  rule: 'must name at least one scope; leave it out for all',
  max: SCOPES.length + 1,
}).overwrite((wanted) => (wanted.includes('*') ? ['*'] : [...new Set(wanted)]));

/** An API key without its secret part. */
export const ApiKey = z
  .object({
    id: z.string().describe('`key_` and 26 characters.'),
    workspace_id: z.string().nullable().describe('The workspace of the key; `null` for a personal key.'),
    name: z.string().describe('Purpose of the key.'),
    prefix: z.string().describe('The first characters of the key, to recognize it by.'),
    role: role.nullable().describe("Cap on the creator's role; `null` for none."),
    scopes: z.array(scope).describe('Rights of the key; `*` is all of them.'),
    status: z.enum(['active', 'expired', 'revoked']).describe('Status of the key.'),
    created_by: z.string().describe('The user whose role the key acts with.'),
    created_at: timestamp.describe('Creation time.'),
    last_used_at: timestamp.nullable().describe('Last use, to the minute; `null` if never used.'),
    expires_at: timestamp.nullable().describe('Expiry time; `null` for none.'),
    revoked_at: timestamp.nullable().describe('Time of the revocation.'),
  })
  .describe('An API key, without its secret.')
  .meta({ id: 'ApiKey' });

/** An API key with its secret, in the responses that show it once. */
export const ApiKeyWithSecret = ApiKey.extend({
  key: z.string().describe('The key itself: `hl_` and 36 characters. Shown only in this response.'),
})
  .describe('An API key with its secret, shown once.')
  .meta({ id: 'ApiKeyWithSecret' });

const personal = {
  name: displayName.describe('Purpose of the key, 1 to 100 characters.'),
  scopes: scopes.optional().describe('Scopes of the key. Default: all scopes of the calling key.'),
  expires_at: timestampInput
    .nullable()
    .optional()
    .describe(
      'Expiry time; `null` for none. Never later than that of the calling key, which is the default.',
    ),
};

/** Body of `POST /workspaces/{id}/api-keys`. */
export const ApiKeyCreate = z
  .strictObject({
    ...personal,
    role: assignedRole.nullable().optional().describe("Cap on the creator's role. Default: none."),
  })
  .describe('A workspace key to create.')
  .meta({ id: 'ApiKeyCreate' });

/** Body of `POST /me/api-keys`. */
export const PersonalApiKeyCreate = z
  .strictObject(personal)
  .describe('A personal key to create.')
  .meta({ id: 'PersonalApiKeyCreate' });

/** Body of `PATCH /workspaces/{id}/api-keys/{keyId}`. */
export const ApiKeyUpdate = z
  .strictObject({
    name: displayName.optional().describe('New name.'),
    scopes: scopes.optional().describe('New scopes; never more than the calling key has.'),
    role: assignedRole.nullable().optional().describe("New cap on the creator's role; `null` removes it."),
  })
  .describe('Changes to an API key.')
  .meta({ id: 'ApiKeyUpdate' });

/** Field of the rotation bodies: the time for which the old secret stays valid. */
export const overlapSeconds = integer(0, LIMITS.overlapMaxSeconds)
  .default(0)
  .describe('Seconds for which the old secret stays valid, at most 7 days. Default 0.');

/** Body of `POST /workspaces/{id}/api-keys/{keyId}/rotate`. */
export const ApiKeyRotate = z
  .strictObject({ overlap_seconds: overlapSeconds })
  .describe('A key rotation.')
  .meta({ id: 'ApiKeyRotate' });
