import type { EndpointInput, OAuthApp as OAuthAppDocument } from '@hubline/contract';
import type { z } from 'zod';
import type { Deps, WorkspaceContext } from '../../../context.ts';
import type { Db } from '../../../db/core/schema.ts';
import {
  deleteOAuthApp,
  findOAuthApp,
  listOAuthApps,
  type OAuthAppRow,
  putOAuthApp,
} from '../../../db/integrations/oauth-apps.ts';
import { invalid, notFound, unprocessable } from '../../../domain/faults/fault.ts';
import type { Grantor, OAuthProvider } from '../../../providers/oauth/grantor.ts';
import type { OAuthApp } from '../../../providers/oauth/oauth.ts';
import type { Provider } from '../../../providers/provider.ts';
import { openIfReadable } from '../../../secrets/vault.ts';
import { audit } from '../../audit-log.ts';
import { inMemory, page } from '../../page.ts';
import { requireAllowedUrl } from '../../webhooks/target-url.ts';
import { toolsFor } from '../provider-tools.ts';

const OPTIONAL_FIELDS = ['signing_secret', 'domain'] as const;

const takesOAuth = (provider: Provider): provider is OAuthProvider => provider.oauth !== undefined;

/** A provider that can be connected with OAuth; `undefined` for any other. */
export function findOAuthProvider({ providers }: Pick<Deps, 'providers'>, key: string) {
  const provider = providers.get(key);
  return provider && takesOAuth(provider) ? provider : undefined;
}

/** The URL to which the provider sends the browser back. Providers compare it exactly. */
export const redirectUri = (context: Pick<Deps, 'publicUrl'>, provider: string) =>
  `${oauthUrl(context, provider)}/callback`;

/** The base of the pages that browsers open for a provider. */
export const oauthUrl = ({ publicUrl }: Pick<Deps, 'publicUrl'>, provider: string) =>
  `${publicUrl()}/v1/integrations/oauth/${provider}`;

export async function list(context: WorkspaceContext, { query }: EndpointInput<'oauth.listApps'>) {
  const stored = await listOAuthApps(context.store.read, context.access.workspaceId);
  return page(context, query, {
    ...inMemory([...context.providers.values()].filter(takesOAuth), ({ key }) => key),
    item: (provider) =>
      shown(
        context,
        provider,
        stored.find((row) => row.provider === provider.key),
      ),
  });
}

export async function configure(context: WorkspaceContext, { body }: EndpointInput<'oauth.configureApp'>) {
  const { provider: key, ...app } = body;
  const provider = findOAuthProvider(context, key);
  if (!provider)
    throw unprocessable(
      'provider',
      'cannot be connected with OAuth; the list of OAuth apps names those that can',
    );
  const refused = OPTIONAL_FIELDS.find(
    (name) => app[name] !== undefined && !provider.oauth.appFields?.includes(name),
  );
  if (refused !== undefined)
    throw invalid(refused, `is not part of an app of ${provider.name}; leave it out`);
  if (app.domain !== undefined) requireAllowedUrl(context, 'domain', provider.oauth.endpoints(app).token);
  const { workspaceId } = context.access;
  return context.write(async (tx) => {
    const before = await findOAuthApp(tx, workspaceId, key);
    const row: OAuthAppRow = {
      workspace_id: workspaceId,
      provider: key,
      app: context.vault.seal(JSON.stringify(app), oauthAppContext(workspaceId, key)),
      updated_at: context.now.toISOString(),
    };
    await putOAuthApp(tx, row);
    await audit(tx, context, {
      workspaceId,
      action: 'oauth_app.configured',
      target: { type: 'oauth_app', id: key, name: provider.name },
      changes: [
        {
          field: 'client_id',
          from: (before && open(context, before)?.client_id) ?? null,
          to: app.client_id,
        },
        { field: 'client_secret', from: before ? '[redacted]' : null, to: '[redacted]' },
      ],
    });
    return shown(context, provider, row);
  });
}

export async function remove(
  context: WorkspaceContext,
  { params: { provider: key } }: EndpointInput<'oauth.removeApp'>,
): Promise<void> {
  const { workspaceId } = context.access;
  await context.write(async (tx) => {
    if (!(await deleteOAuthApp(tx, workspaceId, key))) throw notFound('OAuth app');
    await audit(tx, context, {
      workspaceId,
      action: 'oauth_app.removed',
      target: { type: 'oauth_app', id: key, name: context.providers.get(key)?.name ?? key },
    });
  });
}

/** The OAuth app of a workspace at a provider, with the tools to reach it; `null` if there is none that can be read. */
export async function findGrantor(
  context: Pick<Deps, 'vault' | 'providerHttp' | 'clock' | 'config'>,
  db: Db,
  { workspaceId, provider }: { workspaceId: string; provider: OAuthProvider },
): Promise<Grantor | null> {
  const app = await findApp(context, db, { workspaceId, provider: provider.key });
  return app && grantorOf(context, provider, app);
}

/** An app, with the tools to reach its provider. */
export const grantorOf = (
  context: Pick<Deps, 'providerHttp' | 'clock' | 'config'>,
  provider: OAuthProvider,
  app: OAuthApp,
): Grantor => ({
  provider,
  app,
  tools: toolsFor(context, provider.key),
  origin: context.config.providerOAuthUrls[provider.key],
});

/** The OAuth app of a workspace at a provider; `null` if there is none that can be read. */
export async function findApp(
  context: Pick<Deps, 'vault'>,
  db: Db,
  { workspaceId, provider }: { workspaceId: string; provider: string },
): Promise<OAuthApp | null> {
  const row = await findOAuthApp(db, workspaceId, provider);
  return row ? open(context, row) : null;
}

/** The associated data with which an app is sealed. */
export const oauthAppContext = (workspaceId: string, provider: string) =>
  `workspace:${workspaceId}:oauth-app:${provider}`;

/** A stored app; `null` if it no longer decrypts. It counts as none, so that it can be configured again. */
function open({ vault }: Pick<Deps, 'vault'>, { app, workspace_id, provider }: OAuthAppRow): OAuthApp | null {
  const text = openIfReadable(vault, app, oauthAppContext(workspace_id, provider));
  return text === null ? null : (JSON.parse(text) as OAuthApp);
}

function shown(
  context: WorkspaceContext,
  { key, oauth }: OAuthProvider,
  row: OAuthAppRow | undefined,
): z.output<typeof OAuthAppDocument> {
  const app = row && open(context, row);
  return {
    provider: key,
    configured: app != null,
    client_id: app?.client_id ?? null,
    domain: app?.domain ?? null,
    redirect_uri: redirectUri(context, key),
    scopes: [...oauth.scopes],
    apps_url: oauth.appsUrl,
    fields: ['client_id', 'client_secret', ...(oauth.appFields ?? [])],
    updated_at: row?.updated_at ?? null,
  };
}
