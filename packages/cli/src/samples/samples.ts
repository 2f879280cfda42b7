/** A payload as a provider really sends it. Where they come from: packages/cli/THIRD-PARTY-NOTICES.md. */
interface Sample {
  readonly source: string;
  /** The type of its events. */
  readonly type: string;
  readonly summary: string;
  load(): Promise<Readonly<Record<string, unknown>>>;
}

/** Every sample; of several with one type, the first is the default. Each loads when it is used. */
export const samples: readonly Sample[] = [
  {
    source: 'github',
    type: 'push',
    summary: 'One commit was pushed to a branch',
    load: async () => (await import('./github-push.json', { with: { type: 'json' } })).default,
  },
  {
    source: 'github',
    type: 'pull_request',
    summary: 'A pull request was opened',
    load: async () => (await import('./github-pull-request.json', { with: { type: 'json' } })).default,
  },
  {
    source: 'github',
    type: 'issue',
    summary: 'An issue was opened',
    load: async () => (await import('./github-issues.json', { with: { type: 'json' } })).default,
  },
  {
    source: 'github',
    type: 'issue_comment',
    summary: 'Somebody commented on an issue',
    load: async () => (await import('./github-issue-comment.json', { with: { type: 'json' } })).default,
  },
  {
    source: 'github',
    type: 'release',
    summary: 'A release was published',
    load: async () => (await import('./github-release.json', { with: { type: 'json' } })).default,
  },
  {
    source: 'github',
    type: 'workflow_run',
    summary: 'A workflow run completed',
    load: async () => (await import('./github-workflow-run.json', { with: { type: 'json' } })).default,
  },
  {
    source: 'gitlab',
    type: 'push',
    summary: 'Commits were pushed to a branch',
    load: async () => (await import('./gitlab-push.json', { with: { type: 'json' } })).default,
  },
  {
    source: 'gitlab',
    type: 'merge_request',
    summary: 'A merge request was opened',
    load: async () => (await import('./gitlab-merge-request.json', { with: { type: 'json' } })).default,
  },
  {
    source: 'gitlab',
    type: 'pipeline',
    summary: 'A pipeline ended',
    load: async () => (await import('./gitlab-pipeline.json', { with: { type: 'json' } })).default,
  },
  {
    source: 'slack',
    type: 'message',
    summary: 'Somebody wrote a message',
    load: async () => (await import('./slack-message.json', { with: { type: 'json' } })).default,
  },
];
