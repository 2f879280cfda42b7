import { readPointer } from '../../../domain/json/json-pointer.ts';
import { isOwnMessage } from './own.ts';
import { eventName, slackType } from './events.ts';
import { summarizeSlack } from './summary.ts';
import { isFormType, readForm } from '../../wire/form-body.ts';
import { bodyHash } from '../../signatures/hmac.ts';
import { decodeUtf8, isJsonObject, type ParsedJson, parseJson } from '../../wire/json-body.ts';
import type { IngestRequest, Received } from '../../provider.ts';

const EVENT_ID = /^\w{1,100}$/;

/** Reads an event, an interaction or a slash command of Slack. */
export function receiveSlackCall({ headers, body }: IngestRequest): Received {
  const json = readBody(headers['content-type'], body);
  if (!json.ok) return { kind: 'malformed', issue: json.issue };
  if (!isJsonObject(json.value)) return { kind: 'malformed', issue: 'is not a JSON object' };
  const payload = json.value;
  if (payload['type'] === 'url_verification') return handshake(payload['challenge']);
  if (isOwnMessage(payload)) return { kind: 'ignored', reason: 'this message was written by the app itself' };
  const type = slackType(payload);
  const id = readPointer(payload, '/event_id');
  return {
    kind: 'event',
    type,
    source: 'slack',
    payload: json.text,
    summary: summarizeSlack(type, payload),
    // Retries keep the ID. Interactions and commands have none, and are not repeated.
    dedupeKey: typeof id === 'string' && EVENT_ID.test(id) ? id : bodyHash(body),
    ...endOf(payload),
  };
}

/** The end of the app's access, if the event reports one. Tokens of people are ignored: we use none. */
function endOf(payload: unknown): Pick<Extract<Received, { kind: 'event' }>, 'ended'> {
  const name = eventName(payload);
  if (name === 'app_uninstalled') return endedBy('the app was uninstalled from the workspace');
  const bots = readPointer(payload, '/event/tokens/bot');
  return name === 'tokens_revoked' && Array.isArray(bots) && bots.length > 0
    ? endedBy('the token of the bot was revoked')
    : {};
}

const endedBy = (reason: string) => ({ ended: { what: 'credentials' as const, reason } });

function handshake(challenge: unknown): Received {
  if (typeof challenge !== 'string' || challenge === '')
    return { kind: 'malformed', issue: 'has no challenge to answer' };
  const body = { type: 'text/plain', text: challenge } as const;
  return { kind: 'handshake', reason: 'the URL is confirmed to Slack', response: { status: 200, body } };
}

// Events are JSON, interactions are a form with JSON in one field, and slash commands are a plain form.
function readBody(contentType: string | undefined, body: Buffer): ParsedJson {
  const text = decodeUtf8(body);
  if (text === null) return { ok: false, issue: 'is not UTF-8' };
  if (!isFormType(contentType)) return parseJson(text);
  const form = readForm(text);
  if (!form.ok) return form;
  const { fields } = form;
  const { payload } = fields;
  if (typeof payload === 'string') return parseJson(payload);
  return { ok: true, text: JSON.stringify(fields), value: fields, isSketch: false };
}
