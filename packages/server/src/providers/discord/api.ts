import { readPointer } from '../../domain/json/json-pointer.ts';
import { VERSION } from '../../assets/version.ts';
import type { Credentials, ProviderTools } from '../provider.ts';
import { type JsonApi, jsonApi } from '../wire/json-api.ts';

const PUBLIC_URL = 'https://discord.com/api/v10';
// docs.discord.com, "User Agent": clients with another user agent may be blocked.
const USER_AGENT = `DiscordBot (https://github.com/hubline/hubline, ${VERSION})`;

/** Discord's API, called as the bot when the credentials have its token. */
export function discordApi(
  { bot_token: token, webhook_url: url }: Credentials,
  tools: ProviderTools,
): JsonApi {
  return jsonApi(tools, {
    name: "Discord's API",
    base: tools.apiUrl ?? PUBLIC_URL,
    trusted: tools.apiUrl !== undefined,
    headers: {
      'user-agent': USER_AGENT,
      ...(token === undefined ? {} : { authorization: `Bot ${token}` }),
    },
    credential: token ?? url?.split('/').at(-1) ?? '',
    reason(body) {
      const message = readPointer(body, '/message');
      return typeof message === 'string' ? message : '';
    },
  });
}

/** The path of a webhook in the API, which is a secret. */
export function webhookPath(url: string): string {
  const [, path = ''] = /(\/webhooks\/[^/]+\/[^/]+)$/.exec(new URL(url).pathname) ?? [];
  return path;
}
