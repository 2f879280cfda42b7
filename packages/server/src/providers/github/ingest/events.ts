import { readPointer } from '../../../domain/json/json-pointer.ts';

// Maps, because names come from outside: an object would also find `constructor`.

/** Events that have a common type; everything else keeps GitHub's own name. */
const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    push: 'push',
    pull_request: 'pull_request',
    pull_request_review: 'pull_request',
    pull_request_review_comment: 'pull_request',
    pull_request_review_thread: 'pull_request',
    issues: 'issue',
    commit_comment: 'commit',
    status: 'commit',
    check_run: 'commit',
    check_suite: 'commit',
    discussion: 'message',
    discussion_comment: 'message',
  }),
);

/** The type of a GitHub event. */
export function githubType(event: string, payload: unknown): string {
  if (event === 'issue_comment') {
    return readPointer(payload, '/issue/pull_request') === undefined ? 'issue' : 'pull_request';
  }
  return TYPES.get(event) ?? event;
}

/** The action of events that carry no `action`. */
const ACTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    create: 'created',
    delete: 'deleted',
    fork: 'forked',
    gollum: 'edited',
    public: 'publicized',
    push: 'pushed',
    team_add: 'added',
    workflow_dispatch: 'dispatched',
  }),
);

/** The action, in GitHub's own words if the payload has them. */
export function githubAction(event: string, payload: unknown): string | null {
  // `status` and `repository_import` have an outcome instead.
  for (const pointer of ['/action', '/state', '/status', '/build/status']) {
    const action = readPointer(payload, pointer);
    if (typeof action === 'string' && action !== '') return action.slice(0, 100);
  }
  return ACTIONS.get(event) ?? null;
}
