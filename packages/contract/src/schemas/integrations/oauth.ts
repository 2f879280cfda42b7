import { z } from 'zod';
import { text, timestamp } from '../../text.ts';
import { LIMITS } from '../../constants/limits.ts';
import { dictionary, id } from '../common.ts';
import { headerSecret, host, secret, setting } from './credentials/forms.ts';

/** A provider that can be connected with OAuth, with the app that the workspace has created there. */
export const OAuthApp = z
  .object({
    provider: z.string().describe('Provider key, such as `slack`.'),
    configured: z
      .boolean()
      .describe('True if the workspace has an app there. Connecting with OAuth needs one.'),
    client_id: z.string().nullable().describe('Client ID of the app; `null` without one.'),
    domain: z.string().nullable().describe('Host of a self-managed server; `null` for the public one.'),
    redirect_uri: z.string().describe('Redirect URL to enter, exactly, when you create the app.'),
    scopes: z.array(z.string()).describe('Scopes that the app requests.'),
    apps_url: z.string().describe('Page on which to create the app.'),
    fields: z.array(z.string()).describe('Fields of `configureOAuthApp` that this provider takes.'),
    updated_at: timestamp.nullable().describe('Time of its last configuration; `null` without one.'),
  })
  .describe("A workspace's OAuth app at a provider, without its secret.")
  .meta({ id: 'OAuthApp' });

/** Body of `POST /workspaces/{id}/oauth-apps`. */
export const OAuthAppConfigure = z
  .strictObject({
    provider: text(1, 100).describe('Provider key, such as `slack`.'),
    client_id: setting.describe('Client ID of the app.'),
    client_secret: headerSecret.describe(
      'Client secret of the app. Stored encrypted, and never shown again.',
    ),
    signing_secret: secret
      .optional()
      .describe(
        'Secret that signs the calls of the app, for a provider such as Slack that has one secret for all of them.',
      ),
    domain: host.optional().describe('Host of a self-managed server. Default: the public one.'),
  })
  .describe('An OAuth app that was created at a provider.')
  .meta({ id: 'OAuthAppConfigure' });

/** Body of `POST /integrations/oauth/{provider}/start`. */
export const OAuthStart = z
  .strictObject({
    workspace_id: id('workspace').describe('Owning workspace.'),
    integration_id: id('integration')
      .optional()
      .describe('The integration to reconnect. Default: the one of this provider, or a new one.'),
    settings: dictionary(
      z.string().max(LIMITS.credentialMax, `must have at most ${LIMITS.credentialMax} characters`),
      LIMITS.credentialsMax,
    )
      .optional()
      .describe('Credential fields of the provider that are not secrets, such as `repository`.'),
  })
  .describe('A tool to connect with OAuth.')
  .meta({ id: 'OAuthStart' });

/** The flow in which a person connects a tool with OAuth. */
export const OAuthFlow = z
  .object({
    flow_id: z.string().describe('`oaf_` and 26 characters.'),
    workspace_id: z.string().describe('Owning workspace.'),
    provider: z.string().describe('Provider key.'),
    status: z
      .enum(['pending', 'connected', 'failed'])
      .describe('`pending` until the person has decided at the provider. An expired flow is `failed`.'),
    integration_id: z.string().nullable().describe('The connected integration; `null` until then.'),
    error: z.string().nullable().describe('Reason why the flow failed; otherwise `null`.'),
    created_at: timestamp.describe('Start time.'),
    expires_at: timestamp.describe('Time until which the person can decide.'),
  })
  .describe('A flow in which a person connects a tool with OAuth.')
  .meta({ id: 'OAuthFlow' });

/** Response of `POST /integrations/oauth/{provider}/start`. */
export const StartedOAuthFlow = OAuthFlow.extend({
  url: z
    .string()
    .describe('URL to open in a browser. Its page names the workspace and continues to the provider.'),
})
  .describe('An OAuth flow that has just been started.')
  .meta({ id: 'StartedOAuthFlow' });
