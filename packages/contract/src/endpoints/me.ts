import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { ApiKey, ApiKeyWithSecret, PersonalApiKeyCreate } from '../schemas/api-keys.ts';
import { id, page } from '../schemas/common.ts';
import { Me } from '../schemas/members.ts';
import { pageOnly } from './params.ts';

export const meEndpoints = {
  'me.get': {
    operationId: 'getMe',
    method: 'GET',
    path: '/me',
    summary: 'Read the caller.',
    description:
      'Returns the user and the key of the request, and the workspaces that the key sees, each with its role. Use it to try a new key.',
    access: { kind: 'user', scope: null },
    response: Me,
    status: 200,
    write: false,
  },

  'personalApiKeys.list': {
    operationId: 'listPersonalApiKeys',
    method: 'GET',
    path: '/me/api-keys',
    summary: 'List personal API keys.',
    description:
      'Lists the keys of the calling user that are bound to no workspace, oldest first, without their secrets.',
    access: { kind: 'user', scope: 'api_keys:read', personal: true },
    query: pageOnly,
    response: page(ApiKey),
    status: 200,
    write: false,
  },
  'personalApiKeys.create': {
    operationId: 'createPersonalApiKey',
    method: 'POST',
    path: '/me/api-keys',
    summary: 'Create a personal API key.',
    description:
      'Creates a key that acts in every workspace where its user may manage keys. It never gets more scopes than the key that creates it, and never lasts longer.',
    errors: {
      forbidden: 'The scopes or `expires_at` exceed those of the calling key.',
      unprocessable_entity: '`expires_at` is not in the future.',
    },
    access: { kind: 'user', scope: 'api_keys:write', personal: true },
    body: PersonalApiKeyCreate,
    response: ApiKeyWithSecret,
    status: 201,
    write: true,
    secret: 'once',
  },
  'personalApiKeys.revoke': {
    operationId: 'revokePersonalApiKey',
    method: 'DELETE',
    path: '/me/api-keys/{keyId}',
    summary: 'Revoke a personal API key.',
    description:
      'The key stops working at once, including on open event streams. Keys that were created with it keep working. Revoking a revoked key changes nothing.',
    access: { kind: 'user', scope: 'api_keys:write', personal: true },
    params: z.object({ keyId: id('apiKey') }),
    status: 204,
    write: true,
  },
} as const satisfies Record<string, Endpoint>;
