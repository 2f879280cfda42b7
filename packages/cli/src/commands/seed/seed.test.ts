import { startTestServer } from '@hubline/server/testing';
import { describe, expect, it } from 'vitest';
import { samples } from '../../samples/samples.ts';
import { fakeApi } from '../../test/fake-api.ts';
import { runCli } from '../../test/run-cli.ts';

async function setUp() {
  const server = await startTestServer();
  const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
  const cli = (line: readonly string[], stdin = '') => runCli(line, { env, stdin });
  const slugs = async () =>
    (await cli(['workspace', 'list', '--all', '--jq=map(.slug) | sort | join(" ")'])).out;
  return { cli, env, slugs, [Symbol.asyncDispose]: () => server.stop() };
}

describe('seed', () => {
  it('makes workspaces with members and events, but only once', async () => {
    await using server = await setUp();
    const { code, out } = await server.cli([
      'seed',
      '--workspaces=2',
      '--events=7',
      '--json=slug,members,events',
    ]);
    expect({ code, made: JSON.parse(out) as unknown }).toEqual({
      code: 0,
      made: [
        { slug: 'demo-1', members: 3, events: 7 },
        { slug: 'demo-2', members: 3, events: 7 },
      ],
    });
    expect(await server.cli(['event', 'list', '-w', 'demo-2', '--all', '--jq=length'])).toMatchObject({
      out: '7\n',
    });
    const again = await server.cli(['seed']);
    expect({ code: again.code, said: again.err.includes('--reset') }).toEqual({ code: 5, said: true });
    expect(await server.cli(['seed', '--reset'])).toMatchObject({ code: 2, out: '' });
    expect(await server.cli(['seed', '--reset', '--yes'])).toMatchObject({ code: 0 });
  });

  it('makes events that each say in a line what they are about, without the secrets in them', async () => {
    await using server = await setUp();
    expect((await server.cli(['seed', `--events=${samples.length}`, '-q'])).code).toBe(0);
    const jq = '--jq=.[] | "\\(.source) \\(.type): \\(.summary.text)"';
    const { out } = await server.cli(['event', 'list', '--workspace=demo-1', '--all', jq]);
    expect(out.trimEnd().split('\n').toSorted()).toEqual([
      'github issue: Codertocat: issue opened: Spelling error in the README file',
      expect.stringMatching(/^github issue_comment: You are totally right/),
      'github pull_request: Codertocat: pull request opened: Update the README with new information.',
      expect.stringMatching(/^github push: \S/),
      'github release: Codertocat: release published: 0.0.1',
      expect.stringMatching(/^github workflow_run: Codertocat: workflow run completed: \S/),
      'gitlab merge_request: Administrator: merge request open: MS-Viewport',
      'gitlab pipeline: Administrator: pipeline success: pipeline_name',
      expect.stringMatching(/^gitlab push: \S/),
      'slack message: Hello, this is a normal text message',
    ]);
    const listed = await runCli(['event', 'list', '--workspace=demo-1', '--all'], {
      env: server.env,
      tty: true,
      columns: 300,
    });
    expect(listed.out).toContain('Hello, this is a normal text message');
    expect(listed.out).not.toContain('CqCsBJmXoNSHaNCt3wGWYSEe');
  });

  it('sums up with --dry-run what it would make, and makes nothing', async () => {
    await using server = await setUp();
    const before = await server.slugs();
    expect(await server.cli(['seed', '--workspaces=3', '--events=100000', '--dry-run'])).toEqual({
      code: 0,
      out: [1, 2, 3]
        .map((index) => `Would make demo-${index} with 3 invitations and 100000 events\n`)
        .join(''),
      err: '',
    });
    const { err } = await server.cli(
      ['seed', '-', '--reset', '--dry-run'],
      '{"workspaces":[{"slug":"acme"}]}',
    );
    expect(err).toContain('Would delete acme first');
    expect(await server.slugs()).toBe(before);
  });

  it('sends large events in as many requests as they need', async () => {
    await using server = await setUp();
    const event = { type: 'deploy', payload: { text: 'x'.repeat(50_000) } };
    const plan = { workspaces: [{ slug: 'large', events: Array.from({ length: 30 }, () => event) }] };
    const { code, out, err } = await server.cli(['seed', '-', '--json=events'], JSON.stringify(plan));
    expect({ code, out, err }).toEqual({ code: 0, out: '[{"events":30}]\n', err: '' });
  });

  it.each([
    ['{"workspaces":{}}', 'workspaces must be a list'],
    ['{"workspaces":[{}]}', 'workspaces[0].slug must be a string'],
    [
      '{"workspaces":[{"slug":"a","members":[{"email":"x@y.test","role":"king"}]}]}',
      'members[0] needs an email',
    ],
    ['{"workspaces":[{"slug":"a","events":[{"payload":1}]}]}', 'events[0].type must be a string'],
  ])('refuses the plan %s', async (plan, message) => {
    const { code, err } = await runCli(['seed', '-'], { stdin: plan });
    expect({ code, said: err.includes(message) ? message : err }).toEqual({ code: 2, said: message });
  });
});

it('a dry run shows the start of a long body, and all of it to programs', async () => {
  const { env } = await fakeApi(() => ({ body: {} }));
  const stdin = JSON.stringify(
    Array.from({ length: 1_000 }, (_, index) => ({ type: `t${index}`, payload: {} })),
  );
  const line = ['event', 'publish', '--batch=-', '--dry-run'];
  const { out } = await runCli(line, { env, stdin });
  expect(out.split('\n').length).toBeLessThan(40);
  expect(out).toMatch(/… \d+ more lines; --json prints all of them/);
  expect((await runCli([...line, '--json'], { env, stdin })).out).toContain('t999');
});
