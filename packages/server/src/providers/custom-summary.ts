import { EMPTY_SUMMARY, type EventSummary, type Severity } from '../domain/summary.ts';
import { firstText, firstTime, firstUrl } from './reading.ts';

// What tools call it, from log levels to incident priorities. A Map: the words come from outside.
const SEVERITIES = new Map<string, Severity>([
  ['critical', 'critical'],
  ['fatal', 'critical'],
  ['emergency', 'critical'],
  ['p1', 'critical'],
  ['high', 'high'],
  ['error', 'high'],
  ['p2', 'high'],
  ['medium', 'medium'],
  ['moderate', 'medium'],
  ['warning', 'medium'],
  ['warn', 'medium'],
  ['p3', 'medium'],
  ['low', 'low'],
  ['minor', 'low'],
  ['p4', 'low'],
]);

/** Reads the names that most tools use. Nobody promised any of them: what is not there is null. */
export function summarizeCustom(type: string, payload: Record<string, unknown>): EventSummary {
  const name = firstText(payload, ['/title', '/name', '/subject', '/summary']);
  const id = firstText(payload, ['/id', '/key', '/uuid']);
  const url = firstUrl(payload, ['/url', '/html_url', '/link']);
  const actor = firstText(payload, [
    '/actor/name',
    '/actor/login',
    '/actor',
    '/user/name',
    '/user/login',
    '/user',
    '/author/name',
    '/author',
  ]);
  const rating = firstText(payload, ['/severity', '/priority', '/level']);
  return {
    ...EMPTY_SUMMARY,
    action: firstText(payload, ['/action', '/status', '/state']),
    actor:
      actor === null
        ? null
        : { id: firstText(payload, ['/actor/id', '/user/id', '/author/id']), name: actor },
    subject: name === null && id === null && url === null ? null : { kind: type, id, name, url },
    text: firstText(payload, ['/text', '/message', '/description']) ?? name,
    severity: SEVERITIES.get(rating?.toLowerCase() ?? '') ?? 'none',
    occurred_at: firstTime(payload, ['/occurred_at', '/timestamp', '/created_at', '/time']),
  };
}
