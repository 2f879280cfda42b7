import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import type { ProviderHttpResponse } from '../../outbound/provider-http.ts';
import { call } from '../wire/call-api.ts';
import { isJsonObject, parseJson } from '../wire/json-body.ts';
import type { Grantor } from './grantor.ts';
import { OAuthRefused } from './oauth.ts';

// A hundred years, in seconds: the end of a longer lifetime may be no date.
const LIFETIME_MAX = 3_155_760_000;

interface TokenRequest {
  body: unknown;
  headers: Record<string, string>;
}

/**
 * `fetch` for token requests. It goes through the guarded outbound client, sends the format that the provider wants,
 * and turns the provider's refusals into those of RFC 6749.
 */
export const tokenFetch =
  ({ provider: { name, oauth }, tools, origin }: Pick<Grantor, 'provider' | 'tools' | 'origin'>) =>
  async (url: string, { body, headers }: TokenRequest): Promise<Response> => {
    const form = new URLSearchParams(String(body));
    const isJson = oauth.tokenRequest === 'json';
    const response = await call(tools, name, {
      method: 'POST',
      url,
      headers: {
        ...headers,
        accept: 'application/json',
        'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      },
      body: isJson ? JSON.stringify(Object.fromEntries(form)) : form.toString(),
      ...(origin === undefined ? {} : { trusted: true }),
    });
    if (response === null) throw new OAuthRefused(`${name} points to an address that is not public`);
    return normalized(response, name);
  };

// Slack and GitHub refuse with 200, and Slack's token type is `bot`.
function normalized({ status, body }: ProviderHttpResponse, name: string): Response {
  const json = parseJson(body);
  if (!json.ok || !isJsonObject(json.value))
    throw new ProviderUnavailable(`${name} responded with ${status} and a body that is not JSON`);
  const { error, ...fields } = json.value;
  const headers = { 'content-type': 'application/json' };
  if (status >= 400 || error !== undefined || fields['ok'] === false) {
    const { error_description: description } = fields;
    const refusal = {
      error: typeof error === 'string' ? error : `it responded with ${status}`,
      ...(typeof description === 'string' ? { error_description: description } : {}),
    };
    return Response.json(refusal, { status: status === 401 ? 401 : 400, headers });
  }
  return Response.json({ ...withoutUnreadable(fields), token_type: 'bearer' }, { status, headers });
}

/** Drops optional members that cannot be read: a token may be given once, and must not be lost because of them. */
function withoutUnreadable(fields: Record<string, unknown>): Record<string, unknown> {
  const { expires_in: lifetime, refresh_token: refreshToken, scope, id_token: _, ...others } = fields;
  const seconds = Number.parseFloat(String(lifetime));
  return {
    ...others,
    ...(seconds >= 0 && seconds <= LIFETIME_MAX && { expires_in: seconds }),
    ...(typeof refreshToken === 'string' && refreshToken !== '' && { refresh_token: refreshToken }),
    ...(typeof scope === 'string' && { scope }),
  };
}
