import { type CustomRules, customRules } from './rules.ts';
import { isFresh } from '../signatures/fresh.ts';
import { hmacSha256, isDigest, isSameSecret } from '../signatures/hmac.ts';
import type { Credentials, IngestRequest, Verdict } from '../provider.ts';

/** Reports whether a call follows the rules of its custom integration. */
export function verifyCustom(request: IngestRequest, credentials: Credentials): Verdict {
  const rules = customRules(credentials);
  if (rules.kind === 'none') return { ok: true };
  const { secret } = credentials;
  if (!secret) return refuse('the integration has no secret');
  const header = request.headers[rules.header];
  if (header === undefined) return refuse(`the ${rules.header} header is missing`);
  return rules.kind === 'token'
    ? verifyToken(header, rules.prefix, secret)
    : verifySignature(request, { rules, header, secret });
}

function verifyToken(header: string, prefix: string, secret: string): Verdict {
  return header.startsWith(prefix) && isSameSecret(secret, header.slice(prefix.length))
    ? { ok: true }
    : refuse('wrong token');
}

interface Signed {
  rules: CustomRules & { kind: 'hmac' };
  header: string;
  secret: string;
}

function verifySignature(request: IngestRequest, { rules, header, secret }: Signed): Verdict {
  const values: Record<string, string | Buffer> = { body: request.body };
  if (rules.timestampHeader !== null) {
    const timestamp = request.headers[rules.timestampHeader] ?? '';
    if (!isFresh(timestamp, request.now, rules.toleranceSeconds))
      return refuse('the timestamp is missing or too far off');
    values['timestamp'] = timestamp;
  }
  if (rules.signed.includes('{id}')) {
    const id = rules.idHeader === null ? undefined : request.headers[rules.idHeader];
    if (!id) return refuse('the id that is part of the signature is missing');
    values['id'] = id;
  }
  const parts = rules.signed
    .split(/\{(body|timestamp|id)\}/)
    .map((part, index) => (index % 2 ? (values[part] ?? '') : part));
  const expected = hmacSha256(rules.whsec ? standardKey(secret) : secret, parts);
  const given = rules.several ? header.split(' ') : [header];
  const matches = given.some(
    (signature) =>
      signature.startsWith(rules.prefix) &&
      isDigest(expected, signature.slice(rules.prefix.length), rules.digest),
  );
  return matches ? { ok: true } : refuse('wrong signature');
}

// Standard Webhooks: the key is what the base64 stands for. A secret of another form is its own bytes.
function standardKey(secret: string): string | Buffer {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  return base64 === undefined ? secret : Buffer.from(base64, 'base64');
}

function refuse(reason: string): Verdict {
  return { ok: false, reason };
}
