import { claimsOfJwt, isTimely } from '../../signatures/jwt.ts';
import type { Verdict } from '../../provider.ts';

// A token without an expiry is accepted for as long as other signatures.
const AGE_SECONDS = 300;

/** Reports whether a JSON Web Token is signed with the secret by HS256, and is valid now. RFC 7519. */
export function verifyJwt(token: string, { secret, now }: { secret: string | Buffer; now: Date }): Verdict {
  const claims = claimsOfJwt(token, secret);
  if (claims === null) return refuse('wrong signature, or not signed by HS256');
  const seconds = now.getTime() / 1_000;
  return isTimely(claims, seconds) && isLimited(claims, seconds)
    ? { ok: true }
    : refuse('expired, or too old');
}

const isLimited = ({ exp, iat }: Record<string, unknown>, now: number) =>
  exp !== undefined || (typeof iat === 'number' && now - iat <= AGE_SECONDS);

const refuse = (reason: string): Verdict => ({ ok: false, reason });
