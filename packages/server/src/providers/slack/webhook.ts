import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { oneLine } from '../../domain/events/summary/summary.ts';
import type { ProviderHttpRequest } from '../../outbound/provider-http.ts';
import { call } from '../wire/call-api.ts';
import type { ProviderTools } from '../provider.ts';

const NAME = "Slack's incoming webhook";
const PUBLIC_HOST = 'hooks.slack.com';

/** Slack's response to a message to an incoming webhook. `error`: its code, such as `no_service`. */
export type WebhookResponse = { ok: true } | { ok: false; error: string };

/** Sends JSON to an incoming webhook. Throws `ProviderUnavailable` for a response that is not Slack's own. */
export async function callWebhook(
  url: string,
  tools: ProviderTools,
  message: object,
): Promise<WebhookResponse> {
  const response = await call(tools, NAME, {
    method: 'POST',
    ...targetOf(url, tools),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  });
  if (response === null) return { ok: false, error: 'blocked address' };
  const { status, body } = response;
  if (status === 200 && body === 'ok') return { ok: true };
  // Slack's errors are one word each: anything else comes from a proxy or the like.
  if (status < 400 || !/^\w{1,100}$/.test(body))
    throw new ProviderUnavailable(`${NAME} responded with ${status} and a body that is not Slack's`);
  return { ok: false, error: oneLine(body) };
}

/** The URL to call for a webhook. The operator's base URL, if there is one, replaces Slack's. */
function targetOf(url: string, { apiUrl }: ProviderTools): Pick<ProviderHttpRequest, 'url' | 'trusted'> {
  const { host, pathname } = new URL(url);
  return apiUrl === undefined || host !== PUBLIC_HOST
    ? { url }
    : { url: new URL(pathname, apiUrl).href, trusted: true };
}
