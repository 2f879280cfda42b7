import { readPointer } from '../../../domain/json/json-pointer.ts';
import { firstText, firstTime, firstUrl } from '../../../domain/events/reading.ts';
import { sentence } from '../../../domain/events/summary/sentence.ts';
import {
  EMPTY_SUMMARY,
  type EventSummary,
  type Severity,
  type SummaryEntity,
} from '../../../domain/events/summary/summary.ts';
import { gitlabAction } from './events.ts';
import { gitlabSubject } from './subject.ts';

/** Reduces a payload of GitLab to what timelines, filters and templates need. Never throws, whatever it holds. */
export function summarizeGitlab(kind: string, payload: unknown): EventSummary {
  const summary: EventSummary = {
    ...EMPTY_SUMMARY,
    action: gitlabAction(kind, payload),
    actor: actor(payload),
    subject: gitlabSubject(kind, payload),
    container: container(payload),
    severity: severity(kind, payload),
    occurred_at: occurredAt(payload),
  };
  return { ...summary, text: written(kind, payload) ?? sentence(summary.subject?.kind ?? kind, summary) };
}

function actor(payload: unknown): EventSummary['actor'] {
  const name = firstText(payload, ['/user/username', '/user_username', '/user/name', '/user_name']);
  return name === null ? null : { id: firstText(payload, ['/user/id', '/user_id']), name };
}

function container(payload: unknown): SummaryEntity | null {
  const project = firstText(payload, [
    '/project/path_with_namespace',
    '/project_name',
    '/path_with_namespace',
  ]);
  if (project !== null) {
    const url = firstUrl(payload, ['/project/web_url', '/repository/homepage']);
    return { kind: 'project', id: project, name: project, url };
  }
  const group = firstText(payload, ['/full_path', '/group_path', '/group/full_path']);
  return group === null ? null : { kind: 'group', id: group, name: group, url: null };
}

/** The text that a person wrote: a comment, or the message of the last commit of a push. */
function written(kind: string, payload: unknown): string | null {
  if (kind === 'note') return firstText(payload, ['/object_attributes/note']);
  if (kind !== 'push' && kind !== 'tag_push') return null;
  const commits = readPointer(payload, '/commits');
  return Array.isArray(commits) ? firstText(commits.at(-1), ['/message', '/title']) : null;
}

// A map, because words come from outside: an object would also find `constructor`.
const RATINGS = new Map<string, Severity>([
  ['critical', 'critical'],
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
]);

// Incidents have a severity of their own; a failure is `high`.
function severity(kind: string, payload: unknown): Severity {
  const outcomes = ['pipeline', 'build', 'deployment'].includes(kind)
    ? ['/object_attributes/status', '/build_status', '/status']
    : [];
  if (firstText(payload, outcomes) === 'failed') return 'high';
  return RATINGS.get(firstText(payload, ['/object_attributes/severity']) ?? '') ?? 'none';
}

// Times of the event itself. Commit times may be years older than the push.
const TIMES = [
  '/object_attributes/updated_at',
  '/object_attributes/finished_at',
  '/object_attributes/created_at',
  '/build_finished_at',
  '/build_started_at',
  '/build_created_at',
  '/status_changed_at',
  '/released_at',
  '/updated_at',
  '/created_at',
];

function occurredAt(payload: unknown): string | null {
  for (const place of TIMES) {
    const value = readPointer(payload, place);
    const time = firstTime([typeof value === 'string' ? rfc3339(value) : value], ['/0']);
    if (time !== null) return time;
  }
  return null;
}

// Converts `2015-05-17 18:21:36 UTC` and `2021-04-28 21:50:00 +0200`, the forms of about half of GitLab's times.
function rfc3339(text: string): string {
  const [, date, time, zone = '', minutes = ''] =
    /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) (?:UTC|([+-]\d{2})(\d{2}))$/.exec(text) ?? [];
  if (date === undefined || time === undefined) return text;
  return `${date}T${time}${zone === '' ? 'Z' : `${zone}:${minutes}`}`;
}
