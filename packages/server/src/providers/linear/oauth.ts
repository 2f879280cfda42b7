import type { OAuth } from '../oauth/oauth.ts';

/** An OAuth application of Linear. Its tokens last a day, and refresh tokens rotate. */
export const linearOAuth: OAuth = {
  appsUrl: 'https://linear.app/settings/api/applications',
  endpoints: () => ({
    authorization: 'https://linear.app/oauth/authorize',
    token: 'https://api.linear.app/oauth/token',
  }),
  // Registering webhooks needs `admin`.
  scopes: ['read', 'write', 'issues:create', 'comments:create', 'admin'],
  scopeSeparator: ',',
  pkce: true,
  parameters: { prompt: 'consent' },
};
