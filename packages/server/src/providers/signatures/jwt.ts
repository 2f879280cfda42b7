import { readJsonObject } from '../wire/json-body.ts';
import { hmacSha256, isDigest } from './hmac.ts';

// The tolerance for clocks that differ.
const LEEWAY_SECONDS = 60;

/** The claims of a JSON Web Token that is signed with the secret by HS256; `null` for any other. RFC 7515. */
export function claimsOfJwt(token: string, secret: string | Buffer): Record<string, unknown> | null {
  const [header = '', payload = '', signature = '', ...more] = token.split('.', 4);
  if (more.length > 0 || !isDigest(hmacSha256(secret, [`${header}.${payload}`]), base64(signature), 'base64'))
    return null;
  // Read only after the signature was checked, and only HS256: a token must not choose how it is verified.
  return read(header)?.['alg'] === 'HS256' ? read(payload) : null;
}

/** Reports whether a token is valid now, by the times that it names, in Unix seconds. RFC 7519. */
export function isTimely({ exp, iat, nbf }: Record<string, unknown>, now: number): boolean {
  const isPast = (time: unknown) => typeof time === 'number' && time <= now + LEEWAY_SECONDS;
  if ((iat !== undefined && !isPast(iat)) || (nbf !== undefined && !isPast(nbf))) return false;
  return exp === undefined || (typeof exp === 'number' && now <= exp + LEEWAY_SECONDS);
}

function read(part: string): Record<string, unknown> | null {
  const json = readJsonObject(Buffer.from(part, 'base64url'));
  return json.ok ? json.value : null;
}

const base64 = (signature: string) => `${signature.replaceAll('-', '+').replaceAll('_', '/')}=`;
