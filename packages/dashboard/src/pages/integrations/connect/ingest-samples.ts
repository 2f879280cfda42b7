import { hexKeyOf, quoted } from '../../../components/code/shell-samples.ts';

/** Escapes a text for double quotes in a shell, so that nothing in it is expanded. */
const literal = (text: string): string => text.replaceAll(/["$\\`]/g, String.raw`\$&`);

/** The header of a signature, and the text that is signed. */
interface Signing {
  readonly header: string;
  readonly prefix: string;
  readonly base64: boolean;
  /** A text with `{body}`, `{timestamp}` and `{id}`. */
  readonly signed: string;
  readonly timestampHeader?: string | undefined;
  readonly idHeader?: string | undefined;
  /** A secret that begins with `whsec_` is base64 of the key. */
  readonly whsec?: boolean;
}

const SIGNINGS: Readonly<Record<string, Signing>> = {
  'github-style': { header: 'X-Hub-Signature-256', prefix: 'sha256=', base64: false, signed: '{body}' },
  'standard-webhooks': {
    header: 'webhook-signature',
    prefix: 'v1,',
    base64: true,
    signed: '{id}.{timestamp}.{body}',
    timestampHeader: 'webhook-timestamp',
    idHeader: 'webhook-id',
    whsec: true,
  },
  'slack-style': {
    header: 'X-Slack-Signature',
    prefix: 'v0=',
    base64: false,
    signed: 'v0:{timestamp}:{body}',
    timestampHeader: 'X-Slack-Request-Timestamp',
  },
};

const BODY = `body='{"title":"Build 7 passed","status":"passed"}'`;
const SECRET = "secret='…' # the ingest secret";
const JSON_TYPE = "-H 'Content-Type: application/json'";

/** The signed text, with variables of the shell in place of the server's placeholders. */
const signedText = (signed: string): string =>
  signed
    .split(/(\{(?:body|timestamp|id)\})/)
    .map((part, at) => (at % 2 ? `$${part}` : literal(part)))
    .join('');

/** A call that sends a test event, signed with openssl. */
function signedCall(url: string, signing: Signing): string {
  const { header, prefix, base64, signed, timestampHeader, idHeader, whsec } = signing;
  const id = signed.includes('{id}') ? idHeader : undefined;
  const hmac = `openssl dgst -sha256 ${whsec ? '-mac HMAC -macopt "hexkey:$key"' : '-hmac "$secret"'}`;
  const encoded = base64 ? `${hmac} -binary | openssl base64 -A` : `${hmac} -r | cut -d ' ' -f 1`;
  const lines = [
    SECRET,
    BODY,
    ...(whsec ? [hexKeyOf('secret')] : []),
    ...(id === undefined ? [] : ['id=$(openssl rand -hex 8)']),
    ...(timestampHeader === undefined ? [] : ['timestamp=$(date +%s)']),
    `signature=$(printf %s "${signedText(signed)}" | ${encoded})`,
  ];
  const call = [
    `curl ${quoted(url)}`,
    JSON_TYPE,
    ...(id === undefined ? [] : [`-H "${literal(id)}: $id"`]),
    ...(timestampHeader === undefined ? [] : [`-H "${literal(timestampHeader)}: $timestamp"`]),
    `-H "${literal(header)}: ${literal(prefix)}$signature"`,
    '--data-binary "$body"',
  ];
  return `${lines.join('\n')}\n\n${call.join(' \\\n  ')}`;
}

const tokenCall = (url: string, header: string, prefix: string): string => `${SECRET}

curl ${quoted(url)} \\
  ${JSON_TYPE} \\
  -H "${literal(header)}: ${literal(prefix)}$secret" \\
  --data-binary '{"title":"Build 7 passed","status":"passed"}'`;

const plainCall = (url: string): string => `curl ${quoted(url)} \\
  ${JSON_TYPE} \\
  --data-binary '{"title":"Build 7 passed","status":"passed"}'`;

/** Reports whether the token of an ingest URL is its only proof. */
export const hasToken = (url: string): boolean => url.includes('?token=');

/** The URL for messages in the format of Slack. A token of the ingest URL stays at its end. */
export const slackUrl = (url: string): string => url.replace(/(?=\?|$)/, '/slack');

const slackCall = (url: string, token: boolean): string =>
  token
    ? `${SECRET}

curl ${quoted(`${slackUrl(url)}?token=`)}"$secret" \\
  ${JSON_TYPE} \\
  --data-binary '{"text":"Build 7 passed"}'`
    : `curl ${quoted(slackUrl(url))} \\
  ${JSON_TYPE} \\
  --data-binary '{"text":"Build 7 passed"}'`;

/** The credentials of a new custom integration. */
type Credentials = Readonly<Record<string, string>>;

/**
 * Samples that send a test event to a custom integration with these credentials; without them, in each of the usual ways. With the
 * secret, which is known only once, they work as they are.
 */
export function ingestSamples(
  url: string,
  credentials?: Credentials,
  secret?: string,
): Readonly<Record<string, string>> {
  const samples = samplesOf(url, credentials);
  if (secret === undefined) return samples;
  const filled = (text: string): string => text.replace(SECRET, () => `secret=${quoted(secret)}`);
  return Object.fromEntries(Object.entries(samples).map(([name, text]) => [name, filled(text)]));
}

function samplesOf(url: string, credentials: Credentials | undefined): Readonly<Record<string, string>> {
  if (hasToken(url)) return { 'Test event': plainCall(url), 'Slack message': slackCall(url, false) };
  if (!credentials) {
    return {
      Signed: signedCall(url, signing({ preset: 'github-style' })),
      Token: tokenCall(url, 'Authorization', 'Bearer '),
      'URL only': plainCall(url),
      'Slack message': slackCall(url, true),
    };
  }
  const way = credentials['preset'] ?? credentials['verification'];
  const header = credentials['header'];
  const test =
    way === 'token' || way === 'shared-token'
      ? tokenCall(url, header ?? 'Authorization', credentials['prefix'] ?? (header ? '' : 'Bearer '))
      : signedCall(url, signing(credentials));
  return { 'Test event': test, 'Slack message': slackCall(url, true) };
}

/** The signing rules of the server. A custom header has no prefix unless one is given. */
function signing(credentials: Credentials): Signing {
  const { preset, header, prefix, digest, signed } = credentials;
  const base = SIGNINGS[preset ?? ''];
  if (base) return base;
  return {
    header: header ?? 'X-Hub-Signature-256',
    prefix: prefix ?? (header === undefined ? 'sha256=' : ''),
    base64: digest === 'base64',
    signed: signed ?? '{body}',
    timestampHeader: credentials['timestamp_header'],
    idHeader: credentials['delivery_id_header'],
  };
}
