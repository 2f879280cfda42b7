import { readPointer } from '../../domain/json/json-pointer.ts';
import { summarize } from '../../domain/events/summarize.ts';
import { readCustomBody } from './body.ts';
import { notifyCustom } from './notify.ts';
import { customRuleFaults, customRules, customSource } from './rules.ts';
import { verifyCustom } from './verify.ts';
import { bodyHash, randomSecret } from '../signatures/hmac.ts';
import type { Credentials, IngestRequest, Provider, Received, Setup } from '../provider.ts';
import { receiveSlack, SLACK_HEADERS, verifySlack } from '../slack-compatible.ts';
import { typeName } from '../texts/type-name.ts';

const PLAIN_ID = /^[\x21-\x7e]{1,200}$/;
// Headers that mean "the same delivery again" wherever they are sent.
const COMMON_ID_HEADERS = ['webhook-id', 'idempotency-key'];

/** Any tool that can send a webhook: signed, with a token, or with nothing but its secret URL. */
export const custom: Provider = {
  key: 'custom',
  name: 'Custom webhook',
  description:
    'Events from any tool that can call a URL, signed or not, in JSON, forms, text or Slack message format.',
  repeatable: true,
  signing: (credentials) =>
    customRules(credentials).kind === 'none' ? null : { name: 'secret', generate: randomSecret },
  checkCredentials: customRuleFaults,
  headers,
  targets: ({ notify_url: url }) => (url === undefined ? [] : [{ field: 'credentials.notify_url', url }]),
  verify: verifyCustom,
  receive,
  slack: { headers: () => SLACK_HEADERS, verify: verifySlack, receive: receiveSlack },
  notify: notifyCustom,
  setUp,
};

function headers(credentials: Credentials): string[] {
  const rules = customRules(credentials);
  const names = [
    ...(rules.kind === 'none' ? [] : [rules.header]),
    ...(rules.kind === 'hmac' ? [rules.timestampHeader, rules.idHeader] : []),
    credentials['event_type_header'],
    credentials['delivery_id_header'],
    ...COMMON_ID_HEADERS,
    'content-type',
  ];
  return names.filter((name) => name != null).map((name) => name.toLowerCase());
}

interface Call {
  headers: IngestRequest['headers'];
  value: unknown;
  credentials: Credentials;
}

function receive({ headers, body }: IngestRequest, credentials: Credentials): Received {
  const read = readCustomBody(headers['content-type'], body);
  if (!read.ok) return { kind: 'malformed', issue: read.issue };
  const call = { headers, value: read.value, credentials };
  const type = typeName(configured('event_type', call) ?? '', 'custom');
  return {
    kind: 'event',
    type,
    source: customSource(credentials),
    payload: read.text,
    summary: summarize(type, read.value),
    dedupeKey: dedupeKey(call, body),
  };
}

function dedupeKey(call: Call, body: Buffer): string {
  const id =
    configured('delivery_id', call) ??
    COMMON_ID_HEADERS.map((name) => call.headers[name]).find((value) => value);
  if (id === undefined) return bodyHash(body);
  return PLAIN_ID.test(id) ? id : bodyHash(Buffer.from(id));
}

// The header counts before the pointer: somebody named it on purpose.
function configured(
  what: 'event_type' | 'delivery_id',
  { headers, value, credentials }: Call,
): string | undefined {
  const header = credentials[`${what}_header`];
  const fromHeader = header === undefined ? undefined : headers[header.toLowerCase()]?.trim();
  if (fromHeader) return fromHeader;
  const pointer = credentials[`${what}_pointer`];
  const fromBody = pointer === undefined ? undefined : readPointer(value, pointer);
  return (typeof fromBody === 'string' && fromBody !== '') || typeof fromBody === 'number'
    ? String(fromBody)
    : undefined;
}

function setUp(ingestUrl: string, credentials: Credentials): Setup {
  const rules = customRules(credentials);
  if (rules.kind === 'none') {
    return {
      steps: [
        `Let the tool POST to ${ingestUrl}. Keep that URL secret: whoever knows it can send events.`,
        `Tools that send Slack messages use ${ingestUrl}/slack.`,
      ],
    };
  }
  const proof =
    rules.kind === 'hmac'
      ? `signed with the ingest secret (HMAC-SHA256, in the ${rules.header} header)`
      : `with the ingest secret in the ${rules.header} header`;
  return {
    steps: [
      `Let the tool POST to ${ingestUrl}, ${proof}.`,
      `Tools that send Slack messages use ${ingestUrl}/slack?token= followed by the ingest secret.`,
    ],
  };
}
