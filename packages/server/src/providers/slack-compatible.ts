import { firstText, firstTime } from '../domain/events/reading.ts';
import { EMPTY_SUMMARY, type EventSummary, type Severity } from '../domain/events/summary/summary.ts';
import { customRules, customSource } from './custom/ingest/rules.ts';
import { fieldOf, isFormType } from './wire/form-body.ts';
import { bodyHash, isSameSecret } from './signatures/hmac.ts';
import { decodeUtf8, isJsonObject, parseJson } from './wire/json-body.ts';
import { list, nestedText, plain } from './texts/slack-text.ts';
import type { Credentials, Received, IngestRequest, Verdict } from './provider.ts';

/** The headers of a Slack-style message that are read. */
export const SLACK_HEADERS = ['authorization', 'content-type'];

/**
 * Reports whether a Slack-style sender may write to a custom integration. Such senders cannot sign: all they have is a URL, as with
 * Slack's own incoming webhooks. So the URL carries the secret, as `?token=`, as the password in front of the host (which
 * clients send as Basic), or as a Bearer token. With verification `none` that secret is the token of the ingest URL, which an
 * integration from before there were tokens does not have.
 */
export function verifySlack(request: IngestRequest, credentials: Credentials): Verdict {
  const isOpen = customRules(credentials).kind === 'none';
  const secret = credentials[isOpen ? 'url_token' : 'secret'];
  if (isOpen && secret === undefined) return { ok: true };
  if (!secret) return { ok: false, reason: 'the integration has no secret' };
  const given = request.query?.['token'] ?? authorizationSecret(request.headers['authorization'] ?? '');
  if (typeof given !== 'string') return { ok: false, reason: 'no token' };
  return isSameSecret(secret, given) ? { ok: true } : { ok: false, reason: 'wrong token' };
}

function authorizationSecret(authorization: string): string | undefined {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
  return password;
}

/** Turns the body of a Slack incoming webhook, JSON or a form's `payload`, into a `message` event. */
export function receiveSlack({ headers, body, now }: IngestRequest, credentials: Credentials): Received {
  const text = decodeUtf8(body);
  if (text === null) return { kind: 'malformed', issue: 'is not UTF-8' };
  const isForm = isFormType(headers['content-type']) && !/^\s*\{/.test(text);
  const message = isForm ? fieldOf(text, 'payload') : text;
  if (message === undefined) return { kind: 'malformed', issue: 'is a form without a payload field' };
  const json = parseJson(message);
  if (!json.ok) return { kind: 'malformed', issue: json.issue };
  if (!isJsonObject(json.value)) return { kind: 'malformed', issue: 'is not a JSON object' };
  const summary = summarize(json.value);
  if (summary === null) return { kind: 'malformed', issue: 'has no text, blocks or attachments' };
  return {
    kind: 'event',
    type: 'message',
    source: customSource(credentials),
    payload: json.text,
    summary,
    // Messages have no ID, and the same words twice are two messages, unless they come at the same moment.
    dedupeKey: `${now.toISOString()} ${bodyHash(body)}`,
  };
}

// Senders express severity by Slack's named attachment colors.
const COLORS = new Map<string, Severity>([
  ['danger', 'high'],
  ['warning', 'medium'],
]);

function summarize(message: Record<string, unknown>): EventSummary | null {
  const isSaid =
    (typeof message['text'] === 'string' && message['text'] !== '') ||
    list(message['blocks']).length > 0 ||
    list(message['attachments']).length > 0;
  if (!isSaid) return null;
  const text = firstText(message, ['/text']) ?? nestedText(message);
  const username = firstText(message, ['/username', '/attachments/0/author_name']);
  const channel = firstText(message, ['/channel']);
  const color = firstText(message, ['/attachments/0/color']);
  return {
    ...EMPTY_SUMMARY,
    actor: username === null ? null : { id: null, name: username },
    container: channel === null ? null : { kind: 'channel', id: channel, name: channel, url: null },
    text: text === null ? null : plain(text),
    severity: COLORS.get(color ?? '') ?? 'none',
    occurred_at: firstTime(message, ['/attachments/0/ts']),
  };
}
