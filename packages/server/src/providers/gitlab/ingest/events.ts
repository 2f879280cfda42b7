import { readPointer } from '../../../domain/json/json-pointer.ts';
import { typeName } from '../../texts/type-name.ts';

// Maps, because names come from outside: an object would also find `constructor`.
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    push: 'push',
    tag_push: 'push',
    merge_request: 'pull_request',
    issue: 'issue',
    work_item: 'issue',
    build: 'job',
  }),
);

/** The types of comments, by what is commented on. */
const NOTES: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    MergeRequest: 'pull_request',
    Issue: 'issue',
    WorkItem: 'issue',
    Commit: 'commit',
    Snippet: 'message',
  }),
);

/**
 * GitLab's name for an event. Group and system events have it in another field. `header` is that of the call, such as
 * `Push Hook`.
 */
export function gitlabKind(header: string, payload: unknown): string {
  const kind = readPointer(payload, '/object_kind') ?? readPointer(payload, '/event_name');
  const name = typeof kind === 'string' ? kind : header.replace(/ Hook$/, '').toLowerCase();
  return typeName(name, 'gitlab');
}

/** The type of an event; events of no common type keep GitLab's own name. */
export function gitlabType(kind: string, payload: unknown): string {
  if (kind === 'note') return NOTES.get(readPointer(payload, '/object_attributes/noteable_type')) ?? 'note';
  return TYPES.get(kind) ?? kind;
}

const NOTHING = /^0+$/;

/** The action, in GitLab's own words if the payload has them. */
export function gitlabAction(kind: string, payload: unknown): string | null {
  if (kind === 'push' || kind === 'tag_push') {
    if (NOTHING.test(textAt(payload, '/after') ?? '')) return 'deleted';
    return NOTHING.test(textAt(payload, '/before') ?? '') ? 'created' : 'pushed';
  }
  const places = [
    '/object_attributes/action',
    '/object_attributes/status',
    '/build_status',
    '/action',
    '/status',
  ];
  for (const place of places) {
    const action = textAt(payload, place);
    if (action) return action.slice(0, 100);
  }
  // Older versions do not tell a new comment from an edited one.
  return kind === 'note' ? 'create' : null;
}

function textAt(payload: unknown, pointer: string): string | null {
  const text = readPointer(payload, pointer);
  return typeof text === 'string' ? text : null;
}
