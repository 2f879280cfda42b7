import { readPointer } from '../../../domain/json/json-pointer.ts';
import { firstText } from '../../../domain/events/reading.ts';
import { sentence } from '../../../domain/events/summary/sentence.ts';
import {
  EMPTY_SUMMARY,
  type EventSummary,
  oneLine,
  type Severity,
  type SummaryEntity,
} from '../../../domain/events/summary/summary.ts';
import { isJsonObject } from '../../wire/json-body.ts';
import { plainText } from '../adf.ts';
import { siteUrl } from '../api.ts';
import { jiraEvent } from './events.ts';

// Longer than the line that is kept, and short enough that folding a text of megabytes is cheap.
const READ_MAX = 4_000;

const PRIORITIES = new Map<string, Severity>([
  ['highest', 'critical'],
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
  ['lowest', 'low'],
]);

/** Reduces a payload of Jira to what timelines, filters and templates need. Never throws, whatever it holds. */
export function summarizeJira(payload: unknown, domain: string | undefined): EventSummary {
  const { thing, action } = jiraEvent(payload);
  const summary: EventSummary = {
    ...EMPTY_SUMMARY,
    action,
    actor: actor(payload),
    subject: subject(thing, payload, domain),
    container: container(payload, domain),
    severity:
      PRIORITIES.get(firstText(payload, ['/issue/fields/priority/name'])?.toLowerCase() ?? '') ?? 'none',
    occurred_at: occurredAt(payload),
  };
  const comment = oneLine(plainText(readPointer(payload, '/comment/body'))?.slice(0, READ_MAX) ?? '');
  return { ...summary, text: comment || withChanges(sentence(thing, summary), changes(payload)) };
}

const withChanges = (line: string | null, changed: string | null) =>
  line === null || changed === null ? line : oneLine(`${line} (${changed})`);

function actor(payload: unknown): EventSummary['actor'] {
  const people = [
    '/user',
    '/comment/updateAuthor',
    '/comment/author',
    '/worklog/updateAuthor',
    '/attachment/author',
  ];
  const name = firstText(
    payload,
    people.map((person) => `${person}/displayName`),
  );
  const id = firstText(
    payload,
    people.map((person) => `${person}/accountId`),
  );
  return name === null ? null : { id, name };
}

function subject(thing: string, payload: unknown, domain: string | undefined): SummaryEntity | null {
  const key = firstText(payload, ['/issue/key']);
  if (key !== null) {
    const comment = firstText(payload, ['/comment/id']);
    const query = comment === null ? '' : `?focusedCommentId=${encodeURIComponent(comment)}`;
    const url = browseUrl(domain, key);
    const name = firstText(payload, ['/issue/fields/summary']);
    return { kind: 'issue', id: key, name, url: url && url + query };
  }
  const root = thing === 'issuelink' ? '/issueLink' : `/${thing}`;
  if (!isJsonObject(readPointer(payload, root))) return null;
  return {
    kind: thing,
    id: firstText(payload, [`${root}/key`, `${root}/id`]),
    name: firstText(payload, [`${root}/name`, `${root}/filename`]),
    url: thing === 'project' ? browseUrl(domain, firstText(payload, ['/project/key'])) : null,
  };
}

function container(payload: unknown, domain: string | undefined): SummaryEntity | null {
  const key = firstText(payload, ['/issue/fields/project/key', '/project/key']);
  if (key === null) return null;
  const name = firstText(payload, ['/issue/fields/project/name', '/project/name']);
  return { kind: 'project', id: key, name, url: browseUrl(domain, key) };
}

// The URLs in a payload point to the API, not to pages.
const browseUrl = (domain: string | undefined, key: string | null): string | null =>
  domain === undefined || key === null ? null : `${siteUrl(domain)}/browse/${encodeURIComponent(key)}`;

const CHANGES_MAX = 5;
const VALUE_MAX = 60;

/** The fields that were changed, such as `status: To Do → Done`. */
function changes(payload: unknown): string | null {
  const items = readPointer(payload, '/changelog/items');
  const texts = (Array.isArray(items) ? (items as unknown[]) : []).slice(0, CHANGES_MAX).flatMap((item) => {
    const field = firstText(item, ['/field']);
    const values = [firstText(item, ['/fromString']), firstText(item, ['/toString'])];
    if (field === null) return [];
    return values.some((value) => value !== null && value.length > VALUE_MAX)
      ? [field]
      : [`${field}: ${values.map((value) => value ?? 'none').join(' → ')}`];
  });
  return texts.length === 0 ? null : texts.join(', ');
}

// In milliseconds: 1973 to 5138.
function occurredAt(payload: unknown): string | null {
  const time = readPointer(payload, '/timestamp');
  return typeof time === 'number' && time >= 1e11 && time < 1e14 ? new Date(time).toISOString() : null;
}
