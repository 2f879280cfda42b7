import { readPointer } from '../../../domain/json/json-pointer.ts';

// Events about an issue have the type `issue`; everything else keeps Linear's own name.
const ABOUT_ISSUES: ReadonlySet<string> = new Set([
  'Issue',
  'IssueLabel',
  'IssueSLA',
  'Attachment',
  'Comment',
  'Reaction',
]);

/** The kind of thing that a payload is about, in Linear's words, such as `Issue` or `ProjectUpdate`. */
export function linearResource(payload: unknown): string {
  const type = readPointer(payload, '/type');
  return typeof type === 'string' && /^[A-Za-z]{1,100}$/.test(type) ? type : 'Linear';
}

/** A resource in snake case: `project_update`. */
export const linearKind = (resource: string): string =>
  resource.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();

/** The type of an event. */
export const linearType = (resource: string): string =>
  ABOUT_ISSUES.has(resource) ? 'issue' : linearKind(resource);
