import { oneLine } from '../../domain/events/summary/summary.ts';
import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { callApi, retryAfterSeconds } from '../wire/call-api.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { Credentials, ProviderTools } from '../provider.ts';

const NAME = "Slack's API";
const PUBLIC_URL = 'https://slack.com/api';

/** Slack's response to a call. Its status is 200 for every call that Slack understands. `error`: its code, such as `invalid_auth`. */
export type SlackResponse = { ok: true; body: Record<string, unknown> } | { ok: false; error: string };

// The codes for failures of Slack itself.
const TRANSIENT: ReadonlySet<string> = new Set([
  'fatal_error',
  'internal_error',
  'ratelimited',
  'rate_limited',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
]);

/** Calls a method of the Web API with the token of the app. Throws `ProviderUnavailable` for a response that is not Slack's own. */
export async function callSlack(
  { token = '' }: Credentials,
  tools: ProviderTools,
  { method, fields }: { method: string; fields: Record<string, string> },
): Promise<SlackResponse> {
  const base = (tools.apiUrl ?? PUBLIC_URL).replace(/\/+$/, '');
  const response = await callApi(tools, NAME, {
    method: 'POST',
    url: `${base}/${method}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
    ...(tools.apiUrl === undefined ? {} : { trusted: true }),
  });
  const body = isJsonObject(response.body) ? response.body : {};
  if (response.status === 200 && body['ok'] === true) return { ok: true, body };
  const { error } = body;
  if (typeof error !== 'string' || error === '')
    throw new ProviderUnavailable(`${NAME} responded with ${response.status} and did not say why`);
  if (TRANSIENT.has(error)) {
    const seconds = retryAfterSeconds(response.headers, tools.clock());
    throw new ProviderUnavailable(`${NAME} responded with ${oneLine(error)}`, seconds);
  }
  return { ok: false, error: oneLine(error) };
}
