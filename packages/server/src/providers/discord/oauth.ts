import { readPointer } from '../../domain/json/json-pointer.ts';
import { type OAuth, OAuthRefused } from '../oauth/oauth.ts';

/**
 * A Discord application. The person chooses a channel, and the grant is a webhook of that channel. The token is not
 * kept: it would only tell us who that person is.
 */
export const discordOAuth: OAuth = {
  appsUrl: 'https://discord.com/developers/applications',
  endpoints: () => ({
    authorization: 'https://discord.com/oauth2/authorize',
    token: 'https://discord.com/api/oauth2/token',
  }),
  scopes: ['webhook.incoming'],
  pkce: false,
  grants: 'credentials',
  credentials(response) {
    const url = readPointer(response, '/webhook/url');
    if (typeof url !== 'string') throw new OAuthRefused('Discord granted no webhook; choose a channel');
    return { webhook_url: url };
  },
};
