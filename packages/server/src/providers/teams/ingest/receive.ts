import { readPointer } from '../../../domain/json/json-pointer.ts';
import { summarizeTeams } from './summary.ts';
import { bodyHash } from '../../signatures/hmac.ts';
import { readJsonObject } from '../../wire/json-body.ts';
import type { IngestRequest, Received } from '../../provider.ts';
import { typeName } from '../../texts/type-name.ts';

/** Reads an activity of the Bot Framework, which is the form that an outgoing webhook sends. */
export function receiveTeamsCall({ body }: IngestRequest): Received {
  const json = readJsonObject(body);
  if (!json.ok) return { kind: 'malformed', issue: json.issue };
  const payload = json.value;
  const sender = readPointer(payload, '/from/id');
  if (typeof sender === 'string' && sender === readPointer(payload, '/recipient/id'))
    return { kind: 'ignored', reason: 'this message was written by the webhook itself' };
  const name = typeof payload['type'] === 'string' ? payload['type'] : '';
  // Names are in camel case, such as `conversationUpdate`.
  const type = typeName(
    name.slice(0, 100).replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    'teams',
  );
  return {
    kind: 'event',
    type,
    source: 'teams',
    payload: json.text,
    summary: summarizeTeams(type, payload),
    dedupeKey: dedupeKey(payload) ?? bodyHash(body),
  };
}

// The ID is a time in milliseconds, and two channels can have the same one.
function dedupeKey(payload: unknown): string | null {
  const ids = ['/conversation/id', '/id'].map((pointer) => readPointer(payload, pointer));
  return ids.every((id) => typeof id === 'string' && id !== '') ? bodyHash(Buffer.from(ids.join(' '))) : null;
}
