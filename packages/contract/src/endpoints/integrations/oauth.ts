import { z } from 'zod';
import type { Endpoint } from '../../endpoint.ts';
import { id, page } from '../../schemas/common.ts';
import {
  OAuthApp,
  OAuthAppConfigure,
  OAuthFlow,
  OAuthStart,
  StartedOAuthFlow,
} from '../../schemas/integrations/oauth.ts';
import { text } from '../../text.ts';
import { from, inWorkspace } from '../access.ts';
import { pageOnly, workspaceParams } from '../params.ts';

const providerKey = text(1, 100).describe('Provider key, such as `slack`.');

export const oauthEndpoints = {
  'oauth.start': {
    operationId: 'startOAuthFlow',
    method: 'POST',
    path: '/integrations/oauth/{provider}/start',
    summary: 'Start an OAuth flow.',
    description:
      'Returns a URL for the browser of the person who connects the tool. The provider then sends the browser back to `/integrations/oauth/{provider}/callback`, and `getOAuthFlow` returns the result.',
    errors: {
      not_found: 'The provider is unknown, or cannot be connected with OAuth.',
      unprocessable_entity: 'The workspace has no app at the provider.',
    },
    access: inWorkspace(from.body, 'manage_integrations', 'integrations:write'),
    params: z.object({ provider: providerKey }),
    body: OAuthStart,
    response: StartedOAuthFlow,
    status: 201,
    write: true,
    secret: 'once',
  },
  'oauth.get': {
    operationId: 'getOAuthFlow',
    method: 'GET',
    path: '/workspaces/{id}/oauth-flows/{flowId}',
    summary: 'Read an OAuth flow.',
    description:
      'Returns the status of the flow and, once the person has decided, its result. Flows are kept for a day.',
    access: inWorkspace(from.path, 'manage_integrations', 'integrations:read'),
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
      'Lists every provider that can be connected with OAuth, with the app of the workspace there, without its secret.',
    access: inWorkspace(from.path, 'manage_integrations', 'integrations:read'),
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
      'Stores the credentials of an app that was created at a provider, or replaces them. Integrations that are connected through it stay connected.',
    errors: { unprocessable_entity: 'The provider is unknown, or cannot be connected with OAuth.' },
    access: inWorkspace(from.path, 'manage_integrations', 'integrations:write'),
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
    access: inWorkspace(from.path, 'manage_integrations', 'integrations:write'),
    params: z.object({
      id: id('workspace'),
      provider: providerKey,
    }),
    status: 204,
    write: true,
  },
} as const satisfies Record<string, Endpoint>;
