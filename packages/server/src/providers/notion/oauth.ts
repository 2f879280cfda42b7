import type { OAuth } from '../oauth/oauth.ts';
import type { Credentials } from '../tools.ts';

/**
 * A public integration of Notion. Its tokens last until somebody removes the connection; instead of granting scopes,
 * the person chooses pages.
 */
export const notionOAuth: OAuth = {
  appsUrl: 'https://www.notion.so/profile/integrations',
  endpoints: () => ({
    authorization: 'https://api.notion.com/v1/oauth/authorize',
    token: 'https://api.notion.com/v1/oauth/token',
  }),
  scopes: [],
  pkce: false,
  parameters: { owner: 'user' },
  clientAuthentication: 'basic',
  tokenRequest: 'json',
  // The bot that comments with the token; a server that does not check credentials learns it only here.
  credentials: ({ bot_id: id }): Credentials => (typeof id === 'string' ? { bot_id: id } : {}),
};
