import { readPointer } from '../../../domain/json/json-pointer.ts';
import { discordType } from './events.ts';
import { summarizeDiscord } from './summary.ts';
import { bodyHash } from '../../signatures/hmac.ts';
import { isJsonObject, readJsonObject } from '../../wire/json-body.ts';
import type { SuccessResponse, IngestRequest, Received } from '../../provider.ts';

/** The response to every call from Discord, which requires a content type even without content. */
export const ACKNOWLEDGED: SuccessResponse = { status: 204, body: { type: 'application/json', text: '' } };

const PING = 0;
const EVENT = 1;

/** Reads a webhook event of a Discord application. */
export function receiveDiscordCall({ body }: IngestRequest): Received {
  const json = readJsonObject(body);
  if (!json.ok) return { kind: 'malformed', issue: json.issue };
  const payload = json.value;
  if (payload['type'] === PING)
    return { kind: 'handshake', reason: 'the URL is confirmed to Discord', response: ACKNOWLEDGED };
  const { event } = payload;
  if (payload['type'] !== EVENT || !isJsonObject(event))
    return { kind: 'ignored', reason: 'this is not a webhook event; the URL is not for interactions' };
  // A bot's user has the same ID as its application.
  const author = readPointer(event, '/data/author/id');
  if (typeof author === 'string' && author === payload['application_id'])
    return { kind: 'ignored', reason: 'this message was written by the bot itself' };
  const type = discordType(event['type']);
  return {
    kind: 'event',
    type,
    source: 'discord',
    payload: json.text,
    summary: summarizeDiscord(type, payload),
    // Events have no ID, but each has a time, so equal bodies are the same event.
    dedupeKey: bodyHash(body),
  };
}
