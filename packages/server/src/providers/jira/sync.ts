import { readPointer } from '../../domain/json/json-pointer.ts';
import { isJsonObject } from '../wire/json-body.ts';
import type { Credentials, FoundEvent, ProviderSync } from '../provider.ts';
import { jiraApi } from './api.ts';
import { readJiraEvent } from './ingest/receive.ts';

const MINUTE_MS = 60_000;
// The minutes, and the token of the next page.
const CURSOR = /^(\d+) (.+)$/s;
const PATH = '/rest/api/3/search/jql';

/**
 * Searches the updated issues, and turns their changes and comments into the events that the webhook would have sent.
 * It does not find deleted issues, work logs, sprints or versions.
 */
export const jiraSync: ProviderSync = {
  async step({ credentials }, { since, cursor }, tools) {
    // JQL reads a time in the time zone of the account; a number of minutes ago is the same in all zones. The cursor keeps that number:
    // a page token belongs to the JQL of the first page.
    const [, kept, token] = CURSOR.exec(cursor ?? '') ?? [];
    const minutes = kept ?? String(Math.ceil((tools.clock().getTime() - since.getTime()) / MINUTE_MS) + 1);
    const { project } = credentials;
    const clause = project === undefined ? '' : `project = "${project}" AND `;
    const { status, body, message } = await jiraApi(credentials, tools).call('POST', PATH, {
      jql: `${clause}updated >= "-${minutes}m" ORDER BY updated ASC`,
      fields: ['*all'],
      expand: 'changelog',
      maxResults: 50,
      ...(token === undefined ? {} : { nextPageToken: token }),
    });
    const issues = readPointer(body, '/issues');
    if (status !== 200 || !Array.isArray(issues)) {
      const reason = `Jira responded with ${status || 'nothing'}${message && `: ${message}`}`;
      return { ok: false, refused: status === 401 ? 'credentials' : 'request', reason };
    }
    const next = readPointer(body, '/nextPageToken');
    return {
      ok: true,
      events: issues.flatMap((issue: unknown) => changesOf(issue, since, credentials)),
      called: 0,
      cursor: typeof next === 'string' ? `${minutes} ${next}` : null,
    };
  },
};

/** Everything that happened to an issue, oldest first, in the form of Jira's own calls. */
function changesOf(found: unknown, since: Date, credentials: Credentials): FoundEvent[] {
  if (!isJsonObject(found)) return [];
  const { changelog, ...issue } = found;
  const happened: { at: number; payload: object }[] = [];
  const add = (time: unknown, payload: object) => {
    const at = typeof time === 'string' ? Date.parse(time) : Number.NaN;
    if (at >= since.getTime()) happened.push({ at, payload: { timestamp: at, ...payload } });
  };
  const fields = readPointer(issue, '/fields');
  const creator = readPointer(fields, '/creator');
  add(readPointer(fields, '/created'), {
    webhookEvent: 'jira:issue_created',
    ...(isJsonObject(creator) ? { user: creator } : {}),
    issue,
  });
  for (const change of listAt(changelog, '/histories')) {
    const { id, author, created, items } = change;
    const user = isJsonObject(author) ? { user: author } : {};
    add(created, { webhookEvent: 'jira:issue_updated', ...user, issue, changelog: { id, items } });
  }
  for (const comment of listAt(fields, '/comment/comments')) {
    const { created, updated } = comment;
    add(created, { webhookEvent: 'comment_created', comment, issue });
    if (updated !== created) add(updated, { webhookEvent: 'comment_updated', comment, issue });
  }
  return happened
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ payload }) => {
      const event = readJiraEvent({ text: JSON.stringify(payload), value: payload }, credentials, '');
      return event.kind === 'event' ? [{ event }] : [];
    });
}

const listAt = (value: unknown, pointer: string): Record<string, unknown>[] => {
  const list = readPointer(value, pointer);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
};
