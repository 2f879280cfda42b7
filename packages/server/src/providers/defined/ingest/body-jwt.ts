import { createHash } from 'node:crypto';
import type { IngestRequest, Verdict } from '../../provider.ts';
import { isSameSecret } from '../../signatures/hmac.ts';
import { claimsOfJwt, isTimely } from '../../signatures/jwt.ts';
import type { Verification } from '../definition.ts';

/**
 * Reports whether a JSON Web Token is signed with the secret and contains the hash of the body. The token needs no
 * time, and Netlify's has none: it is valid for this body only.
 */
export function verifyBodyJwt(
  token: string,
  {
    rules,
    secret,
    request,
  }: { rules: Verification & { kind: 'jwt' }; secret: string; request: IngestRequest },
): Verdict {
  const claims = claimsOfJwt(token, secret);
  if (claims === null) return refuse('wrong signature');
  if (rules.issuer !== undefined && claims['iss'] !== rules.issuer) return refuse('wrong issuer');
  if (!isTimely(claims, request.now.getTime() / 1_000)) return refuse('the token is expired, or too old');
  const named = Object.hasOwn(claims, rules.body_claim) ? claims[rules.body_claim] : undefined;
  const hash = createHash('sha256').update(request.body).digest('hex');
  return typeof named === 'string' && isSameSecret(hash, named.toLowerCase())
    ? { ok: true }
    : refuse('the token is for another body');
}

const refuse = (reason: string): Verdict => ({ ok: false, reason });
