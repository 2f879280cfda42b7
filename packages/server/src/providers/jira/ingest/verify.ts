import { hmacSha256, isDigest } from '../../signatures/hmac.ts';
import type { Credentials, IngestRequest, Verdict } from '../../provider.ts';
import { verifyJwt } from './jwt.ts';

/** The secret of the webhook, in either mode. */
export const jiraSecret = ({ client_secret, webhook_secret }: Credentials): string | undefined =>
  client_secret ?? webhook_secret;

/**
 * Reports whether a call comes from Jira. The credentials decide how it proves that, never the call: the webhooks of an
 * administrator sign the body, those of an app carry a token that is signed with the app's secret.
 */
export function verifyJira({ headers, body, now }: IngestRequest, credentials: Credentials): Verdict {
  const { client_secret: clientSecret, webhook_secret: secret } = credentials;
  if (clientSecret) {
    const [, token] = /^Bearer +(\S+)$/i.exec(headers['authorization'] ?? '') ?? [];
    return token === undefined ? refuse('no bearer token') : verifyJwt(token, { secret: clientSecret, now });
  }
  if (!secret) return refuse('the integration has neither webhook_secret nor client_secret');
  const header = headers['x-hub-signature'];
  if (header === undefined) return refuse('unsigned');
  const given = header.startsWith('sha256=') ? header.slice('sha256='.length) : '';
  return isDigest(hmacSha256(secret, [body]), given, 'hex') ? { ok: true } : refuse('wrong signature');
}

const refuse = (reason: string): Verdict => ({ ok: false, reason });
