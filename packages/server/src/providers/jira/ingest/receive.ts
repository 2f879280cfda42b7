import { readPointer } from '../../../domain/json/json-pointer.ts';
import { bodyHash } from '../../signatures/hmac.ts';
import { readJsonObject } from '../../wire/json-body.ts';
import type { Credentials, IngestRequest, Received } from '../../provider.ts';
import { plainText } from '../adf.ts';
import { jiraChange } from './change.ts';
import { jiraEvent, jiraType } from './events.ts';
import { isOwnText } from './own.ts';
import { summarizeJira } from './summary.ts';
import { jiraSecret } from './verify.ts';

/** Reads a call from Jira. */
export function receiveJiraCall({ headers, body }: IngestRequest, credentials: Credentials): Received {
  const json = readJsonObject(body);
  if (!json.ok) return { kind: 'malformed', issue: json.issue };
  const delivery = headers['x-atlassian-webhook-identifier'] ?? '';
  // Retries keep the identifier.
  const key = /^[\w.:-]{1,200}$/.test(delivery) ? delivery : bodyHash(body);
  return readJiraEvent(json, credentials, key);
}

/** Reads the payload of a call from Jira. `callKey` is the dedupe key when the change itself has no ID. */
export function readJiraEvent(
  { text, value }: { text: string; value: unknown },
  credentials: Credentials,
  callKey: string,
): Extract<Received, { kind: 'event' | 'ignored' | 'ping' }> {
  if (isOwnNotification(value, credentials)) {
    return { kind: 'ignored', reason: 'this is a notification that was sent from here' };
  }
  return {
    kind: 'event',
    type: jiraType(jiraEvent(value).thing),
    source: 'jira',
    payload: text,
    summary: summarizeJira(value, credentials['domain']),
    dedupeKey: jiraChange(value) ?? callKey,
  };
}

// A comment comes twice: by itself, and as a change of its issue.
const COMMENTED: ReadonlySet<unknown> = new Set(['comment_created', 'jira:issue_updated']);

function isOwnNotification(payload: unknown, credentials: Credentials): boolean {
  const event = readPointer(payload, '/webhookEvent');
  const pointer = COMMENTED.has(event) ? '/comment/body' : '/issue/fields/description';
  const isNew = COMMENTED.has(event) || event === 'jira:issue_created';
  return isNew && isOwnText(plainText(readPointer(payload, pointer)), jiraSecret(credentials));
}
