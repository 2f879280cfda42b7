import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { ApiKey, ApiKeyCreate, ApiKeyRotate, ApiKeyUpdate, ApiKeyWithSecret } from '../schemas/api-keys.ts';
import { id, page } from '../schemas/common.ts';
import { from, inWorkspace } from './access.ts';
import { pageOnly, workspaceParams } from './params.ts';

const keyParams = z.object({ id: id('workspace'), keyId: id('apiKey') });

export const apiKeyEndpoints = {
  'apiKeys.list': {
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/workspaces/{id}/api-keys',
    summary: 'List the API keys of a workspace.',
    description: 'Lists the keys of the workspace, oldest first, without their secrets.',
    access: inWorkspace(from.path, 'manage_api_keys', 'api_keys:read'),
    params: workspaceParams,
    query: pageOnly,
    response: page(ApiKey),
    status: 200,
    write: false,
  },
  'apiKeys.create': {
    operationId: 'createApiKey',
    method: 'POST',
    path: '/workspaces/{id}/api-keys',
    summary: 'Create an API key.',
    description:
      'Creates a key for one workspace. It acts with the current role of its creator, capped by its own `role`, and within its scopes. It never gets more power than the caller has, and never lasts longer than the calling key.',
    errors: {
      forbidden:
        'The role or the scopes exceed those of the caller, or `expires_at` is later than that of the calling key.',
      unprocessable_entity: '`expires_at` is not in the future, or the role does not exist.',
    },
    access: inWorkspace(from.path, 'manage_api_keys', 'api_keys:write'),
    params: workspaceParams,
    body: ApiKeyCreate,
    response: ApiKeyWithSecret,
    status: 201,
    write: true,
    secret: 'once',
  },
  'apiKeys.get': {
    operationId: 'getApiKey',
    method: 'GET',
    path: '/workspaces/{id}/api-keys/{keyId}',
    summary: 'Read an API key.',
    description: 'Returns the scopes of the key and its last use, without its secret.',
    access: inWorkspace(from.path, 'manage_api_keys', 'api_keys:read'),
    params: keyParams,
    response: ApiKey,
    status: 200,
    write: false,
  },
  'apiKeys.update': {
    operationId: 'updateApiKey',
    method: 'PATCH',
    path: '/workspaces/{id}/api-keys/{keyId}',
    summary: 'Update an API key.',
    description:
      'Changes the name, scopes or role of a key. The changes apply from its next request; its secret stays.',
    errors: {
      forbidden:
        'The key has, or would get, more power than the caller, or lasts longer than the calling key.',
      unprocessable_entity: 'The key is revoked, or the role does not exist.',
    },
    access: inWorkspace(from.path, 'manage_api_keys', 'api_keys:write'),
    params: keyParams,
    body: ApiKeyUpdate,
    response: ApiKey,
    status: 200,
    write: true,
  },
  'apiKeys.revoke': {
    operationId: 'revokeApiKey',
    method: 'DELETE',
    path: '/workspaces/{id}/api-keys/{keyId}',
    summary: 'Revoke an API key.',
    description:
      'The key stops working at once, including on open event streams. It stays in the list. Keys that were created with it keep working; to find them, look in the audit log for entries `api_key.created` whose `context.api_key_id` is this key. Revoking a revoked key changes nothing.',
    access: inWorkspace(from.path, 'manage_api_keys', 'api_keys:write'),
    params: keyParams,
    status: 204,
    write: true,
  },
  'apiKeys.rotate': {
    operationId: 'rotateApiKey',
    method: 'POST',
    path: '/workspaces/{id}/api-keys/{keyId}/rotate',
    summary: 'Rotate an API key.',
    description:
      'Gives the key a new secret. The old one keeps working for `overlap_seconds`, or stops at once. Until the overlap ends, another rotation needs `overlap_seconds: 0`, which ends both older secrets at once.',
    errors: {
      conflict: 'The overlap of the last rotation has not ended, and `overlap_seconds` is not 0.',
      forbidden: 'The key has more power than the caller, or lasts longer than the calling key.',
      unprocessable_entity: 'The key is revoked.',
    },
    access: inWorkspace(from.path, 'manage_api_keys', 'api_keys:write'),
    params: keyParams,
    body: ApiKeyRotate,
    response: ApiKeyWithSecret,
    status: 200,
    write: true,
    secret: 'once',
  },
} as const satisfies Record<string, Endpoint>;
