import { readPointer } from '../../../domain/json/json-pointer.ts';
import { typeName } from '../../texts/type-name.ts';

// Events about an issue have the type `issue`; everything else keeps Jira's own name.
const ABOUT_ISSUES: ReadonlySet<string> = new Set([
  'issue',
  'issue_property',
  'comment',
  'worklog',
  'attachment',
  'issuelink',
]);

/** Jira's name for an event in its two parts: `jira:issue_updated` has the thing `issue` and the action `updated`. */
export interface JiraEvent {
  thing: string;
  action: string | null;
}

export function jiraEvent(payload: unknown): JiraEvent {
  const name = readPointer(payload, '/webhookEvent');
  const [, thing = '', action] =
    /^(?:jira:)?([a-z_]+?)(?:_([a-z]+))?$/.exec(typeof name === 'string' ? name.slice(0, 200) : '') ?? [];
  return { thing: typeName(thing, 'jira'), action: action ?? null };
}

/** The type of an event. */
export const jiraType = (thing: string): string => (ABOUT_ISSUES.has(thing) ? 'issue' : thing);
