import { z } from 'zod';
import type { Endpoint, WorkspaceSource } from './endpoint.ts';
import type { Permission } from './roles.ts';
import {
  ApiKey,
  ApiKeyCreate,
  ApiKeyRotate,
  ApiKeyUpdate,
  ApiKeyWithSecret,
  PersonalApiKeyCreate,
} from './schemas/api-keys.ts';
import { AuditEntry, auditQuery } from './schemas/audit-log.ts';
import {
  Automation,
  AutomationCreate,
  AutomationRun,
  AutomationRunDetail,
  AutomationRunStart,
  AutomationTest,
  AutomationTestResult,
  AutomationUpdate,
  runQuery,
} from './schemas/automations.ts';
import { id, page, pageQuery } from './schemas/common.ts';
import { Delivery, DeliveryDetail, deliveryQuery } from './schemas/deliveries.ts';
import {
  Event,
  EventBatch,
  EventBatchResult,
  eventFilters,
  EventPublish,
  eventQuery,
  ListedEvent,
} from './schemas/events.ts';
import {
  ConnectedIntegration,
  hookBodies,
  IngestResult,
  Integration,
  IntegrationConnect,
  IntegrationCreate,
  IntegrationReconnect,
  IntegrationSummary,
  IntegrationSync,
  IntegrationTest,
  IntegrationTestResult,
  IntegrationUpdate,
  Provider,
  slackBodies,
} from './schemas/integrations.ts';
import {
  InvitationAccept,
  InvitedMember,
  JoinedMember,
  Me,
  Member,
  MemberInvite,
  MemberUpdate,
  PendingMember,
  UpdatedMember,
} from './schemas/members.ts';
import { OAuthApp, OAuthAppConfigure, OAuthFlow, OAuthStart, StartedOAuthFlow } from './schemas/oauth.ts';
import {
  ProviderDefinition,
  ProviderDefinitionCreate,
  ProviderDefinitionUpdate,
  ProviderPreset,
  ProviderPreview,
  ProviderPreviewRequest,
} from './schemas/provider-definitions.ts';
import { DeliveryRetryAll, Recovery, RecoveryCreate } from './schemas/recoveries.ts';
import {
  Webhook,
  WebhookCreate,
  WebhookFilterTest,
  WebhookFilterTestResult,
  WebhookRotatedSecret,
  WebhookRotateSecret,
  WebhookTest,
  WebhookUpdate,
} from './schemas/webhooks.ts';
import { WorkspaceStats, workspaceStatsQuery } from './schemas/workspace-stats.ts';
import { Workspace, WorkspaceCreate, WorkspaceUpdate } from './schemas/workspaces.ts';
import type { Scope } from './scopes.ts';
import { text } from './text.ts';

const inWorkspace = (from: WorkspaceSource, permission: Permission, scope: Scope) =>
  ({ kind: 'workspace', from, permission, scope }) as const;

const path = { in: 'path', name: 'id' } as const;
const body = { in: 'body' } as const;
const query = { in: 'query' } as const;
const integration = { in: 'resource', kind: 'integration', name: 'integrationId' } as const;
const webhook = { in: 'resource', kind: 'webhook', name: 'webhookId' } as const;
const delivery = { in: 'resource', kind: 'delivery', name: 'deliveryId' } as const;
const recovery = { in: 'resource', kind: 'recovery', name: 'recoveryId' } as const;

const workspaceParams = z.object({ id: id('workspace') });
const memberParams = z.object({ id: id('workspace'), userId: id('user') });
const keyParams = z.object({ id: id('workspace'), keyId: id('apiKey') });
const integrationParams = z.object({ integrationId: id('integration') });
const webhookParams = z.object({ webhookId: id('webhook') });
const deliveryParams = z.object({ deliveryId: id('delivery') });
const definitionParams = z.object({ id: id('workspace'), providerId: id('provider') });
const providerKey = text(1, 100).describe('Provider key, such as `slack`.');
const automationParams = z.object({ id: id('workspace'), automationId: id('automation') });
const runParams = z.object({ id: id('workspace'), automationId: id('automation'), runId: id('run') });
const pageOnly = z.object(pageQuery);

/**
 * Every endpoint of the API, once. Handlers, validation, permission checks, the OpenAPI document and the SDK's types
 * are derived from this table; the key is `<resource>.<verb>`, the name of the method in the SDK.
 */
export const endpoints = {
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
      'Creates a key that acts in every workspace where its user may manage keys. It never gets more scopes than the key that creates it.',
    errors: {
      forbidden: 'The scopes exceed those of the calling key.',
      unprocessable_entity: '`expires_at` is not in the future.',
    },
    access: { kind: 'user', scope: 'api_keys:write', personal: true },
    body: PersonalApiKeyCreate,
    response: ApiKeyWithSecret,
    status: 201,
    write: true,
    secret: true,
  },
  'personalApiKeys.revoke': {
    operationId: 'revokePersonalApiKey',
    method: 'DELETE',
    path: '/me/api-keys/{keyId}',
    summary: 'Revoke a personal API key.',
    description:
      'The key stops working at once, including on open event streams. Revoking a revoked key changes nothing.',
    access: { kind: 'user', scope: 'api_keys:write', personal: true },
    params: z.object({ keyId: id('apiKey') }),
    status: 204,
    write: true,
  },

  'workspaces.list': {
    operationId: 'listWorkspaces',
    method: 'GET',
    path: '/workspaces',
    summary: 'List workspaces.',
    description:
      'Lists the workspaces that the key sees: the one that it is bound to or, for a personal key, those where its user may manage keys.',
    access: { kind: 'user', scope: 'workspaces:read' },
    query: pageOnly,
    response: page(Workspace),
    status: 200,
    write: false,
  },
  'workspaces.create': {
    operationId: 'createWorkspace',
    method: 'POST',
    path: '/workspaces',
    summary: 'Create a workspace.',
    description: 'Creates a workspace, on the plan `free` by default. The caller becomes its owner.',
    errors: {
      conflict: 'The slug is taken.',
    },
    access: { kind: 'user', scope: 'workspaces:write', personal: true },
    body: WorkspaceCreate,
    response: Workspace,
    status: 201,
    write: true,
  },
  'workspaces.get': {
    operationId: 'getWorkspace',
    method: 'GET',
    path: '/workspaces/{id}',
    summary: 'Read a workspace.',
    description: 'Returns the name, slug and plan of one workspace.',
    access: inWorkspace(path, 'view', 'workspaces:read'),
    params: workspaceParams,
    response: Workspace,
    status: 200,
    write: false,
  },
  'workspaces.update': {
    operationId: 'updateWorkspace',
    method: 'PATCH',
    path: '/workspaces/{id}',
    summary: 'Update a workspace.',
    description:
      'Changes the fields in the body and keeps the others. Only an owner sets `plan`, because a new one may change the bill.',
    errors: {
      conflict: 'The slug is taken.',
      forbidden: 'The body names `plan`, and the caller is not an owner.',
    },
    access: inWorkspace(path, 'manage_workspace', 'workspaces:write'),
    params: workspaceParams,
    body: WorkspaceUpdate,
    response: Workspace,
    status: 200,
    write: true,
  },
  'workspaces.delete': {
    operationId: 'deleteWorkspace',
    method: 'DELETE',
    path: '/workspaces/{id}',
    summary: 'Delete a workspace.',
    description:
      'Deletes the workspace with its members, keys, integrations, events and webhooks, at once and for good.',
    access: inWorkspace(path, 'delete_workspace', 'workspaces:write'),
    params: workspaceParams,
    status: 204,
    write: true,
  },
  'workspaces.stats': {
    operationId: 'getWorkspaceStats',
    method: 'GET',
    path: '/workspaces/{id}/stats',
    summary: 'Read the statistics of a workspace.',
    description:
      'Counts the events, attempts and deliveries of the last hour, day or week, with success rate, latencies and a series for charts. The figures are at most a few seconds old.',
    access: inWorkspace(path, 'view', 'events:read'),
    params: workspaceParams,
    query: z.object(workspaceStatsQuery),
    response: WorkspaceStats,
    status: 200,
    write: false,
  },

  'members.list': {
    operationId: 'listMembers',
    method: 'GET',
    path: '/workspaces/{id}/members',
    summary: 'List members.',
    description: 'Lists members and open invitations. `status` tells them apart.',
    access: inWorkspace(path, 'view', 'members:read'),
    params: workspaceParams,
    query: pageOnly,
    response: page(Member),
    status: 200,
    write: false,
  },
  'members.invite': {
    operationId: 'inviteMember',
    method: 'POST',
    path: '/workspaces/{id}/members/invite',
    summary: 'Invite a member.',
    description:
      'Adds a member with the status `invited` and, if the server can send mail, mails a link that is valid for 7 days. The response has the link as well.',
    errors: {
      conflict: 'The address belongs to a member or to an open invitation.',
      forbidden: 'The role is above that of the caller.',
      unprocessable_entity: 'The role does not exist.',
    },
    access: inWorkspace(path, 'manage_members', 'members:write'),
    params: workspaceParams,
    body: MemberInvite,
    response: InvitedMember,
    status: 201,
    write: true,
    secret: true,
  },
  'members.create': {
    operationId: 'createMember',
    method: 'POST',
    path: '/workspaces/{workspace_id}/members',
    summary: 'Invite a member (variant form).',
    description: 'Does the same as `inviteMember`, and returns `id` and the status `pending`.',
    errors: {
      conflict: 'The address belongs to a member or to an open invitation.',
      forbidden: 'The role is above that of the caller.',
      unprocessable_entity: 'The role does not exist.',
    },
    access: inWorkspace({ in: 'path', name: 'workspace_id' }, 'manage_members', 'members:write'),
    params: z.object({ workspace_id: id('workspace') }),
    body: MemberInvite,
    response: PendingMember,
    status: 201,
    write: true,
    secret: true,
    variantOf: 'members.invite',
  },
  'members.update': {
    operationId: 'updateMember',
    method: 'PATCH',
    path: '/workspaces/{id}/members/{userId}',
    summary: 'Change the role of a member.',
    description:
      'The new role applies from the next request on. The role `owner` transfers ownership: only an owner gives it, only an active admin gets it, and the caller becomes an admin.',
    errors: {
      forbidden:
        'The old or the new role is above that of the caller, or somebody other than an owner gives the role `owner`.',
      unprocessable_entity:
        'The role does not exist, the member is the sole owner, or ownership goes to somebody who is not an active admin.',
    },
    access: inWorkspace(path, 'manage_members', 'members:write'),
    params: memberParams,
    body: MemberUpdate,
    response: UpdatedMember,
    status: 200,
    write: true,
  },
  'members.remove': {
    operationId: 'removeMember',
    method: 'DELETE',
    path: '/workspaces/{id}/members/{userId}',
    summary: 'Remove a member.',
    description:
      'Removes a member, or withdraws an invitation. Access ends at once, and the keys that the member created in the workspace stop working.',
    errors: {
      forbidden: 'The role of the member is above that of the caller.',
      unprocessable_entity: 'The member is the sole owner.',
    },
    access: inWorkspace(path, 'manage_members', 'members:write'),
    params: memberParams,
    status: 204,
    write: true,
  },
  'members.resendInvite': {
    operationId: 'resendInvitation',
    method: 'POST',
    path: '/workspaces/{id}/members/{userId}/resend-invite',
    summary: 'Send an invitation again.',
    description: 'Creates a new link, valid for 7 days, and mails it. The old link stops working.',
    errors: {
      forbidden: 'The role of the invitation is above that of the caller.',
      unprocessable_entity: 'The member has joined already.',
    },
    access: inWorkspace(path, 'manage_members', 'members:write'),
    params: memberParams,
    response: InvitedMember,
    status: 200,
    write: true,
    secret: true,
  },
  'invitations.accept': {
    operationId: 'acceptInvitation',
    method: 'POST',
    path: '/invitations/accept',
    summary: 'Accept an invitation.',
    description:
      'Turns the invited member into an active one. The token works once. A user without an account may set a first password; any other user also sends a personal API key of their own.',
    errors: {
      unauthorized: 'The invited user has an account, and the request no personal API key of it.',
      forbidden:
        'The API key is of somebody else or bound to a workspace, and the invited user has an account.',
      not_found: 'The token is unknown, used or expired.',
      conflict: 'The invited user has no account, and an older invitation to another workspace that is open.',
      unprocessable_entity: 'The body has a password, and the invited user an account.',
    },
    access: { kind: 'optional', proof: 'token', scope: 'members:write' },
    body: InvitationAccept,
    response: JoinedMember,
    status: 200,
    write: true,
  },

  'apiKeys.list': {
    operationId: 'listApiKeys',
    method: 'GET',
    path: '/workspaces/{id}/api-keys',
    summary: 'List the API keys of a workspace.',
    description: 'Lists the keys of the workspace, oldest first, without their secrets.',
    access: inWorkspace(path, 'manage_api_keys', 'api_keys:read'),
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
      'Creates a key for one workspace. It acts with the current role of its maker, capped by its own `role`, and within its scopes. It never gets more power than the caller has.',
    errors: {
      forbidden: 'The role or the scopes exceed those of the caller.',
      unprocessable_entity: '`expires_at` is not in the future.',
    },
    access: inWorkspace(path, 'manage_api_keys', 'api_keys:write'),
    params: workspaceParams,
    body: ApiKeyCreate,
    response: ApiKeyWithSecret,
    status: 201,
    write: true,
    secret: true,
  },
  'apiKeys.get': {
    operationId: 'getApiKey',
    method: 'GET',
    path: '/workspaces/{id}/api-keys/{keyId}',
    summary: 'Read an API key.',
    description: 'Returns the rights of the key and its last use, without its secret.',
    access: inWorkspace(path, 'manage_api_keys', 'api_keys:read'),
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
    description: 'Changes the name, scopes or role of a key, from its next request on. The secret stays.',
    errors: {
      forbidden: 'The key has, or would get, more power than the caller.',
      unprocessable_entity: 'The key is revoked.',
    },
    access: inWorkspace(path, 'manage_api_keys', 'api_keys:write'),
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
      'The key stops working at once, including on open event streams. It stays in the list. Revoking a revoked key changes nothing.',
    access: inWorkspace(path, 'manage_api_keys', 'api_keys:write'),
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
      'Gives the key a new secret. The old one keeps working for `overlap_seconds`, or stops at once.',
    errors: {
      forbidden: 'The key has more power than the caller.',
      unprocessable_entity: 'The key is revoked.',
    },
    access: inWorkspace(path, 'manage_api_keys', 'api_keys:write'),
    params: keyParams,
    body: ApiKeyRotate,
    response: ApiKeyWithSecret,
    status: 200,
    write: true,
    secret: true,
  },

  'integrations.listProviders': {
    operationId: 'listProviders',
    method: 'GET',
    path: '/integrations',
    summary: 'List providers.',
    description:
      'Lists the external tools that this server connects, and the credentials that each one needs. `listProviderDefinitions` lists those that a workspace has defined.',
    access: { kind: 'user', scope: 'integrations:read' },
    query: pageOnly,
    response: page(Provider),
    status: 200,
    write: false,
  },
  'integrations.connect': {
    operationId: 'connectIntegration',
    method: 'POST',
    path: '/integrations/connect',
    summary: 'Connect an integration.',
    description:
      'Checks the credentials at the provider, stores them encrypted, and registers the ingest URL there if the credentials allow it. `ingest.instructions` lists the steps that are left.',
    errors: {
      unprocessable_entity: 'The provider is unknown, is connected already, or refuses the credentials.',
      service_unavailable: 'The API of the provider fails, or gives no answer.',
    },
    access: inWorkspace(body, 'manage_integrations', 'integrations:write'),
    body: IntegrationConnect,
    response: ConnectedIntegration,
    status: 201,
    write: true,
    secret: true,
  },
  'integrations.create': {
    operationId: 'createIntegration',
    method: 'POST',
    path: '/integrations',
    summary: 'Connect an integration (variant form).',
    description:
      'Connects a tool by `type` and `config`. Without credentials the integration waits, `disconnected`, for `reconnectIntegration`.',
    errors: {
      unprocessable_entity: 'The provider is unknown, is connected already, or refuses the credentials.',
      service_unavailable: 'The API of the provider fails, or gives no answer.',
    },
    access: inWorkspace(body, 'manage_integrations', 'integrations:write'),
    body: IntegrationCreate,
    response: ConnectedIntegration,
    status: 201,
    write: true,
    secret: true,
    variantOf: 'integrations.connect',
  },
  'integrations.get': {
    operationId: 'getIntegration',
    method: 'GET',
    path: '/integrations/{integrationId}',
    summary: 'Read an integration.',
    description:
      'Returns the status, notification settings and ingest URL of an integration, never its credentials.',
    access: inWorkspace(integration, 'view', 'integrations:read'),
    params: integrationParams,
    response: Integration,
    status: 200,
    write: false,
  },
  'integrations.update': {
    operationId: 'updateIntegration',
    method: 'PATCH',
    path: '/integrations/{integrationId}',
    summary: 'Update an integration.',
    description: 'Replaces the notification settings. Credentials change through `reconnectIntegration`.',
    access: inWorkspace(integration, 'manage_integrations', 'integrations:write'),
    params: integrationParams,
    body: IntegrationUpdate,
    response: Integration,
    status: 200,
    write: true,
  },
  'integrations.test': {
    operationId: 'testIntegration',
    method: 'POST',
    path: '/integrations/{integrationId}/test',
    summary: 'Send a test notification.',
    description:
      "Sends one notification to the destination of the integration and waits for the answer. A refusal is returned as `success: false`, with the destination's reason.",
    errors: {
      unprocessable_entity:
        'The provider only receives, or the integration has no credentials that can be read.',
      service_unavailable: 'The API of the provider fails, or gives no answer.',
    },
    access: inWorkspace(integration, 'manage_integrations', 'integrations:write'),
    params: integrationParams,
    body: IntegrationTest,
    response: IntegrationTestResult,
    status: 200,
    write: true,
  },
  'integrations.reconnect': {
    operationId: 'reconnectIntegration',
    method: 'POST',
    path: '/integrations/{integrationId}/reconnect',
    summary: 'Replace the credentials of an integration.',
    description:
      'Checks and stores new credentials. The ingest URL stays; the signing secret stays unless the body names another one.',
    errors: {
      unprocessable_entity: 'The provider refuses the credentials.',
      service_unavailable: 'The API of the provider fails, or gives no answer.',
    },
    access: inWorkspace(integration, 'manage_integrations', 'integrations:write'),
    params: integrationParams,
    body: IntegrationReconnect,
    response: ConnectedIntegration,
    status: 200,
    write: true,
    secret: true,
  },
  'integrations.sync': {
    operationId: 'syncIntegration',
    method: 'POST',
    path: '/integrations/{integrationId}/sync',
    summary: 'Catch up with a provider.',
    description:
      'Asks the API of the provider for what its calls did not tell: calls that failed are made again, and what was changed meanwhile becomes events, nothing twice. It runs in the background; `getIntegration` returns its state as `sync`. While one runs, another is not begun.',
    errors: {
      unprocessable_entity:
        'The provider has no API that tells what has passed, or the integration has no credentials for it.',
    },
    access: inWorkspace(integration, 'manage_integrations', 'integrations:write'),
    params: integrationParams,
    response: IntegrationSync,
    status: 202,
    write: true,
  },
  'integrations.list': {
    operationId: 'listIntegrations',
    method: 'GET',
    path: '/workspaces/{id}/integrations',
    summary: 'List integrations.',
    description: 'Lists the connected tools of a workspace with their status, oldest first.',
    access: inWorkspace(path, 'view', 'integrations:read'),
    params: workspaceParams,
    query: pageOnly,
    response: page(IntegrationSummary),
    status: 200,
    write: false,
  },
  'integrations.disconnect': {
    operationId: 'disconnectIntegration',
    method: 'DELETE',
    path: '/workspaces/{id}/integrations/{integrationId}',
    summary: 'Disconnect an integration.',
    description:
      'Deletes the stored credentials, ends ingest, removes the hook at the provider where its API allows, and deletes webhooks that are limited to this integration.',
    access: inWorkspace(path, 'manage_integrations', 'integrations:write'),
    params: z.object({ id: id('workspace'), integrationId: id('integration') }),
    status: 204,
    write: true,
  },

  'providers.listPresets': {
    operationId: 'listProviderPresets',
    method: 'GET',
    path: '/provider-presets',
    summary: 'List presets of providers.',
    description:
      'Lists definitions of well-known tools, each with a sample call. Change one as you like, and pass it to `defineProvider`.',
    access: { kind: 'user', scope: 'integrations:read' },
    query: pageOnly,
    response: page(ProviderPreset),
    status: 200,
    write: false,
  },
  'providers.list': {
    operationId: 'listProviderDefinitions',
    method: 'GET',
    path: '/workspaces/{id}/providers',
    summary: 'List defined providers.',
    description: 'Lists the providers that the workspace has defined, oldest first.',
    access: inWorkspace(path, 'view', 'integrations:read'),
    params: workspaceParams,
    query: pageOnly,
    response: page(ProviderDefinition),
    status: 200,
    write: false,
  },
  'providers.create': {
    operationId: 'defineProvider',
    method: 'POST',
    path: '/workspaces/{id}/providers',
    summary: 'Define a provider.',
    description:
      'Stores how the calls of a tool are verified and read. `connectIntegration` then takes its key, as it takes that of a built-in provider.',
    errors: {
      conflict: 'The workspace has a definition with that key.',
      unprocessable_entity: 'The key is that of a built-in provider, or the workspace has 50 definitions.',
    },
    access: inWorkspace(path, 'manage_integrations', 'integrations:write'),
    params: workspaceParams,
    body: ProviderDefinitionCreate,
    response: ProviderDefinition,
    status: 201,
    write: true,
  },
  'providers.preview': {
    operationId: 'previewProvider',
    method: 'POST',
    path: '/workspaces/{id}/providers/preview',
    summary: 'Preview a call of a provider.',
    description:
      'Says what event a call would be by a definition, stored or not, and whether the call proves where it comes from. Stores nothing.',
    access: inWorkspace(path, 'manage_integrations', 'integrations:read'),
    params: workspaceParams,
    body: ProviderPreviewRequest,
    response: ProviderPreview,
    status: 200,
    write: false,
  },
  'providers.get': {
    operationId: 'getProviderDefinition',
    method: 'GET',
    path: '/workspaces/{id}/providers/{providerId}',
    summary: 'Read a defined provider.',
    description: 'Returns a definition. It holds no secret: those are credentials of the integrations.',
    access: inWorkspace(path, 'view', 'integrations:read'),
    params: definitionParams,
    response: ProviderDefinition,
    status: 200,
    write: false,
  },
  'providers.update': {
    operationId: 'updateProviderDefinition',
    method: 'PATCH',
    path: '/workspaces/{id}/providers/{providerId}',
    summary: 'Change a defined provider.',
    description:
      'Changes the given fields; its key stays. The next call of each integration that uses it is verified and read by the new rules.',
    access: inWorkspace(path, 'manage_integrations', 'integrations:write'),
    params: definitionParams,
    body: ProviderDefinitionUpdate,
    response: ProviderDefinition,
    status: 200,
    write: true,
  },
  'providers.delete': {
    operationId: 'deleteProviderDefinition',
    method: 'DELETE',
    path: '/workspaces/{id}/providers/{providerId}',
    summary: 'Delete a defined provider.',
    description: 'Deletes a definition that no integration uses. Events that it made stay.',
    errors: { conflict: 'Integrations use it; the message names them.' },
    access: inWorkspace(path, 'manage_integrations', 'integrations:write'),
    params: definitionParams,
    status: 204,
    write: true,
  },

  'oauth.start': {
    operationId: 'startOAuthFlow',
    method: 'POST',
    path: '/integrations/oauth/{provider}/start',
    summary: 'Start connecting by OAuth.',
    description:
      'Returns a URL for the browser of the person who connects the tool. The provider then sends the browser back to `/integrations/oauth/{provider}/callback`, and `getOAuthFlow` returns the result.',
    errors: {
      not_found: 'The provider is unknown, or has no OAuth.',
      unprocessable_entity: 'The workspace has no app at the provider.',
    },
    access: inWorkspace(body, 'manage_integrations', 'integrations:write'),
    params: z.object({ provider: providerKey }),
    body: OAuthStart,
    response: StartedOAuthFlow,
    status: 201,
    write: true,
    secret: true,
  },
  'oauth.get': {
    operationId: 'getOAuthFlow',
    method: 'GET',
    path: '/workspaces/{id}/oauth-flows/{flowId}',
    summary: 'Read an attempt to connect by OAuth.',
    description:
      'Says whether the person has decided yet, and what became of it. Attempts are kept for a day.',
    access: inWorkspace(path, 'manage_integrations', 'integrations:read'),
    params: z.object({ id: id('workspace'), flowId: id('oauthFlow') }),
    response: OAuthFlow,
    status: 200,
    write: false,
  },
  'oauth.listApps': {
    operationId: 'listOAuthApps',
    method: 'GET',
    path: '/workspaces/{id}/oauth-apps',
    summary: 'List OAuth apps.',
    description:
      'Lists every provider that can be connected by OAuth, with the app of the workspace there, without its secret.',
    access: inWorkspace(path, 'manage_integrations', 'integrations:read'),
    params: workspaceParams,
    query: pageOnly,
    response: page(OAuthApp),
    status: 200,
    write: false,
  },
  'oauth.configureApp': {
    operationId: 'configureOAuthApp',
    method: 'POST',
    path: '/workspaces/{id}/oauth-apps',
    summary: 'Configure an OAuth app.',
    description:
      'Stores the credentials of an app that was made at a provider, or replaces them. Integrations that are connected through it stay connected.',
    errors: { unprocessable_entity: 'The provider is unknown, or has no OAuth.' },
    access: inWorkspace(path, 'manage_integrations', 'integrations:write'),
    params: workspaceParams,
    body: OAuthAppConfigure,
    response: OAuthApp,
    status: 200,
    write: true,
  },
  'oauth.removeApp': {
    operationId: 'removeOAuthApp',
    method: 'DELETE',
    path: '/workspaces/{id}/oauth-apps/{provider}',
    summary: 'Remove an OAuth app.',
    description:
      'Deletes the credentials of the app. Integrations that are connected through it work until their access ends, and then have to be connected again.',
    access: inWorkspace(path, 'manage_integrations', 'integrations:write'),
    params: z.object({
      id: id('workspace'),
      provider: providerKey,
    }),
    status: 204,
    write: true,
  },

  'ingest.receive': {
    operationId: 'ingestHook',
    method: 'POST',
    path: '/ingest/{integrationId}',
    summary: "Send a provider's webhook.",
    description:
      'Receives the call of a connected tool, checks its signature or token over the raw body, and stores it as an event before it answers. A repeated call creates no second event.',
    errors: {
      invalid_request: 'The body cannot be read as what the provider sends.',
      unauthorized: 'The call does not prove that it knows the secret of the integration.',
      not_found: 'The integration does not exist or is disconnected.',
      service_unavailable:
        'The stored credentials of the integration can no longer be read. Reconnect it, then repeat the call.',
    },
    access: { kind: 'public' },
    params: integrationParams,
    bodies: hookBodies,
    response: IngestResult,
    status: 202,
    alternative: {
      status: 200,
      when: 'The call is a repetition or carries no event, such as a ping. Nothing new is stored.',
    },
    write: false,
    special: 'ingest',
  },
  'ingest.slack': {
    operationId: 'ingestSlackMessage',
    method: 'POST',
    path: '/ingest/{integrationId}/slack',
    summary: 'Send a message in the Slack format.',
    description:
      "Accepts the format of Slack's incoming webhooks, for tools that can send to Slack, and stores the message as an event of the type `message`. The integration is a `custom` one. Its secret is sent as `?token=`, as a bearer token, or as the password of the URL.",
    errors: {
      invalid_request: 'The body is no Slack message: it has no text, blocks or attachments.',
      unauthorized: 'The call does not carry the secret of the integration.',
      not_found: 'The integration does not exist, is disconnected, or takes no Slack messages.',
      service_unavailable:
        'The stored credentials of the integration can no longer be read. Reconnect it, then repeat the call.',
    },
    access: { kind: 'public' },
    params: integrationParams,
    bodies: slackBodies,
    response: z.literal('ok').describe('The body that Slack returns.'),
    status: 200,
    write: false,
    special: 'ingest',
  },

  'events.list': {
    operationId: 'listEvents',
    method: 'GET',
    path: '/workspaces/{id}/events',
    summary: 'List events.',
    description:
      'Lists the events of a workspace, newest first, filtered by type, source, time, integration or state of delivery.',
    access: inWorkspace(path, 'view', 'events:read'),
    params: workspaceParams,
    query: z.object(eventQuery),
    response: page(ListedEvent),
    status: 200,
    write: false,
  },
  'events.listAll': {
    operationId: 'listAllEvents',
    method: 'GET',
    path: '/events',
    summary: 'List events of all workspaces.',
    description: 'Lists events of every workspace that the key sees, newest first.',
    errors: {
      not_found:
        'The key sees no workspace with the given `workspace_id`, or none that has had the integration with the given `integration_id`.',
    },
    access: { kind: 'user', scope: 'events:read' },
    query: z.object({
      workspace_id: id('workspace').optional().describe('Only events of this workspace.'),
      ...eventQuery,
    }),
    response: page(ListedEvent),
    status: 200,
    write: false,
  },
  'events.get': {
    operationId: 'getEvent',
    method: 'GET',
    path: '/workspaces/{id}/events/{eventId}',
    summary: 'Read an event.',
    description: 'Returns one event with its payload, byte for byte as the provider sent it.',
    access: inWorkspace(path, 'view', 'events:read'),
    params: z.object({ id: id('workspace'), eventId: id('event') }),
    response: Event,
    status: 200,
    write: false,
  },
  'events.publish': {
    operationId: 'publishEvent',
    method: 'POST',
    path: '/workspaces/{id}/events',
    summary: 'Publish an event.',
    description:
      'Stores an event, and a delivery for each webhook that subscribes to it, in one transaction. The payload is stored unchanged.',
    errors: {
      not_found: '`integration_id` names no integration of this workspace.',
    },
    access: inWorkspace(path, 'publish_events', 'events:write'),
    params: workspaceParams,
    body: EventPublish,
    response: Event,
    status: 201,
    write: true,
  },
  'events.publishBatch': {
    operationId: 'publishEventBatch',
    method: 'POST',
    path: '/workspaces/{id}/events/batch',
    summary: 'Publish several events.',
    description: 'Stores up to 1,000 events. If one is refused, none is stored.',
    errors: {
      not_found: 'An `integration_id` names no integration of this workspace.',
    },
    access: inWorkspace(path, 'publish_events', 'events:write'),
    params: workspaceParams,
    body: EventBatch,
    response: EventBatchResult,
    status: 201,
    write: true,
  },
  'events.stream': {
    operationId: 'streamEvents',
    method: 'GET',
    path: '/workspaces/{id}/events/stream',
    summary: 'Follow events.',
    description:
      'Streams events as server-sent events: `id` is the event id, `event` is `event`, `data` is the event as JSON. Without `since`, the stream begins now. A client that reconnects with `Last-Event-ID` misses nothing. A comment every 10 seconds keeps the connection open. A client that reads nothing for 15 seconds is disconnected.',
    access: inWorkspace(path, 'view', 'events:read'),
    params: workspaceParams,
    query: z.object(eventFilters),
    response: ListedEvent,
    status: 200,
    write: false,
    special: 'event-stream',
  },

  'webhooks.list': {
    operationId: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks.',
    description: 'Lists the webhooks of a workspace, oldest first, without their secrets.',
    access: inWorkspace(query, 'view', 'webhooks:read'),
    query: z.object({
      workspace_id: id('workspace')
        .optional()
        .describe('Workspace. Default: the one that the key is bound to.'),
      ...pageQuery,
    }),
    response: page(Webhook),
    status: 200,
    write: false,
  },
  'webhooks.create': {
    operationId: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    summary: 'Register a webhook.',
    description:
      'Subscribes an HTTPS URL to triggers. Each delivery is a POST, signed with `secret` and retried for 12 minutes; see `webhooks` in this document for bodies and headers.',
    errors: {
      unprocessable_entity: 'The URL is well-formed and may not be called, such as one on a private address.',
    },
    access: inWorkspace(body, 'manage_webhooks', 'webhooks:write'),
    body: WebhookCreate,
    response: Webhook,
    status: 201,
    write: true,
  },
  'webhooks.get': {
    operationId: 'getWebhook',
    method: 'GET',
    path: '/webhooks/{webhookId}',
    summary: 'Read a webhook.',
    description: 'Returns the subscription and state of a webhook, without its secret.',
    access: inWorkspace(webhook, 'view', 'webhooks:read'),
    params: webhookParams,
    response: Webhook,
    status: 200,
    write: false,
  },
  'webhooks.update': {
    operationId: 'updateWebhook',
    method: 'PATCH',
    path: '/webhooks/{webhookId}',
    summary: 'Update a webhook.',
    description:
      'Changes the fields in the body. The status `disabled` holds deliveries back; `active` sends the held ones.',
    errors: {
      unprocessable_entity: 'The URL is well-formed and may not be called, such as one on a private address.',
    },
    access: inWorkspace(webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    body: WebhookUpdate,
    response: Webhook,
    status: 200,
    write: true,
  },
  'webhooks.delete': {
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/{webhookId}',
    summary: 'Delete a webhook.',
    description: 'Deletes the webhook and cancels its open deliveries. Finished ones stay readable.',
    access: inWorkspace(webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    status: 204,
    write: true,
  },
  'webhooks.rotateSecret': {
    operationId: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhooks/{webhookId}/rotate-secret',
    summary: 'Rotate the secret of a webhook.',
    description:
      'Replaces the signing secret. During `overlap_seconds`, `webhook-signature` carries one signature with each secret. `X-Service-Signature` uses the new secret at once.',
    access: inWorkspace(webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    body: WebhookRotateSecret,
    response: WebhookRotatedSecret,
    status: 200,
    write: true,
    secret: true,
  },
  'webhooks.test': {
    operationId: 'testWebhook',
    method: 'POST',
    path: '/webhooks/{webhookId}/test',
    summary: 'Send a test call.',
    description:
      'Sends one signed call with sample data, without retries. Read the delivery to see the answer.',
    errors: {
      unprocessable_entity: 'The webhook is disabled.',
    },
    access: inWorkspace(webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    body: WebhookTest,
    response: Delivery,
    status: 200,
    write: true,
  },
  'webhooks.testFilters': {
    operationId: 'testWebhookFilters',
    method: 'POST',
    path: '/webhooks/{webhookId}/test-filters',
    summary: 'Try filters on past events.',
    description:
      'Says for each event whether the webhook would get a delivery, which filter refuses it, and what every comparison of the conditions has found. Nothing is sent or changed.',
    errors: {
      not_found: 'An `event_ids` names no event of this workspace.',
    },
    access: inWorkspace(webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    body: WebhookFilterTest,
    response: WebhookFilterTestResult,
    status: 200,
    write: true,
  },
  'webhooks.enable': {
    operationId: 'enableWebhook',
    method: 'POST',
    path: '/webhooks/{webhookId}/enable',
    summary: 'Enable a webhook.',
    description:
      'Makes a disabled webhook `active` and sends its held deliveries. Does nothing for an active one.',
    access: inWorkspace(webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    response: Webhook,
    status: 200,
    write: true,
  },
  'webhooks.recover': {
    operationId: 'recoverWebhook',
    method: 'POST',
    path: '/webhooks/{webhookId}/recover',
    summary: 'Send missed deliveries of a webhook again.',
    description:
      'Starts a job that makes one extra attempt for each matching delivery of the webhook. The job survives a restart; `getRecovery` reports its progress.',
    errors: {
      unprocessable_entity: 'The webhook is disabled.',
    },
    access: inWorkspace(webhook, 'manage_webhooks', 'webhooks:write'),
    params: webhookParams,
    body: RecoveryCreate,
    response: Recovery,
    status: 202,
    write: true,
  },

  'deliveries.listForWebhook': {
    operationId: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhooks/{webhookId}/deliveries',
    summary: 'List the deliveries of a webhook.',
    description: 'Lists the deliveries to one webhook, newest first, filtered by state, trigger and time.',
    access: inWorkspace(webhook, 'view', 'webhooks:read'),
    params: webhookParams,
    query: z.object(deliveryQuery),
    response: page(Delivery),
    status: 200,
    write: false,
  },
  'deliveries.list': {
    operationId: 'listDeliveries',
    method: 'GET',
    path: '/workspaces/{id}/deliveries',
    summary: 'List deliveries.',
    description:
      'Lists the deliveries of a workspace, newest first, filtered by webhook, event, state, trigger and time.',
    access: inWorkspace(path, 'view', 'webhooks:read'),
    params: workspaceParams,
    query: z.object({
      webhook_id: id('webhook').optional().describe('Only deliveries to this webhook.'),
      event_id: id('event').optional().describe('Only deliveries of this event.'),
      ...deliveryQuery,
    }),
    response: page(Delivery),
    status: 200,
    write: false,
  },
  'deliveries.get': {
    operationId: 'getDelivery',
    method: 'GET',
    path: '/deliveries/{deliveryId}',
    summary: 'Read a delivery.',
    description:
      'Returns a delivery with the exact body that is sent, and every attempt with its time, duration and answer.',
    access: inWorkspace(delivery, 'view', 'webhooks:read'),
    params: deliveryParams,
    response: DeliveryDetail,
    status: 200,
    write: false,
  },
  'deliveries.retry': {
    operationId: 'retryDelivery',
    method: 'POST',
    path: '/deliveries/{deliveryId}/retry',
    summary: 'Retry a delivery.',
    description:
      'Makes one extra attempt now, regardless of earlier ones. If it fails, no further attempts follow.',
    errors: {
      conflict: 'An attempt is under way.',
      unprocessable_entity: 'The webhook of the delivery is disabled or deleted.',
    },
    access: inWorkspace(delivery, 'manage_webhooks', 'webhooks:write'),
    params: deliveryParams,
    response: Delivery,
    status: 200,
    write: true,
  },

  'deliveries.retryAll': {
    operationId: 'retryDeliveries',
    method: 'POST',
    path: '/workspaces/{id}/deliveries/retry',
    summary: 'Retry all matching deliveries.',
    description:
      'Starts a job that makes one extra attempt for each matching delivery of the workspace. The job survives a restart; `getRecovery` reports its progress.',
    errors: {
      not_found: '`webhook_id` names no webhook of this workspace, or `event_id` no event that it has had.',
      unprocessable_entity: '`webhook_id` names a disabled webhook.',
    },
    access: inWorkspace(path, 'manage_webhooks', 'webhooks:write'),
    params: workspaceParams,
    body: DeliveryRetryAll,
    response: Recovery,
    status: 202,
    write: true,
  },
  'recoveries.get': {
    operationId: 'getRecovery',
    method: 'GET',
    path: '/recoveries/{recoveryId}',
    summary: 'Read a recovery.',
    description:
      'Returns the number of deliveries that a recovery has found, and of those that it has queued again.',
    access: inWorkspace(recovery, 'view', 'webhooks:read'),
    params: z.object({ recoveryId: id('recovery') }),
    response: Recovery,
    status: 200,
    write: false,
  },

  'automations.list': {
    operationId: 'listAutomations',
    method: 'GET',
    path: '/workspaces/{id}/automations',
    summary: 'List automations.',
    description: 'Lists the automations of a workspace, oldest first.',
    access: inWorkspace(path, 'view', 'automations:read'),
    params: workspaceParams,
    query: pageOnly,
    response: page(Automation),
    status: 200,
    write: false,
  },
  'automations.create': {
    operationId: 'createAutomation',
    method: 'POST',
    path: '/workspaces/{id}/automations',
    summary: 'Create an automation.',
    description:
      'Creates an automation: when its trigger fires and its conditions hold, its actions run one after the other. Templates, conditions, patterns and inputs are checked here.',
    errors: {
      not_found: 'An action or the trigger names no integration of this workspace.',
      unprocessable_entity:
        'A URL may not be called, an integration cannot do what an action asks, or the workspace has 10,000 automations.',
    },
    access: inWorkspace(path, 'edit_automations', 'automations:write'),
    params: workspaceParams,
    body: AutomationCreate,
    response: Automation,
    status: 201,
    write: true,
  },
  'automations.get': {
    operationId: 'getAutomation',
    method: 'GET',
    path: '/workspaces/{id}/automations/{automationId}',
    summary: 'Read an automation.',
    description: 'Returns an automation, without its secret.',
    access: inWorkspace(path, 'view', 'automations:read'),
    params: automationParams,
    response: Automation,
    status: 200,
    write: false,
  },
  'automations.update': {
    operationId: 'updateAutomation',
    method: 'PATCH',
    path: '/workspaces/{id}/automations/{automationId}',
    summary: 'Update an automation.',
    description:
      'Changes the fields in the body. Runs that have begun go on with the actions that they began with.',
    errors: {
      not_found: 'An action or the trigger names no integration of this workspace.',
      unprocessable_entity: 'A URL may not be called, or an integration cannot do what an action asks.',
    },
    access: inWorkspace(path, 'edit_automations', 'automations:write'),
    params: automationParams,
    body: AutomationUpdate,
    response: Automation,
    status: 200,
    write: true,
  },
  'automations.delete': {
    operationId: 'deleteAutomation',
    method: 'DELETE',
    path: '/workspaces/{id}/automations/{automationId}',
    summary: 'Delete an automation.',
    description: 'Deletes the automation with its runs. An action under way is not called back.',
    access: inWorkspace(path, 'edit_automations', 'automations:write'),
    params: automationParams,
    status: 204,
    write: true,
  },
  'automations.test': {
    operationId: 'testAutomation',
    method: 'POST',
    path: '/workspaces/{id}/automations/{automationId}/test',
    summary: 'Try an automation.',
    description:
      'A dry run on a past or a given event: tells what every condition has found and what every action would do. Nothing is sent.',
    errors: {
      not_found: '`event_id` names no event of this workspace.',
    },
    access: inWorkspace(path, 'edit_automations', 'automations:write'),
    params: automationParams,
    body: AutomationTest,
    response: AutomationTestResult,
    status: 200,
    write: true,
  },
  'automations.run': {
    operationId: 'runAutomation',
    method: 'POST',
    path: '/workspaces/{id}/automations/{automationId}/run',
    summary: 'Run an automation.',
    description: 'Starts a run by hand, also of a disabled automation. Trigger and conditions are not asked.',
    errors: {
      not_found: '`event_id` names no event of this workspace.',
    },
    access: inWorkspace(path, 'edit_automations', 'automations:write'),
    params: automationParams,
    body: AutomationRunStart,
    response: AutomationRun,
    status: 202,
    write: true,
  },
  'automations.listRuns': {
    operationId: 'listAutomationRuns',
    method: 'GET',
    path: '/workspaces/{id}/automations/{automationId}/runs',
    summary: 'List the runs of an automation.',
    description: 'Lists the runs of an automation, newest first, filtered by state or event.',
    access: inWorkspace(path, 'view', 'automations:read'),
    params: automationParams,
    query: z.object(runQuery),
    response: page(AutomationRun),
    status: 200,
    write: false,
  },
  'automations.getRun': {
    operationId: 'getAutomationRun',
    method: 'GET',
    path: '/workspaces/{id}/automations/{automationId}/runs/{runId}',
    summary: 'Read a run.',
    description: 'Returns a run with the request, response and error of each step.',
    access: inWorkspace(path, 'view', 'automations:read'),
    params: runParams,
    response: AutomationRunDetail,
    status: 200,
    write: false,
  },
  'automations.retryRun': {
    operationId: 'retryAutomationRun',
    method: 'POST',
    path: '/workspaces/{id}/automations/{automationId}/runs/{runId}/retry',
    summary: 'Retry a failed run.',
    description: 'Goes on with the step that failed. Steps that are done are not repeated.',
    errors: {
      unprocessable_entity: 'The run has not failed and was not cancelled.',
    },
    access: inWorkspace(path, 'edit_automations', 'automations:write'),
    params: runParams,
    response: AutomationRun,
    status: 200,
    write: true,
  },
  'automations.cancelRun': {
    operationId: 'cancelAutomationRun',
    method: 'POST',
    path: '/workspaces/{id}/automations/{automationId}/runs/{runId}/cancel',
    summary: 'Cancel a run.',
    description: 'Ends a run before its next step. An action under way is not called back.',
    errors: {
      unprocessable_entity: 'The run has ended.',
    },
    access: inWorkspace(path, 'edit_automations', 'automations:write'),
    params: runParams,
    response: AutomationRun,
    status: 200,
    write: true,
  },

  'auditLog.list': {
    operationId: 'listAuditLog',
    method: 'GET',
    path: '/workspaces/{id}/audit-log',
    summary: 'Read or export the audit log.',
    description:
      'Lists every change with its actor and origin, newest first. `format=csv` or `Accept: text/csv` streams every match as one CSV file. Cells that a spreadsheet would run as a formula are escaped.',
    access: inWorkspace(path, 'view_audit_log', 'audit_log:read'),
    params: workspaceParams,
    query: z.object(auditQuery),
    response: page(AuditEntry),
    status: 200,
    write: false,
    special: 'csv',
  },
} as const satisfies Record<string, Endpoint>;

/** The table, as its rows are typed. */
export type Endpoints = typeof endpoints;

/** The name of an endpoint: `<resource>.<verb>`. */
export type EndpointName = keyof Endpoints;

type Input<Row, Part extends string> =
  Row extends Record<Part, infer Schema extends z.ZodType> ? z.output<Schema> : undefined;

/** The validated parts of a request, as a handler receives them. */
export interface EndpointInput<Name extends EndpointName> {
  params: Input<Endpoints[Name], 'params'>;
  query: Input<Endpoints[Name], 'query'>;
  body: Input<Endpoints[Name], 'body'>;
}

/** The result of a handler. */
export type EndpointOutput<Name extends EndpointName> = Endpoints[Name] extends {
  response: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;
