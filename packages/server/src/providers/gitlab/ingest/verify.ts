import { isFresh } from '../../signatures/fresh.ts';
import { hmacSha256, isDigest, isSameSecret } from '../../signatures/hmac.ts';
import type { Credentials, IngestRequest, Verdict } from '../../provider.ts';

// As in Standard Webhooks.
const TOLERANCE_SECONDS = 300;

/** The secret of the webhook, in either mode. */
export const gitlabSecret = ({ signing_token, webhook_secret }: Credentials): string | undefined =>
  signing_token ?? webhook_secret;

/**
 * Reports whether a call comes from GitLab. The credentials decide how it proves that, never the call: GitLab sends an ID and a time
 * with every call, signed or not, and a caller could leave the signature out.
 */
export function verifyGitlab(request: IngestRequest, credentials: Credentials): Verdict {
  const { signing_token: signingToken, webhook_secret: secret } = credentials;
  if (signingToken) return verifySignature(request, signingToken);
  if (!secret) return refuse('the integration has neither signing_token nor webhook_secret');
  const given = request.headers['x-gitlab-token'];
  if (given === undefined) return refuse('no token');
  return isSameSecret(secret, given) ? { ok: true } : refuse('wrong token');
}

function verifySignature({ headers, body, now }: IngestRequest, signingToken: string): Verdict {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures } = headers;
  if (!signatures) return refuse('unsigned');
  if (!id || !isFresh(timestamp, now, TOLERANCE_SECONDS))
    return refuse('the ID is missing, or the timestamp is missing, or too far from the current time');
  const key = Buffer.from(signingToken.slice('whsec_'.length), 'base64');
  const expected = hmacSha256(key, [`${id}.${timestamp}.`, body]);
  // There are several while one token replaces another.
  const isSigned = signatures
    .split(' ')
    .some((each) => each.startsWith('v1,') && isDigest(expected, each.slice('v1,'.length), 'base64'));
  return isSigned ? { ok: true } : refuse('wrong signature');
}

function refuse(reason: string): Verdict {
  return { ok: false, reason };
}
