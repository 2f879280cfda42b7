import type { ProviderHttp, ProviderHttpRequest, ProviderHttpResponse } from '../outbound/provider-http.ts';
import { DOMAIN } from './cast.ts';

/** Marks a credential of the seeded workspace: requests with it never leave this process. */
export const TOKEN = 'fernhill-example';

/** A channel that Slack does not know: an automation that posts to it fails. */
export const UNKNOWN_CHANNEL = '#incidents-eu';

/** The response to a request to a tool of the seeded workspace; `null` for any other request. */
export function respondAsTool({
  url,
  headers = {},
  body = '',
}: ProviderHttpRequest): ProviderHttpResponse | null {
  const { hostname } = new URL(url);
  const isOurs = hostname.endsWith(`.${DOMAIN}`);
  if (!isOurs && !Object.values(headers).some((value) => value.includes(TOKEN))) return null;
  if (hostname !== 'slack.com') return json({ ok: true });
  const channel = new URLSearchParams(body).get('channel');
  return json(
    channel === UNKNOWN_CHANNEL ? { ok: false, error: 'channel_not_found' } : { ok: true, channel },
  );
}

/** Simulates the tools of a seeded workspace, and sends all other requests out. */
export const withSimulatedTools =
  (outside: ProviderHttp): ProviderHttp =>
  async (request) =>
    respondAsTool(request) ?? outside(request);

const json = (value: object): ProviderHttpResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
