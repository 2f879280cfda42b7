import type { EndpointInput, OAuthFlow as OAuthFlowDocument } from '@hubline/contract';
import type { z } from 'zod';
import type { WorkspaceContext } from '../../../context.ts';
import { findIntegrationByProvider } from '../../../db/integrations/integrations.ts';
import { findOAuthFlow, insertOAuthFlow, type OAuthFlowRow } from '../../../db/integrations/oauth-flows.ts';
import { invalidFields, notFound, unprocessable } from '../../../domain/faults/fault.ts';
import { checkSettings } from '../../../providers/credentials.ts';
import type { Provider } from '../../../providers/provider.ts';
import { hashToken, newToken } from '../../../secrets/token.ts';
import { findOwnIntegration } from '../integrations.ts';
import { findGrantor, findOAuthProvider, oauthUrl } from './apps.ts';

// Enough time for a person to log in with a second factor, or to ask somebody with the right to allow it.
const FLOW_MS = 15 * 60_000;

/** Starts a flow that connects with OAuth. Its token is in its link, and nowhere else. */
export async function start(context: WorkspaceContext, { params, body }: EndpointInput<'oauth.start'>) {
  const { workspaceId } = context.access;
  const provider = findOAuthProvider(context, params.provider);
  if (!provider) throw notFound('OAuth provider');
  const integrationId = await wantedIntegration(context, provider, body.integration_id);
  const { settings = {} } = body;
  const [first, ...others] = checkSettings(provider, settings);
  if (first) throw invalidFields([first, ...others]);
  if (!(await findGrantor(context, context.store.read, { workspaceId, provider })))
    throw unprocessable('provider', 'has no OAuth app in this workspace yet; configure one first');
  const token = newToken();
  const { now, actor } = context;
  const row: OAuthFlowRow = {
    id: context.ids('oauthFlow'),
    workspace_id: workspaceId,
    provider: provider.key,
    integration_id: integrationId,
    settings: JSON.stringify(settings),
    starter: JSON.stringify(actor),
    link_hash: hashToken(token),
    status: 'pending',
    error: null,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + FLOW_MS).toISOString(),
  };
  return context.write(async (tx) => {
    await insertOAuthFlow(tx, row);
    return { ...shown(row, now), url: `${oauthUrl(context, provider.key)}/start?token=${token}` };
  });
}

/** The integration to reconnect: the one in the request, or the only one that there can be; `null` for a new one. */
async function wantedIntegration(
  context: WorkspaceContext,
  provider: Provider,
  id: string | undefined,
): Promise<string | null> {
  if (id === undefined) {
    if (provider.repeatable) return null;
    const { workspaceId } = context.access;
    return (await findIntegrationByProvider(context.store.read, workspaceId, provider.key))?.id ?? null;
  }
  const row = await findOwnIntegration(context.store.read, context, id);
  if (row.provider === provider.key) return id;
  throw unprocessable('integration_id', `names an integration of ${row.provider}, not of ${provider.key}`);
}

export async function get(context: WorkspaceContext, { params }: EndpointInput<'oauth.get'>) {
  const row = await findOAuthFlow(context.store.read, context.access.workspaceId, params.flowId);
  if (!row) throw notFound('OAuth flow');
  return shown(row, context.now);
}

/** A flow as the API shows it. */
function shown(row: OAuthFlowRow, now: Date): z.output<typeof OAuthFlowDocument> {
  const status = row.status === 'redeeming' ? 'pending' : row.status;
  // A flow that a crash cut off while its code was redeemed expires, too.
  const expired = status === 'pending' && row.expires_at <= now.toISOString();
  return {
    flow_id: row.id,
    workspace_id: row.workspace_id,
    provider: row.provider,
    status: expired ? 'failed' : status,
    integration_id: row.status === 'connected' ? row.integration_id : null,
    error: expired ? 'The link expired before the connection was completed. Start again.' : row.error,
    created_at: row.created_at,
    expires_at: row.expires_at,
  };
}
