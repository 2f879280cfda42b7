import type { ConnectedIntegration, IntegrationConfig, OAuthFlow } from '@hubline/contract/types';
import { openBrowser } from '../../client/dashboard.ts';
import { isOutage, pollPause } from '../../client/follow-list.ts';
import type { Context } from '../../context.ts';
import { CommandError } from '../../errors/errors.ts';

const FIRST_PAUSE_MS = 500;

/** A connection that is made in the browser. */
interface Wanted {
  provider: string;
  /** Credentials that are not secrets. */
  settings: Record<string, string>;
  config: IntegrationConfig;
}

/** Sends a person to the browser, waits for the decision, and returns the connected integration. */
export async function connectByOAuth(
  ctx: Context,
  { provider, settings, config }: Wanted,
): Promise<ConnectedIntegration> {
  const client = await ctx.client();
  const workspace = await ctx.workspace();
  const { url, flow_id } = await client.oauth.start(
    provider,
    { workspace_id: workspace, settings },
    ctx.request,
  );
  const isOpen =
    ctx.interactive &&
    (await ctx.perform(`open ${url} in the browser`, () => openBrowser(url, ctx.env))) === null;
  await ctx.report(
    isOpen
      ? `Waiting for your decision in the browser. If no page has opened: ${url}`
      : `Open this link in a browser within 15 minutes: ${url}`,
  );
  const { status, integration_id: id, error } = await decided(ctx, workspace, flow_id);
  if (status !== 'connected' || id === null) {
    throw new CommandError(
      'check_failed',
      error ?? `${provider} was not connected.`,
      'Check the app with: hubline provider apps',
    );
  }
  return Object.keys(config).length > 0
    ? client.integrations.update(id, { config }, ctx.request)
    : client.integrations.get(id, { signal: ctx.signal });
}

/** The flow, once it is no longer pending. */
async function decided(ctx: Context, workspace: string, flowId: string): Promise<OAuthFlow> {
  const client = await ctx.client();
  const pause = pollPause(ctx.signal, FIRST_PAUSE_MS);
  for (;;) {
    const flow = await client.oauth
      .get(workspace, flowId, { signal: ctx.signal })
      .catch(async (error: unknown) => {
        // A server that is restarted meanwhile still knows the flow.
        if (!ctx.signal.aborted && (await isOutage(error))) return undefined;
        throw error;
      });
    if (flow && flow.status !== 'pending') return flow;
    await pause(false);
  }
}
