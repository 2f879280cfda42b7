import { startTestServer } from '@hubline/server/testing';
import { expect, it, onTestFinished } from 'vitest';
import { samples } from '../../samples/samples.ts';
import { runCli } from '../../test/run-cli.ts';

it('makes events that each say in a line what they are about, without the secrets in them', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const env = { HUBLINE_BASE_URL: server.baseUrl, HUBLINE_API_KEY: server.apiKey };
  expect((await runCli(['seed', `--events=${samples.length}`, '-q'], { env })).code).toBe(0);
  const jq = '--jq=.[] | "\\(.source) \\(.type): \\(.summary.text)"';
  const { out } = await runCli(['event', 'list', '--workspace=demo-1', '--all', jq], { env });
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
    env,
    tty: true,
    columns: 300,
  });
  expect(listed.out).toContain('Hello, this is a normal text message');
  expect(listed.out).not.toContain('CqCsBJmXoNSHaNCt3wGWYSEe');
});
