import { readPointer } from '../../domain/json/json-pointer.ts';
import type { OutboundRequest } from '../../outbound/outbound.ts';
import { VERSION } from '../../version.ts';
import { type ApiAnswer, callApi, ownReason } from '../wire/call-api.ts';
import type { Credentials, ProviderTools } from '../provider.ts';

const PUBLIC_URL = 'https://discord.com/api/v10';
// docs.discord.com, "User Agent": clients that call themselves otherwise may be blocked.
const USER_AGENT = `DiscordBot (https://github.com/hubline/hubline, ${VERSION})`;

/** An answer of Discord. */
export interface DiscordAnswer extends Pick<ApiAnswer, 'status' | 'body'> {
  /** Discord's own reason, or why it was not asked. One line, without the secret. */
  message: string;
}

interface DiscordRequest {
  method: OutboundRequest['method'];
  path: string;
  body?: object;
}

/** Calls Discord's API, as the bot where there is one. Throws `ProviderUnavailable` for what is no answer of Discord's own. */
export async function callDiscord(
  { bot_token: token, webhook_url: url }: Credentials,
  tools: ProviderTools,
  { method, path, body }: DiscordRequest,
): Promise<DiscordAnswer> {
  const base = (tools.apiUrl ?? PUBLIC_URL).replace(/\/+$/, '');
  const answer = await callApi(tools, "Discord's API", {
    method,
    url: base + path,
    headers: {
      'user-agent': USER_AGENT,
      ...(token === undefined ? {} : { authorization: `Bot ${token}` }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(tools.apiUrl === undefined ? {} : { trusted: true }),
  });
  const message = readPointer(answer.body, '/message');
  const secret = token ?? url?.split('/').at(-1) ?? '';
  const text = typeof message === 'string' ? ownReason(message, secret) : '';
  return {
    status: answer.status,
    body: answer.body,
    message: answer.status === 0 ? 'blocked address' : text,
  };
}

/** The path of a webhook in the API, which is a secret. */
export function webhookPath(url: string): string {
  const [, path = ''] = /(\/webhooks\/[^/]+\/[^/]+)$/.exec(new URL(url).pathname) ?? [];
  return path;
}
