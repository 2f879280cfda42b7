import { firstText, firstTime, firstUrl, type Pointers } from '../../../domain/events/reading.ts';
import { sentence } from '../../../domain/events/summary/sentence.ts';
import {
  EMPTY_SUMMARY,
  type EventSummary,
  type SummaryEntity,
} from '../../../domain/events/summary/summary.ts';
import { githubAction } from './events.ts';
import { githubSeverity } from './severity.ts';
import { githubSubject, githubSubjectRule, isRefEvent } from './subject.ts';

// Texts that somebody wrote. Titles are not here: they are the subject's name.
const WRITTEN: Pointers = [
  '/comment/body',
  '/review/body',
  '/head_commit/message',
  '/deployment_status/description',
];

// Times of the event itself, before times of the thing that it is about.
const TIMES: Pointers = [
  '/comment/updated_at',
  '/review/submitted_at',
  '/deployment_status/updated_at',
  '/starred_at',
  '/effective_date',
  '/updated_at',
  '/created_at',
];
const SUBJECT_TIMES: Pointers = [
  '/updated_at',
  '/completed_at',
  '/published_at',
  '/created_at',
  '/started_at',
];
// `head_commit` may be years old when it is pushed.
const PUSH_TIMES: Pointers = ['/repository/pushed_at', '/head_commit/timestamp'];

/** Reduces a GitHub payload to what timelines, filters and templates need. Never throws, whatever the payload holds. */
export function summarizeGithub(event: string, payload: unknown): EventSummary {
  const summary: EventSummary = {
    ...EMPTY_SUMMARY,
    action: githubAction(event, payload),
    actor: actor(payload),
    subject: githubSubject(event, payload),
    container: container(payload),
    severity: githubSeverity(event, payload),
    occurred_at: occurredAt(event, payload),
  };
  const noun = event === 'issues' || isRefEvent(event) ? (summary.subject?.kind ?? event) : event;
  return { ...summary, text: firstText(payload, WRITTEN) ?? sentence(noun, summary) };
}

function actor(payload: unknown): EventSummary['actor'] {
  const name = firstText(payload, ['/sender/login', '/pusher/name']);
  return name === null ? null : { id: firstText(payload, ['/sender/id']), name };
}

function container(payload: unknown): SummaryEntity | null {
  const repository = firstText(payload, ['/repository/full_name']);
  if (repository !== null) {
    return {
      kind: 'repo',
      id: repository,
      name: repository,
      url: firstUrl(payload, ['/repository/html_url']),
    };
  }
  const organization = firstText(payload, ['/organization/login']);
  const owner = organization ?? firstText(payload, ['/installation/account/login']);
  if (owner === null) return null;
  const url = firstUrl(payload, ['/organization/html_url', '/installation/account/html_url']);
  return { kind: organization === null ? 'account' : 'organization', id: owner, name: owner, url };
}

function occurredAt(event: string, payload: unknown): string | null {
  if (event === 'push') return firstTime(payload, PUSH_TIMES);
  const rule = githubSubjectRule(event, payload);
  // The time of a repository is that of another event, most often a push.
  const times = rule && rule.kind !== 'repository' ? SUBJECT_TIMES.map((time) => rule.root + time) : [];
  return firstTime(payload, [...TIMES, ...times]);
}
