import { readPointer } from '../../domain/json/json-pointer.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { type OAuth, OAuthRefused } from '../oauth/oauth.ts';
import type { Credentials, ProviderTools } from '../provider.ts';
import { jsonApi } from '../wire/json-api.ts';
import { atlassianUrl } from './api.ts';

/** An OAuth 2.0 (3LO) app of Atlassian. Its tokens last an hour, and refresh tokens rotate. */
export const jiraOAuth: OAuth = {
  appsUrl: 'https://developer.atlassian.com/console/myapps/',
  endpoints: () => ({
    authorization: 'https://auth.atlassian.com/authorize',
    token: 'https://auth.atlassian.com/oauth/token',
  }),
  // Without `offline_access` there is no refresh token.
  scopes: ['read:jira-work', 'write:jira-work', 'read:jira-user', 'manage:jira-webhook', 'offline_access'],
  pkce: false,
  parameters: { audience: 'api.atlassian.com', prompt: 'consent' },
  tokenRequest: 'json',
  async credentials({ access_token: token }, { app, tools, known }) {
    const site =
      known['cloud_id'] === undefined ? await findSite(token, { tools, wanted: known['domain'] }) : {};
    // Jira proves the calls of an app's webhooks with the secret of the app.
    return { ...site, client_secret: app.client_secret };
  },
};

interface Site {
  cloud_id: string;
  domain: string;
}

/** Finds the site that the person opened to the app. A token is valid for all such sites, and each has its own API. */
async function findSite(
  token: string,
  { tools, wanted }: { tools: ProviderTools; wanted: string | undefined },
): Promise<Credentials> {
  const api = jsonApi(tools, {
    name: "Atlassian's API",
    base: atlassianUrl(tools),
    trusted: tools.apiUrl !== undefined,
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    credential: token,
    reason: () => '',
  });
  const { status, body } = await api.call('GET', '/oauth/token/accessible-resources');
  if (status !== 200 || !Array.isArray(body))
    throw new ProviderUnavailable(
      `Atlassian's API responded with ${status} and did not say which sites are open`,
    );
  const sites = new Map(body.flatMap(siteOf).map((site) => [site.cloud_id, site]));
  const fitting = [...sites.values()].filter(({ domain }) => wanted === undefined || domain === wanted);
  const [site, ...others] = fitting;
  const names = [...sites.values()].map(({ domain }) => domain).join(', ');
  if (site === undefined)
    throw new OAuthRefused(
      wanted === undefined
        ? 'Atlassian granted access to no Jira site; choose one on its page'
        : `Atlassian granted access to ${names || 'no Jira site'}, not to ${wanted}; choose that site on its page`,
    );
  if (others.length > 0)
    throw new OAuthRefused(
      `Atlassian granted access to several sites: ${names}. Start again with the domain of one of them`,
    );
  return { ...site };
}

// The same site is listed once for each product, with the scopes there.
function siteOf(resource: unknown): Site[] {
  const id = readPointer(resource, '/id');
  const url = readPointer(resource, '/url');
  const scopes = readPointer(resource, '/scopes');
  const isJira = !Array.isArray(scopes) || scopes.includes('read:jira-work');
  return typeof id === 'string' && typeof url === 'string' && URL.canParse(url) && isJira
    ? [{ cloud_id: id, domain: new URL(url).host }]
    : [];
}
