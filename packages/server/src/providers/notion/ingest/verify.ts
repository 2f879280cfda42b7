import { verificationTokenOf } from './handshake.ts';
import { hmacSha256, isDigest } from '../../signatures/hmac.ts';
import type { Credentials, IngestRequest, Verdict } from '../../provider.ts';

/**
 * Reports whether a call is signed with the verification token. The call that brings the token is unsigned, and accepted
 * only while there is none: otherwise anybody could replace it.
 */
export function verifyNotionCall({ headers, body }: IngestRequest, credentials: Credentials): Verdict {
  const key = credentials['verification_token'];
  if (key === undefined) {
    return verificationTokenOf(body) === null
      ? { ok: false, reason: 'the integration waits for its verification token' }
      : { ok: true };
  }
  const header = headers['x-notion-signature'] ?? '';
  const given = header.startsWith('sha256=') ? header.slice('sha256='.length) : '';
  return key !== '' && isDigest(hmacSha256(key, [body]), given, 'hex')
    ? { ok: true }
    : { ok: false, reason: 'wrong signature' };
}
