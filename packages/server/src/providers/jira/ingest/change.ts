import { readPointer } from '../../../domain/json/json-pointer.ts';

const ID = /^[\w-]{1,60}$/;

/**
 * A key for the change in a payload, made of Jira's own IDs, so that the same change found by a search has the same
 * key; `null` when the payload has no such IDs. Unlike the ID of the call, these IDs are signed.
 */
export function jiraChange(payload: unknown): string | null {
  const issue = idAt(payload, '/issue/id');
  const comment = idAt(payload, '/comment/id');
  const changelog = idAt(payload, '/changelog/id');
  switch (readPointer(payload, '/webhookEvent')) {
    case 'jira:issue_created':
      return issue && `created:${issue}`;
    case 'jira:issue_updated':
      return issue && changelog && `changed:${issue}:${changelog}`;
    case 'comment_created':
      return comment && `commented:${comment}`;
    case 'comment_updated': {
      // Not RFC 3339: `2026-01-02T03:04:05.000+0100`.
      const at = Date.parse(String(readPointer(payload, '/comment/updated')));
      return comment && !Number.isNaN(at) ? `rewritten:${comment}:${new Date(at).toISOString()}` : null;
    }
    default:
      return null;
  }
}

function idAt(payload: unknown, pointer: string): string | null {
  const id = readPointer(payload, pointer);
  const text = typeof id === 'number' ? String(id) : id;
  return typeof text === 'string' && ID.test(text) ? text : null;
}
