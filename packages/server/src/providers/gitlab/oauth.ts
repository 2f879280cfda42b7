import type { OAuth } from '../oauth/oauth.ts';

/** An application of GitLab. Its tokens last two hours, and refresh tokens rotate. */
export const gitlabOAuth: OAuth = {
  appsUrl: 'https://gitlab.com/-/user_settings/applications',
  endpoints: ({ domain = 'gitlab.com' }) => ({
    authorization: `https://${domain}/oauth/authorize`,
    token: `https://${domain}/oauth/token`,
  }),
  // Registering webhooks needs access to the whole API.
  scopes: ['api'],
  pkce: true,
  appFields: ['domain'],
  credentials: (_, { app: { domain } }) => (domain === undefined ? {} : { domain }),
};
