import type { Context, OptionalContext, WorkspaceContext } from '../../../context.ts';
import { findIntegration } from '../../../db/integrations/integrations.ts';
import { changeOAuthFlow, findOAuthFlowBy, type OAuthFlowRow } from '../../../db/integrations/oauth-flows.ts';
import { findWorkspace } from '../../../db/workspaces/workspaces.ts';
import type { Actor } from '../../../domain/identity/actor.ts';
import { Fault, invalid, notFound } from '../../../domain/faults/fault.ts';
import { ProviderUnavailable } from '../../../domain/faults/provider-unavailable.ts';
import { authorizationUrl, redeemCode } from '../../../providers/oauth/grant.ts';
import type { Grantor, OAuthProvider } from '../../../providers/oauth/grantor.ts';
import { OAuthRefused } from '../../../providers/oauth/oauth.ts';
import type { Credentials } from '../../../providers/provider.ts';
import { hashToken } from '../../../secrets/token.ts';
import { findAccess, requirePermission } from '../../identity/access.ts';
import { requireLiveCredential } from '../../identity/live-credential.ts';
import { connectProvider } from '../connect.ts';
import { reconnectIntegration } from '../reconnect.ts';
import { findGrantor, findOAuthProvider, redirectUri } from './apps.ts';
import { type BrowserProof, browserProof, flowOfState, startOfState, stateOf } from './browser-proof.ts';

/** The facts that a person sees before the browser goes to the provider. */
export interface Invited {
  provider: string;
  workspace: { name: string; slug: string };
  /** The email address of the user who started it. */
  startedBy: string;
  /** True if the visitor is that person. */
  isStarter: boolean;
  /** The provider's page. */
  url: string;
  /** The secret for this browser's cookie. */
  browser: string;
}

/**
 * Prepares this browser for the provider, and stores nothing: a mail scanner that opens the link first does not use it
 * up. Only a browser that was prepared may come back. `kept`: the secret that it was given before.
 */
export async function enter(
  context: OptionalContext,
  { token, kept }: { token: string; kept: string | undefined },
): Promise<Invited> {
  const flow = await findOAuthFlowBy(context.store.read, 'link_hash', hashToken(token));
  const workspace = flow && (await findWorkspace(context.store.read, flow.workspace_id));
  if (!flow || !workspace || !isOpen(flow, context.now))
    throw invalid('token', 'does not belong to a link that is still open; start again');
  const provider = findOAuthProvider(context, flow.provider);
  if (!provider) throw notFound('OAuth provider');
  const grantor = await grantorOf(context, flow, provider);
  if (!grantor) throw withoutApp(provider);
  const proof = browserProof(context, flow.id, kept);
  const url = await authorizationUrl(grantor, {
    state: stateOf(context, proof, grantor.app),
    verifier: proof.verifier,
    redirectUri: redirectUri(context, provider.key),
  });
  const starter = starterOf(flow);
  return {
    provider: provider.name,
    workspace,
    startedBy: starter.email,
    isStarter: context.actor?.userId === starter.userId,
    url,
    browser: proof.browser,
  };
}

/** A connection that was made in the browser. */
export interface Finished {
  provider: string;
  integrationId: string;
  workspace: { name: string; slug: string };
}

/**
 * Takes the provider's response from the browser, and connects the integration as the user who started the flow.
 * `kept`: the secret that this browser was given. Throws `Fault` with a reason that the person can read.
 */
export async function finish(
  context: Context,
  { key, query, kept }: { key: string; query: URLSearchParams; kept: string | undefined },
): Promise<Finished> {
  const repeated = ['state', 'code', 'error'].find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) throw invalid(repeated, 'must be given once');
  const state = query.get('state') ?? '';
  const id = flowOfState(state);
  const flow = id === null ? undefined : await findOAuthFlowBy(context.store.read, 'id', id);
  if (!flow || flow.provider !== key || !isOpen(flow, context.now))
    throw invalid('state', 'is unknown, was used before, or has expired; start again');
  const provider = findOAuthProvider(context, key);
  if (!provider) throw notFound('OAuth provider');
  const grantor = await grantorOf(context, flow, provider);
  const proof = browserProof(context, flow.id, kept);
  if (hashToken(proof.start) !== hashToken(startOfState(state)))
    throw invalid('state', 'belongs to another browser; open the link and continue in the same browser');
  if (grantor && hashToken(stateOf(context, proof, grantor.app)) !== hashToken(state))
    throw invalid('state', 'belongs to an OAuth app that was replaced meanwhile; open the link again');
  const redeeming = { ...flow, status: 'redeeming' as const };
  if (!(await context.store.write((tx) => changeOAuthFlow(tx, flow, { status: 'redeeming' }))))
    throw invalid('state', 'was used before; start again');
  try {
    if (!grantor) throw withoutApp(provider);
    const credentials = await redeemed(context, { flow, grantor, query, proof });
    const integrationId = await store(context, { flow: redeeming, provider, credentials });
    const workspace = await findWorkspace(context.store.read, flow.workspace_id);
    return {
      provider: provider.name,
      integrationId,
      workspace: workspace ?? { name: flow.workspace_id, slug: flow.workspace_id },
    };
  } catch (error) {
    const fault = faultOf(error);
    const reason =
      fault?.message ?? 'Something went wrong on the server, and its log says more. Start again.';
    await context.store.write((tx) => changeOAuthFlow(tx, redeeming, { status: 'failed', error: reason }));
    throw fault ?? error;
  }
}

interface Redeeming {
  flow: OAuthFlowRow;
  grantor: Grantor;
  query: URLSearchParams;
  proof: BrowserProof;
}

function redeemed(context: Context, { flow, grantor, query, proof }: Redeeming): Promise<Credentials> {
  const settings = JSON.parse(flow.settings) as Credentials;
  return redeemCode(grantor, {
    query,
    state: stateOf(context, proof, grantor.app),
    verifier: proof.verifier,
    settings,
    redirectUri: redirectUri(context, grantor.provider.key),
  });
}

/**
 * Connects the integration as the user who started the flow, with their current role. The flow ends in the same transaction: a crash leaves
 * no connection that seems to have failed.
 */
async function store(
  context: Context,
  { flow, provider, credentials }: { flow: OAuthFlowRow; provider: OAuthProvider; credentials: Credentials },
): Promise<string> {
  const actor = starterOf(flow);
  const access = await findAccess(context.store.read, actor, flow.workspace_id);
  if (!access) throw new Fault('forbidden', 'The user who started this is no longer in the workspace.');
  requirePermission(access, 'manage_integrations');
  const acting: WorkspaceContext = {
    ...context,
    actor,
    access,
    write: (unit, options) =>
      context.write(async (tx) => {
        const made = await unit(tx);
        const { integration_id } = made as { integration_id: string };
        await changeOAuthFlow(tx, flow, { status: 'connected', integration_id });
        return made;
      }, options),
  };
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

const grantorOf = (context: Context, { workspace_id: workspaceId }: OAuthFlowRow, provider: OAuthProvider) =>
  findGrantor(context, context.store.read, { workspaceId, provider });

const withoutApp = ({ name }: OAuthProvider) =>
  new Fault(
    'unprocessable_entity',
    `The OAuth app of ${name} was removed from the workspace, or can no longer be read. Configure it again.`,
  );

const isOpen = ({ status, expires_at }: OAuthFlowRow, now: Date) =>
  status === 'pending' && expires_at > now.toISOString();

const starterOf = ({ starter }: OAuthFlowRow) => JSON.parse(starter) as Actor;

/** The refusal to show to a person; `null` for a bug. */
function faultOf(error: unknown): Fault | null {
  if (error instanceof Fault) return error;
  if (error instanceof OAuthRefused) return new Fault('unprocessable_entity', `${error.message}.`);
  if (error instanceof ProviderUnavailable)
    return new Fault('service_unavailable', `${error.message}. Nothing was changed; start again.`);
  return null;
}
