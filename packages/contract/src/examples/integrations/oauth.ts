import { type ExamplesFor, lastPage } from '../example.ts';
import { ids } from '../ids.ts';

const app = {
  provider: 'github',
  configured: true,
  client_id: 'Iv1.EXAMPLE',
  domain: null,
  redirect_uri: 'https://hub.example.com/v1/integrations/oauth/github/callback',
  scopes: ['repo', 'admin:repo_hook', 'admin:org_hook', 'read:user'],
  apps_url: 'https://github.com/settings/developers',
  fields: ['client_id', 'client_secret', 'domain'],
  updated_at: '2026-10-05T08:58:12.014Z',
};

const flow = {
  flow_id: ids.oauthFlow,
  workspace_id: ids.workspace,
  provider: 'github',
  status: 'pending' as const,
  integration_id: null,
  error: null,
  created_at: '2026-10-05T09:00:02.871Z',
  expires_at: '2026-10-05T09:15:02.871Z',
};

const noApp = 'has no OAuth app in this workspace yet; configure one first';
const noOAuth = 'cannot be connected with OAuth; the list of OAuth apps names those that can';

export const oauthExamples = {
  'oauth.start': {
    body: { workspace_id: ids.workspace, settings: { repository: 'acme/web' } },
    response: {
      ...flow,
      url: 'https://hub.example.com/v1/integrations/oauth/github/start?token=EXAMPLEtokenThatOpensNothing0000000000001',
    },
    errors: {
      not_found: {
        message:
          'No such OAuth provider. Check its key, such as slack; the list of OAuth apps names those that can be connected.',
      },
      unprocessable_entity: { message: `provider ${noApp}.`, details: [{ field: 'provider', issue: noApp }] },
    },
  },
  'oauth.get': {
    responses: {
      connected: { ...flow, status: 'connected', integration_id: ids.github },
      refused: {
        ...flow,
        status: 'failed',
        error: 'GitHub did not grant access: you declined, or are not allowed to grant access',
      },
    },
  },
  'oauth.listApps': { response: { data: [app], pagination: lastPage } },
  'oauth.configureApp': {
    body: { provider: 'github', client_id: 'Iv1.EXAMPLE', client_secret: 'EXAMPLE-secret' },
    response: app,
    errors: {
      unprocessable_entity: {
        message: `provider ${noOAuth}.`,
        details: [{ field: 'provider', issue: noOAuth }],
      },
    },
  },
  'oauth.removeApp': {},
} satisfies ExamplesFor<'oauth'>;
