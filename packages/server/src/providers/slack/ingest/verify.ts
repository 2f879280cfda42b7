import { isFresh } from '../../signatures/fresh.ts';
import { hmacSha256, isDigest } from '../../signatures/hmac.ts';
import type { Credentials, IngestRequest, Verdict } from '../../provider.ts';

// docs.slack.dev, "Verifying requests from Slack".
const TOLERANCE_SECONDS = 300;
const VERSION = 'v0';

/** Reports whether a call was signed with the app's signing secret, and recently. */
export function verifySlackCall({ headers, body, now }: IngestRequest, credentials: Credentials): Verdict {
  const secret = credentials['signing_secret'];
  if (!secret) return { ok: false, reason: 'the integration has no signing_secret' };
  const timestamp = headers['x-slack-request-timestamp'] ?? '';
  if (!isFresh(timestamp, now, TOLERANCE_SECONDS))
    return { ok: false, reason: 'the timestamp is missing, or too far from the current time' };
  const signature = headers['x-slack-signature'] ?? '';
  const given = signature.startsWith(`${VERSION}=`) ? signature.slice(VERSION.length + 1) : '';
  return isDigest(hmacSha256(secret, [`${VERSION}:${timestamp}:`, body]), given, 'hex')
    ? { ok: true }
    : { ok: false, reason: 'wrong signature' };
}
