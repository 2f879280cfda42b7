import type { OAuth } from '../oauth/oauth.ts';

/** An OAuth app of GitHub. Its tokens last until somebody revokes them. */
export const githubOAuth: OAuth = {
  appsUrl: 'https://github.com/settings/developers',
  endpoints: ({ domain = 'github.com' }) => ({
    authorization: `https://${domain}/login/oauth/authorize`,
    token: `https://${domain}/login/oauth/access_token`,
  }),
  scopes: ['repo', 'admin:repo_hook', 'admin:org_hook', 'read:user'],
  pkce: true,
  appFields: ['domain'],
  credentials: (_, { app: { domain } }) => (domain === undefined ? {} : { domain }),
};
