import type { Credentials, IngestRequest, Verdict } from '../../provider.ts';
import { isSignedBy } from '../../signatures/ed25519.ts';
import { isFresh } from '../../signatures/fresh.ts';
import { hmac, isDigest, isSameSecret } from '../../signatures/hmac.ts';
import { verifyBodyJwt } from './body-jwt.ts';
import { headerIn } from './headers.ts';
import { proofName, type Signature, type Verification } from '../definition.ts';
import { keyBytes } from '../secret-key.ts';
import { verifyParameter, verifyUrlToken } from '../url-token.ts';

const TOLERANCE_SECONDS = 300;
// During a rotation, a tool sends two signatures. Hundreds of them are an attack.
const ELEMENTS_MAX = 20;

/** Reports whether a call carries the proof that the rules ask for. */
export function verifyCall(rules: Verification, request: IngestRequest, credentials: Credentials): Verdict {
  if (rules.kind === 'none') return verifyUrlToken(request, credentials);
  const secret = credentials[proofName(rules)];
  if (!secret) return refuse('the integration has no secret');
  switch (rules.kind) {
    case 'url_token':
      return verifyParameter(request.query?.[rules.parameter ?? 'token'], secret);
    case 'basic':
      return verifyBasic(request.headers['authorization'], `${rules.username}:${secret}`);
    default:
      return verifyHeader(rules, request, secret);
  }
}

function verifyBasic(header: string | undefined, expected: string): Verdict {
  if (header === undefined) return refuse('the authorization header is missing');
  const [, base64] = /^Basic +([A-Za-z\d+/]+={0,2})$/i.exec(header) ?? [];
  if (base64 === undefined) return refuse('the authorization header is not basic authentication');
  const given = Buffer.from(base64, 'base64').toString('utf8');
  return isSameSecret(expected, given) ? { ok: true } : refuse('wrong user name or password');
}

type InHeader = Exclude<Verification, { kind: 'none' | 'url_token' | 'basic' }>;

function verifyHeader(rules: InHeader, request: IngestRequest, secret: string): Verdict {
  const name = rules.header.toLowerCase();
  const value = headerIn(request.headers, name);
  if (value === undefined) return refuse(`the ${name} header is missing`);
  const separator = 'separator' in rules ? rules.separator : undefined;
  const given = elements(value, separator, rules.prefix ?? '');
  if (given.length === 0) return refuse(`the ${name} header does not begin with ${rules.prefix}`);
  if (rules.kind === 'token')
    return given.some((each) => isSameSecret(secret, each)) ? { ok: true } : refuse('wrong token');
  if (rules.kind === 'jwt') return verifyBodyJwt(given[0] ?? '', { rules, secret, request });
  return verifySignature(rules, request, { given, secret });
}

function verifySignature(
  rules: Signature,
  request: IngestRequest,
  { given, secret }: { given: readonly string[]; secret: string },
): Verdict {
  const values: Record<string, string | Buffer> = { body: request.body };
  if (rules.timestamp) {
    const { header, prefix, tolerance_seconds: tolerance = TOLERANCE_SECONDS } = rules.timestamp;
    const times = elements(
      headerIn(request.headers, header) ?? '',
      prefix === undefined ? undefined : rules.separator,
      prefix ?? '',
    );
    const [time = ''] = times;
    if (times.length > 1) return refuse('several timestamps');
    if (!isFresh(time, request.now, tolerance))
      return refuse('the timestamp is missing, or too far from the current time');
    values['timestamp'] = time;
  }
  const signed = rules.signed ?? '{body}';
  if (signed.includes('{id}')) {
    const id = rules.id_header === undefined ? undefined : headerIn(request.headers, rules.id_header);
    if (!id) return refuse('the ID that is part of the signature is missing');
    values['id'] = id;
  }
  const parts = signed
    .split(/\{(body|timestamp|id)\}/)
    .map((part, index) => (index % 2 ? (values[part] ?? '') : part));
  return isSignedWith(rules, { parts, given, secret }) ? { ok: true } : refuse('wrong signature');
}

interface Signed {
  parts: readonly (string | Buffer)[];
  given: readonly string[];
  secret: string;
}

function isSignedWith(rules: Signature, { parts, given, secret }: Signed): boolean {
  const encoding = rules.encoding ?? 'hex';
  if (rules.kind === 'ed25519') {
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
    return given.some((each) => isSignedBy(secret, bytes, encoding === 'hex' ? each : base64ToHex(each)));
  }
  const key = keyBytes(rules.key ?? 'text', secret);
  if (key === null) return false;
  const expected = hmac(rules.algorithm ?? 'sha256', key, parts);
  return given.some((each) => isDigest(expected, each, encoding));
}

const base64ToHex = (text: string) => {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes.toString('hex') : '';
};

/** The elements of a header that begin with the prefix, without it. */
function elements(value: string, separator: string | undefined, prefix: string): string[] {
  const all = separator === undefined ? [value] : value.split(separator, ELEMENTS_MAX);
  return all
    .map((element) => (separator === undefined ? element : element.trim()))
    .filter((element) => element.startsWith(prefix))
    .map((element) => element.slice(prefix.length));
}

const refuse = (reason: string): Verdict => ({ ok: false, reason });
