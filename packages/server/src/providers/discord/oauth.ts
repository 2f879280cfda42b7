import { readPointer } from '../../domain/json/json-pointer.ts';
import { type OAuth, OAuthRefused } from '../oauth/oauth.ts';

/**
 * An application of Discord. The person chooses a channel, and the grant is its webhook; the token would only let us see that
 * person.
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
  credentials(answer) {
    const url = readPointer(answer, '/webhook/url');
    if (typeof url !== 'string') throw new OAuthRefused('Discord granted no webhook; choose a channel');
    return { webhook_url: url };
  },
};
