import type { Context, OptionalContext, WorkspaceContext } from '../../../context.ts';
import { findIntegration } from '../../../db/events/integrations.ts';
import { findRole } from '../../../db/identity/members.ts';
import { changeOAuthFlow, findOAuthFlowBy, type OAuthFlowRow } from '../../../db/workspaces/oauth-flows.ts';
import { findWorkspace } from '../../../db/workspaces/workspaces.ts';
import { actingRole, type Actor } from '../../../domain/actor.ts';
import { Fault, invalid, notFound } from '../../../domain/faults/fault.ts';
import { ProviderUnavailable } from '../../../domain/faults/provider-unavailable.ts';
import { authorizationRequest, redeemCode } from '../../../providers/oauth/grant.ts';
import type { OAuthProvider } from '../../../providers/oauth/grantor.ts';
import { OAuthRefused } from '../../../providers/oauth/oauth.ts';
import type { Credentials } from '../../../providers/provider.ts';
import { hashToken, newToken } from '../../../secrets/token.ts';
import { requirePermission } from '../../identity/access.ts';
import { requireLiveCredential } from '../../identity/live-credential.ts';
import { connectProvider } from '../connect.ts';
import { reconnectIntegration } from '../reconnect.ts';
import { findGrantor, findOAuthProvider, redirectUri } from './apps.ts';

/** The question to a person before the browser goes to the provider. */
export interface Invited {
  provider: string;
  workspace: { name: string; slug: string };
  /** The address of whoever started it. */
  startedBy: string;
  /** True if the visitor is that person. */
  isStarter: boolean;
  /** The provider's page. */
  url: string;
  /** To be kept by this browser, and brought back by it. */
  state: string;
}

/**
 * Prepares this browser for the provider. The last browser that opened the link is the one that may come back: what a person
 * allows in another is not for this workspace.
 */
export async function enter(context: OptionalContext, token: string): Promise<Invited> {
  const flow = await findOAuthFlowBy(context.store.read, 'link_hash', hashToken(token));
  const workspace = flow && (await findWorkspace(context.store.read, flow.workspace_id));
  if (!flow || !workspace || !isOpen(flow, context.now))
    throw invalid('token', 'is not that of a link that is still open; start again');
  const provider = findOAuthProvider(context, flow.provider);
  if (!provider) throw notFound('OAuth provider');
  const grantor = await grantorOf(context, flow, provider);
  const state = newToken();
  const { url, verifier } = await authorizationRequest(grantor, {
    state,
    redirectUri: redirectUri(context, provider.key),
  });
  const changed = await context.store.write((tx) =>
    changeOAuthFlow(tx, flow, {
      state_hash: hashToken(state),
      verifier: verifier === null ? null : context.vault.seal(verifier, verifierContext(flow.id)),
    }),
  );
  if (!changed) throw invalid('token', 'was opened somewhere else at the same moment; open it again');
  const starter = starterOf(flow);
  return {
    provider: provider.name,
    workspace,
    startedBy: starter.email,
    isStarter: context.actor?.userId === starter.userId,
    url,
    state,
  };
}

/** A connection that was made in the browser. */
export interface Finished {
  provider: string;
  integrationId: string;
  workspace: { name: string; slug: string };
}

/**
 * Takes the answer that a browser brings from the provider and connects the integration, as the user who started it. `kept`: the
 * state that this browser was given. Throws `Fault` with the reason for the person.
 */
export async function finish(
  context: Context,
  { key, query, kept }: { key: string; query: URLSearchParams; kept: string | undefined },
): Promise<Finished> {
  const repeated = ['state', 'code', 'error'].find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) throw invalid(repeated, 'must come once');
  const state = query.get('state') ?? '';
  const flow = await findOAuthFlowBy(context.store.read, 'state_hash', hashToken(state));
  if (!flow || flow.provider !== key || !isOpen(flow, context.now))
    throw invalid('state', 'is unknown, was used before, or has expired; start again');
  if (kept !== state)
    throw invalid('state', 'belongs to another browser; open the link in the one in which you go on');
  const redeeming = { ...flow, status: 'redeeming' as const };
  if (!(await context.store.write((tx) => changeOAuthFlow(tx, flow, { status: 'redeeming' }))))
    throw invalid('state', 'was used before; start again');
  try {
    const provider = findOAuthProvider(context, key);
    if (!provider) throw notFound('OAuth provider');
    const credentials = await redeemed(context, { flow, provider, query, state });
    const integrationId = await store(context, { flow, provider, credentials });
    await context.store.write((tx) =>
      changeOAuthFlow(tx, redeeming, { status: 'connected', integration_id: integrationId }),
    );
    const workspace = await findWorkspace(context.store.read, flow.workspace_id);
    return {
      provider: provider.name,
      integrationId,
      workspace: workspace ?? { name: flow.workspace_id, slug: flow.workspace_id },
    };
  } catch (error) {
    const fault = faultOf(error);
    const reason = fault?.message ?? 'Something went wrong on the server; its log says what. Start again.';
    await context.store.write((tx) => changeOAuthFlow(tx, redeeming, { status: 'failed', error: reason }));
    throw fault ?? error;
  }
}

interface Answered {
  flow: OAuthFlowRow;
  provider: OAuthProvider;
  query: URLSearchParams;
  state: string;
}

async function redeemed(context: Context, { flow, provider, query, state }: Answered): Promise<Credentials> {
  const grantor = await grantorOf(context, flow, provider);
  const { verifier } = flow;
  return redeemCode(grantor, {
    query,
    state,
    redirectUri: redirectUri(context, provider.key),
    verifier: verifier === null ? null : context.vault.open(verifier, verifierContext(flow.id)),
  });
}

/** Connects, as whoever started it, with the role that they have now. */
async function store(
  context: Context,
  { flow, provider, credentials }: { flow: OAuthFlowRow; provider: OAuthProvider; credentials: Credentials },
): Promise<string> {
  const actor = starterOf(flow);
  const role = await findRole(context.store.read, flow.workspace_id, actor.userId);
  if (role === undefined) throw new Fault('forbidden', 'Whoever started this is no longer in the workspace.');
  const access = { workspaceId: flow.workspace_id, role: actingRole(actor.credential, role) };
  requirePermission(access, 'manage_integrations');
  const acting: WorkspaceContext = { ...context, actor, access };
  await context.store.write((tx) => requireLiveCredential(tx, acting));
  const given = { ...(JSON.parse(flow.settings) as Credentials), ...credentials };
  const before =
    flow.integration_id === null
      ? undefined
      : await findIntegration(context.store.read, flow.workspace_id, flow.integration_id);
  const { integration_id } = before
    ? await reconnectIntegration(acting, { before, provider, given })
    : await connectProvider(acting, provider, { credentials: given, config: {} });
  return integration_id;
}

async function grantorOf(context: Context, flow: OAuthFlowRow, provider: OAuthProvider) {
  const grantor = await findGrantor(context, context.store.read, {
    workspaceId: flow.workspace_id,
    provider,
  });
  if (grantor) return grantor;
  throw new Fault(
    'unprocessable_entity',
    `The OAuth app of ${provider.name} was removed from the workspace.`,
  );
}

const isOpen = ({ status, expires_at }: OAuthFlowRow, now: Date) =>
  status === 'pending' && expires_at > now.toISOString();

const starterOf = ({ starter }: OAuthFlowRow) => JSON.parse(starter) as Actor;

/** The context of the seal of a verifier. */
export const verifierContext = (flowId: string) => `oauth-flow:${flowId}:verifier`;

/** The refusal that a person can be told; `null` for a bug. */
function faultOf(error: unknown): Fault | null {
  if (error instanceof Fault) return error;
  if (error instanceof OAuthRefused) return new Fault('unprocessable_entity', `${error.message}.`);
  if (error instanceof ProviderUnavailable)
    return new Fault('service_unavailable', `${error.message}. Nothing was changed; start again.`);
  return null;
}
