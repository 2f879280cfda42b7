import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';

/** The response to a request. */
export type AcmeResponse = { status: number; body?: unknown; headers?: Record<string, string> };

/** A request with a valid envelope. */
export interface Call {
  /** The URL of the account; `null` for a new one. */
  kid: string | null;
  jwk: JsonWebKey;
  /** True for POST-as-GET. */
  isRead: boolean;
  payload: Record<string, unknown>;
}

interface Envelopes {
  keyOf: (account: string) => JsonWebKey | undefined;
  /** Reports whether a nonce was issued and is still unused. */
  takeNonce: (nonce: string) => boolean;
}

interface Header {
  alg?: string;
  nonce?: string;
  url?: string;
  kid?: string;
  jwk?: JsonWebKey;
}

export const PROBLEM = 'urn:ietf:params:acme:error:';

export const problem = (status: number, type: string, detail: string): AcmeResponse => ({
  status,
  body: { type: `${PROBLEM}${type}`, detail },
});

/** Checks the envelope of a request (RFC 8555, 6.2 to 6.5). */
export function openEnvelope(
  text: string,
  url: string,
  { keyOf, takeNonce }: Envelopes,
): AcmeResponse | Call {
  const { protected: head = '', payload = '', signature = '' } = JSON.parse(text) as Record<string, string>;
  const header = JSON.parse(decoded(head)) as Header;
  if (header.alg !== 'ES256') return problem(400, 'badSignatureAlgorithm', 'ES256 only');
  if (header.url !== url) return problem(403, 'unauthorized', 'the URL was not signed');
  const isNew = new URL(url).pathname === '/newAccount';
  if (isNew !== (header.jwk !== undefined) || isNew === (header.kid !== undefined))
    return problem(400, 'malformed', 'jwk for a new account, kid for all else');
  if (!takeNonce(header.nonce ?? ''))
    return problem(400, 'badNonce', 'the nonce is not one of ours, or was used');
  const jwk = header.jwk ?? keyOf(header.kid ?? '');
  if (jwk === undefined) return problem(400, 'accountDoesNotExist', 'no such account');
  const key = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
  if (!verify('sha256', Buffer.from(`${head}.${payload}`), key, Buffer.from(signature, 'base64url')))
    return problem(403, 'unauthorized', 'the signature is wrong');
  const content = payload === '' ? '{}' : decoded(payload);
  return {
    kid: header.kid ?? null,
    jwk,
    isRead: payload === '',
    payload: JSON.parse(content) as Record<string, unknown>,
  };
}

const decoded = (text: string): string => Buffer.from(text, 'base64url').toString();
