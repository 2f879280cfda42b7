import { EventSummary } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import { summarize } from './summarize.ts';

const MASK = '[redacted]';

it.each<[what: string, payload: Record<string, unknown>, expected: object]>([
  [
    'a pull request of GitHub',
    {
      action: 'opened',
      number: 7,
      pull_request: { number: 7, title: 'Add search', html_url: 'https://github.com/octo/web/pull/7' },
      repository: { full_name: 'octo/web', html_url: 'https://github.com/octo/web' },
      sender: { login: 'octocat', id: 1 },
    },
    {
      action: 'opened',
      actor: { id: '1', name: 'octocat' },
      subject: {
        kind: 'pull_request',
        id: '7',
        name: 'Add search',
        url: 'https://github.com/octo/web/pull/7',
      },
      container: { kind: 'repo', id: 'octo/web', name: 'octo/web', url: 'https://github.com/octo/web' },
      text: 'octocat: pull request opened: Add search',
    },
  ],
  [
    'a comment of GitHub',
    {
      action: 'created',
      issue: { title: 'Broken' },
      comment: { body: 'I see\nit too' },
      sender: { login: 'ana' },
    },
    { text: 'I see it too', subject: { kind: 'issue', name: 'Broken' } },
  ],
  [
    'a push of GitHub',
    { ref: 'refs/heads/main', head_commit: { message: 'Fix it\n\nAt last.' }, pusher: { name: 'ana' } },
    { text: 'Fix it At last.', actor: { name: 'ana' }, subject: null },
  ],
  [
    'a merge request of GitLab',
    {
      object_kind: 'merge_request',
      user: { name: 'Administrator', id: 1 },
      project: { path_with_namespace: 'gitlab-org/test', web_url: 'https://gitlab.test/gitlab-org/test' },
      object_attributes: {
        id: 99,
        iid: 1,
        title: 'MS-Viewport',
        action: 'open',
        url: 'https://gitlab.test/mr/1',
      },
    },
    {
      action: 'open',
      subject: { kind: 'merge_request', id: '1', name: 'MS-Viewport', url: 'https://gitlab.test/mr/1' },
      container: { kind: 'project', name: 'gitlab-org/test' },
      text: 'Administrator: merge request open: MS-Viewport',
    },
  ],
  [
    'a pipeline of GitLab',
    {
      object_kind: 'pipeline',
      object_attributes: { id: 31, ref: 'master', status: 'success' },
      user: { name: 'Li' },
    },
    { text: 'Li: pipeline success: master' },
  ],
  [
    'a push of GitLab',
    {
      object_kind: 'push',
      user_name: 'John',
      commits: [{ message: 'Update Catalan\n', title: 'Update Catalan' }],
    },
    { text: 'Update Catalan', actor: { name: 'John' } },
  ],
  [
    'a message of Slack',
    {
      token: 'CqCsBJmXoNSHaNCt3wGWYSEe',
      event: { type: 'message', text: 'Hello there', user: 'U1', channel: 'C1' },
    },
    { text: 'Hello there', actor: { name: 'U1' }, container: { kind: 'channel', id: 'C1', name: 'C1' } },
  ],
  [
    'an error of Sentry',
    {
      action: 'triggered',
      data: {
        event: {
          title: 'TypeError: x is null',
          level: 'error',
          web_url: 'https://sentry.test/1',
          event_id: 'a',
        },
      },
    },
    {
      action: 'triggered',
      subject: { kind: 'event', name: 'TypeError: x is null', url: 'https://sentry.test/1' },
      text: 'event triggered: TypeError: x is null',
      severity: 'high',
    },
  ],
  [
    'an older error of Sentry',
    { project_name: 'web', message: 'Boom', level: 'fatal', url: 'https://sentry.test/2', id: '27' },
    {
      text: 'Boom',
      severity: 'critical',
      container: { kind: 'project', name: 'web' },
      subject: { id: '27' },
    },
  ],
  [
    'an event of Stripe',
    {
      id: 'evt_1',
      object: 'event',
      type: 'invoice.paid',
      data: { object: { id: 'in_1', object: 'invoice', description: 'Plan Team', status: 'paid' } },
    },
    {
      action: 'invoice.paid',
      subject: { kind: 'invoice', id: 'in_1', name: 'Plan Team' },
      text: 'invoice.paid: Plan Team',
    },
  ],
  [
    'a title',
    { title: 'Disk full', url: 'https://ops.test/1' },
    { text: 'Disk full', subject: { kind: 'deploy' } },
  ],
  ['a title and a text', { title: 'Disk full', message: 'web-1 is at 99%' }, { text: 'web-1 is at 99%' }],
  ['a title and a body', { subject: 'Weekly report', body: 'Dear all, …' }, { text: 'Weekly report' }],
  ['a body alone', { content: 'Hi all' }, { text: 'Hi all' }],
  [
    'fields of its own',
    { service: 'web', version: '1.4.2', ok: true, took: 3.5, tags: ['a'], none: null, empty: '' },
    { text: 'service: web · version: 1.4.2 · ok: true · took: 3.5', subject: null },
  ],
  ['objects alone', { build: {}, nodes: [1], more: { a: 1 } }, { text: 'build, nodes, more' }],
  [
    'nothing',
    {},
    { text: null, subject: null, actor: null, action: null, container: null, severity: 'none' },
  ],
  [
    'more fields than are shown',
    Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`f${index}`, 'x'.repeat(100)])),
    { text: expect.stringMatching(/^f0: x{59}… · f1: x{59}… · .*…$/) },
  ],
  ['an ID that no number holds', { id: 2 ** 60, key: 'A-1' }, { subject: { id: 'A-1' }, text: 'key: A-1' }],
])('%s', (_what, payload, expected) => {
  const before = JSON.stringify(payload);
  const summary = summarize('deploy', payload);
  expect(EventSummary.strict().parse(summary)).toEqual(summary);
  expect(summary).toMatchObject(expected);
  expect(JSON.stringify(payload)).toBe(before);
});

describe('a secret', () => {
  const KEY = `ghp_${'aB3'.repeat(12)}`;

  it.each<[string, Record<string, unknown>, string]>([
    [
      'under its name',
      { user: 'ana', password: 'hunter2', apiKey: 12_345, token: 'CqC', 'Set-Cookie': 'a=b' },
      `user: ana · password: ${MASK} · apiKey: ${MASK} · token: ${MASK} · Set-Cookie: ${MASK}`,
    ],
    ['under any name', { value: KEY, note: `use ${KEY}` }, `value: ${MASK} · note: use ${MASK}`],
    ['after much text', { value: `${'x '.repeat(20)}${KEY}` }, `value: ${'x '.repeat(20)}${MASK}`],
    ['as a name', { [KEY]: 'x' }, `${MASK}: x`],
    ['in a text', { text: `deployed with ${KEY}` }, `deployed with ${MASK}`],
    ['in a title', { title: `password=hunter2` }, `password=${MASK}`],
    ['in a long text', { text: `${'y'.repeat(255)} ${KEY}` }, `${'y'.repeat(255)} ${MASK}`],
  ])('%s does not come into the text', (_what, payload, text) => {
    const summary = summarize('deploy', payload);
    expect(summary.text).toBe(text);
    expect(JSON.stringify(summary)).not.toMatch(/hunter2|12345|CqC|aB3aB3/);
  });

  it('does not come into any other part', () => {
    const summary = summarize('deploy', {
      action: KEY,
      actor: { id: KEY, name: KEY },
      issue: { id: KEY, title: KEY, url: `https://ana:hunter2@example.com/?token=abc#${KEY}` },
      channel: KEY,
      severity: KEY,
    });
    expect(JSON.stringify(summary)).not.toMatch(/hunter2|abc|aB3/);
    expect(summary.subject?.url).toBe(`https://${MASK}@example.com/?token=${MASK}`);
  });

  it('is not left in part where a line is cut', () => {
    for (let length = 200; length < 300; length += 1) {
      const { text } = summarize('deploy', { text: `${'z'.repeat(length)} ${KEY} and more text behind it` });
      expect(text).not.toMatch(/aB3/);
    }
  });
});
