import { z } from 'zod';
import type { Endpoint } from '../../endpoint.ts';
import { id, page } from '../../schemas/common.ts';
import {
  ProviderDefinition,
  ProviderDefinitionCreate,
  ProviderDefinitionUpdate,
  ProviderPreset,
  ProviderPreview,
  ProviderPreviewRequest,
} from '../../schemas/integrations/provider-definitions.ts';
import { from, inWorkspace } from '../access.ts';
import { pageOnly, workspaceParams } from '../params.ts';

const definitionParams = z.object({ id: id('workspace'), providerId: id('provider') });

export const providerEndpoints = {
  'providers.listPresets': {
    operationId: 'listProviderPresets',
    method: 'GET',
    path: '/provider-presets',
    summary: 'List provider presets.',
    description:
      'Lists definitions of well-known tools, each with a sample call. Adapt one, and pass it to `defineProvider`.',
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
    access: inWorkspace(from.path, 'view', 'integrations:read'),
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
      'Stores how the calls of a tool are verified and read. `connectIntegration` then accepts its key, like that of a built-in provider.',
    errors: {
      conflict: 'The workspace already has a definition with that key.',
      unprocessable_entity: 'The key is that of a built-in provider, or the workspace has 50 definitions.',
    },
    access: inWorkspace(from.path, 'manage_integrations', 'integrations:write'),
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
      'Shows which event a definition, stored or not, would make of a call, and whether the call passes verification. Stores nothing.',
    access: inWorkspace(from.path, 'manage_integrations', 'integrations:read'),
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
    description: 'Returns a definition. It contains no secrets: those are credentials of the integrations.',
    access: inWorkspace(from.path, 'view', 'integrations:read'),
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
      'Changes the given fields; the key stays. From the next call, the new rules apply to every integration that uses the definition.',
    access: inWorkspace(from.path, 'manage_integrations', 'integrations:write'),
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
    description: 'Deletes a definition that no integration uses. Its events are kept.',
    errors: { conflict: 'Integrations use it; the message names them.' },
    access: inWorkspace(from.path, 'manage_integrations', 'integrations:write'),
    params: definitionParams,
    status: 204,
    write: true,
  },
} as const satisfies Record<string, Endpoint>;
