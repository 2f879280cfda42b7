import { z } from 'zod';
import type { Endpoint } from '../../endpoint.ts';
import { id, page } from '../../schemas/common.ts';
import {
  ConnectedIntegration,
  Integration,
  IntegrationConnect,
  IntegrationCreate,
  IntegrationReconnect,
  IntegrationSummary,
  IntegrationSync,
  IntegrationTest,
  IntegrationTestResult,
  IntegrationUpdate,
} from '../../schemas/integrations/integrations.ts';
import { Provider } from '../../schemas/integrations/providers.ts';
import { from, inWorkspace } from '../access.ts';
import { integrationParams, pageOnly, workspaceParams } from '../params.ts';

export const integrationEndpoints = {
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
      'Checks the credentials at the provider, stores them encrypted, and registers the ingest URL there if the credentials allow it. `ingest.steps` lists what is left to do there.',
    errors: {
      unprocessable_entity: 'The provider is unknown, is already connected, or refuses the credentials.',
      service_unavailable: 'The API of the provider fails, or does not respond.',
    },
    access: inWorkspace(from.body, 'manage_integrations', 'integrations:write'),
    body: IntegrationConnect,
    response: ConnectedIntegration,
    status: 201,
    write: true,
    secret: 'once',
  },
  'integrations.create': {
    operationId: 'createIntegration',
    method: 'POST',
    path: '/integrations',
    summary: 'Connect an integration (variant form).',
    description:
      'Connects a tool by `type` and `config`. Without credentials, the integration stays `disconnected` until `reconnectIntegration` adds them.',
    errors: {
      unprocessable_entity: 'The provider is unknown, is already connected, or refuses the credentials.',
      service_unavailable: 'The API of the provider fails, or does not respond.',
    },
    access: inWorkspace(from.body, 'manage_integrations', 'integrations:write'),
    body: IntegrationCreate,
    response: ConnectedIntegration,
    status: 201,
    write: true,
    secret: 'once',
    variantOf: 'integrations.connect',
  },
  'integrations.get': {
    operationId: 'getIntegration',
    method: 'GET',
    path: '/integrations/{integrationId}',
    summary: 'Read an integration.',
    description:
      'Returns the status, notification settings and ingest URL of an integration, never its credentials.',
    access: inWorkspace(from.integration, 'view', 'integrations:read'),
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
    description:
      'Replaces the notification settings, or changes the name. Credentials change through `reconnectIntegration`.',
    access: inWorkspace(from.integration, 'manage_integrations', 'integrations:write'),
    params: integrationParams,
    body: IntegrationUpdate,
    response: Integration,
    status: 200,
    write: true,
    // The ingest URL may end with a token.
    secret: 'always',
  },
  'integrations.test': {
    operationId: 'testIntegration',
    method: 'POST',
    path: '/integrations/{integrationId}/test',
    summary: 'Send a test notification.',
    description:
      "Sends one notification to the destination of the integration and waits for the response. A refusal is returned as `success: false`, with the destination's reason.",
    errors: {
      unprocessable_entity:
        'The provider takes no notifications, or the integration has no credentials that can be read.',
      service_unavailable: 'The API of the provider fails, or does not respond.',
    },
    access: inWorkspace(from.integration, 'manage_integrations', 'integrations:write'),
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
      'Checks and stores new credentials. The ingest URL, the signing secret and the optional credentials stay unless the body names others, or removes them. Only a stored `domain` must be given again, or removed: the new credentials are sent there. A `preset` or a `verification` of a `custom` integration replaces all of its verification rules. With the verification `none`, an ingest URL without a token gets one. With `overlap_seconds`, calls with the old secret or token are accepted for that time, too. Until the overlap ends, another secret or token needs `overlap_seconds: 0`, which ends both older ones at once.',
    errors: {
      conflict: 'The overlap of the last secret has not ended, and `overlap_seconds` begins another.',
      unprocessable_entity: 'The provider refuses the credentials.',
      service_unavailable: 'The API of the provider fails, or does not respond.',
    },
    access: inWorkspace(from.integration, 'manage_integrations', 'integrations:write'),
    params: integrationParams,
    body: IntegrationReconnect,
    response: ConnectedIntegration,
    status: 200,
    write: true,
    secret: 'once',
  },
  'integrations.sync': {
    operationId: 'syncIntegration',
    method: 'POST',
    path: '/integrations/{integrationId}/sync',
    summary: 'Sync with a provider.',
    description:
      'Asks the API of the provider for what was missed: the provider sends failed calls again, or past changes become events. No event is stored twice. The sync runs in the background; `getIntegration` returns its status as `sync`. Each integration runs one sync at a time.',
    errors: {
      unprocessable_entity:
        'The provider has no API that lists past changes, or the integration has no credentials for it.',
    },
    access: inWorkspace(from.integration, 'manage_integrations', 'integrations:write'),
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
    access: inWorkspace(from.path, 'view', 'integrations:read'),
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
      'Deletes the stored credentials, ends ingest, removes the webhook at the provider where its API allows that, and deletes the webhooks of the workspace whose `filters.resource_ids` name only this integration.',
    access: inWorkspace(from.path, 'manage_integrations', 'integrations:write'),
    params: z.object({ id: id('workspace'), integrationId: id('integration') }),
    status: 204,
    write: true,
  },
} as const satisfies Record<string, Endpoint>;
