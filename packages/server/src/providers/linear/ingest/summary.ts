import { readPointer } from '../../../domain/json/json-pointer.ts';
import { firstText, firstTime, firstUrl } from '../../../domain/events/reading.ts';
import {
  EMPTY_SUMMARY,
  type EventSummary,
  type Severity,
  type SummaryEntity,
} from '../../../domain/events/summary/summary.ts';
import { sentence } from '../../../domain/events/summary/sentence.ts';
import { isJsonObject } from '../../wire/json-body.ts';
import { linearKind, linearResource } from './events.ts';

// 0 means no priority.
const PRIORITIES = new Map<string, Severity>([
  ['1', 'critical'],
  ['2', 'high'],
  ['3', 'medium'],
  ['4', 'low'],
]);

/** Reduces a payload of Linear to what timelines, filters and templates need. Never throws, whatever it holds. */
export function summarizeLinear(payload: unknown): EventSummary {
  const resource = linearResource(payload);
  const root = issueRoot(resource, payload);
  const summary: EventSummary = {
    ...EMPTY_SUMMARY,
    action: firstText(payload, ['/action']),
    actor: actor(payload),
    subject: root === null ? ownSubject(resource, payload) : issueSubject(root, payload),
    container: container(root ?? '/data', payload),
    severity: PRIORITIES.get(firstText(payload, [`${root ?? '/data'}/priority`]) ?? '') ?? 'none',
    occurred_at: firstTime(payload, ['/createdAt', '/data/updatedAt', '/data/createdAt']),
  };
  // The body of a comment or an update. Bodies of issues and documents are too long for a summary.
  const written = firstText(payload, ['/data/body']);
  return { ...summary, text: written ?? sentence(linearKind(resource), summary) };
}

/** The pointer to the issue that a payload is about; `null` if it is about none. */
function issueRoot(resource: string, payload: unknown): string | null {
  const roots = resource === 'Issue' ? ['/data'] : ['/issueData', '/data/issue', '/data/comment/issue'];
  return roots.find((root) => isJsonObject(readPointer(payload, root))) ?? null;
}

function issueSubject(root: string, payload: unknown): SummaryEntity {
  return {
    kind: 'issue',
    id: firstText(payload, [`${root}/identifier`, `${root}/id`]),
    name: firstText(payload, [`${root}/title`]),
    url: firstUrl(payload, ['/url', `${root}/url`]),
  };
}

function ownSubject(resource: string, payload: unknown): SummaryEntity | null {
  const id = firstText(payload, ['/data/identifier', '/data/id']);
  const name = firstText(payload, [
    '/data/name',
    '/data/title',
    '/data/project/name',
    '/data/initiative/name',
  ]);
  const url = firstUrl(payload, ['/url', '/data/url']);
  return id === null && name === null && url === null ? null : { kind: linearKind(resource), id, name, url };
}

function actor(payload: unknown): EventSummary['actor'] {
  // An integration has a service in place of a name.
  const name = firstText(payload, ['/actor/name', '/actor/service', '/data/user/name']);
  return name === null ? null : { id: firstText(payload, ['/actor/id', '/data/user/id']), name };
}

function container(root: string, payload: unknown): SummaryEntity | null {
  const team = firstText(payload, [`${root}/team/name`, `${root}/team/key`]);
  if (team !== null) {
    return { kind: 'team', id: firstText(payload, [`${root}/team/key`]), name: team, url: null };
  }
  const project = firstText(payload, ['/data/project/name']);
  if (project === null) return null;
  return {
    kind: 'project',
    id: firstText(payload, ['/data/project/id']),
    name: project,
    url: firstUrl(payload, ['/data/project/url']),
  };
}
