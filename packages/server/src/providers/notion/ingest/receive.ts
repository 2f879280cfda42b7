import { notionType } from './events.ts';
import { verificationTokenOf } from './handshake.ts';
import { isOwnComment } from './own.ts';
import { summarizeNotion } from './summary.ts';
import { bodyHash } from '../../signatures/hmac.ts';
import { readJsonObject } from '../../wire/json-body.ts';
import type { Credentials, IngestRequest, Received } from '../../provider.ts';

const ID = /^[\w-]{1,100}$/;

/** Reads an event of Notion, or the call that brings the verification token. */
export function receiveNotionCall({ body }: IngestRequest, credentials: Credentials): Received {
  const token = credentials['verification_token'] === undefined ? verificationTokenOf(body) : null;
  if (token !== null) {
    return {
      kind: 'handshake',
      reason: 'the verification token is stored; paste it into Notion',
      response: { status: 200 },
      credentials: { verification_token: token },
    };
  }
  const json = readJsonObject(body);
  if (!json.ok) return { kind: 'malformed', issue: json.issue };
  const payload = json.value;
  if (isOwnComment(payload, credentials))
    return { kind: 'ignored', reason: 'this comment was written from here' };
  const { id } = payload;
  return {
    kind: 'event',
    type: notionType(payload['type']),
    source: 'notion',
    payload: json.text,
    summary: summarizeNotion(payload),
    // Retries keep the ID, and differ in their attempt_number.
    dedupeKey: typeof id === 'string' && ID.test(id) ? id : bodyHash(body),
  };
}
