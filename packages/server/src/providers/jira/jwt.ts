import { readJsonObject } from '../wire/json-body.ts';
import { hmacSha256, isDigest } from '../signatures/hmac.ts';
import type { Verdict } from '../provider.ts';

// Clocks differ, and a token without an end is believed for as long as other signatures are.
const LEEWAY_SECONDS = 60;
const AGE_SECONDS = 300;

/** Reports whether a JSON Web Token is signed with the secret by HS256, and whether it is its time. RFC 7515, RFC 7519. */
export function verifyJwt(token: string, { secret, now }: { secret: string | Buffer; now: Date }): Verdict {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !isDigest(hmacSha256(secret, [`${header}.${payload}`]), base64(signature), 'base64'))
    return refuse('wrong signature');
  // Only after the signature, and no other algorithm: a token must not choose how it is believed.
  if (claimsOf(header)?.['alg'] !== 'HS256') return refuse('not signed by HS256');
  const claims = claimsOf(payload);
  return claims !== null && isTimely(claims, now.getTime() / 1_000)
    ? { ok: true }
    : refuse('expired, or too old');
}

function isTimely({ exp, iat, nbf }: Record<string, unknown>, now: number): boolean {
  const isPast = (time: unknown) => typeof time === 'number' && time <= now + LEEWAY_SECONDS;
  if ((iat !== undefined && !isPast(iat)) || (nbf !== undefined && !isPast(nbf))) return false;
  if (exp !== undefined) return typeof exp === 'number' && now <= exp + LEEWAY_SECONDS;
  return typeof iat === 'number' && now - iat <= AGE_SECONDS;
}

function claimsOf(part: string): Record<string, unknown> | null {
  const json = readJsonObject(Buffer.from(part, 'base64url'));
  return json.ok ? json.value : null;
}

const base64 = (signature: string) => `${signature.replaceAll('-', '+').replaceAll('_', '/')}=`;

const refuse = (reason: string): Verdict => ({ ok: false, reason });
