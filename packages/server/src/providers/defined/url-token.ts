import { isSameSecret, randomSecret } from '../signatures/hmac.ts';
import type { Credentials, IngestRequest, SigningCredential, Verdict } from '../provider.ts';

/**
 * The token in the URL of an integration whose calls carry no proof. Without it the URL would be no secret: its only
 * variable part is an ID that lists and webhook calls show.
 */
export const URL_TOKEN: SigningCredential = { name: 'url_token', generate: randomSecret, inUrl: true };

/** The step of the setup for such an integration. One that was connected before there were tokens has none. */
export const openStep = (url: string, { url_token: token }: Credentials): string =>
  token === undefined
    ? `Have the tool POST to ${url}. Nothing proves where a call comes from: members of the workspace and receivers of its webhooks know this URL, too. Reconnect the integration to add a token to it.`
    : `Have the tool POST to ${url}. Keep that URL secret: anyone who knows it can send events.`;

/** Reports whether the URL of a call has the token, if there is one. */
export function verifyUrlToken({ query }: IngestRequest, { url_token: token }: Credentials): Verdict {
  return token === undefined ? { ok: true } : verifyParameter(query?.['token'], token);
}

/** Reports whether a parameter of the URL is the secret. One that came twice is a list. */
export function verifyParameter(given: unknown, secret: string): Verdict {
  if (typeof given !== 'string') return { ok: false, reason: 'the URL has no token, or several' };
  return isSameSecret(secret, given) ? { ok: true } : { ok: false, reason: 'wrong token' };
}
