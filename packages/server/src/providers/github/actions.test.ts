import { Octokit } from '@octokit/rest';
import { expect, it } from 'vitest';
import { type Call, expectSame, expectUnavailable, fakeApi, stepIn } from '../fake-api.fixture.ts';
import { isOwnNotification } from './ingest/own.ts';
import { githubActions } from './actions.ts';

const { 'github.create_issue': createIssue, 'github.comment': comment } = githubActions;
const SECRET = 'ingest-secret';
const connection = {
  credentials: { token: 'ghp_token', repository: 'octo/web', webhook_secret: SECRET },
  config: {},
};
const ISSUES = 'POST /api/repos/octo/web/issues';
const COMMENTS = 'POST /api/repos/octo/web/issues/7/comments';
const request = ({ route, body }: Call) => ({ route, body });
const clientOf = (url: string) => new Octokit({ baseUrl: `${url}/api`, auth: 'ghp_token' });

it('opens an issue as a client does, and returns its number and URL', async () => {
  const made = { number: 42, html_url: 'https://github.com/octo/web/issues/42' };
  const api = await fakeApi({ [ISSUES]: () => [201, made, { 'content-type': 'application/json' }] });
  const input = { title: ' Disk is full ', body: 'On web-1', labels: 'ops, urgent ,' };
  const result = await createIssue.run(connection, input, stepIn(api.tools));
  expect(result).toEqual({ ok: true, output: { number: 42, url: made.html_url } });
  expect(result.ok && Object.keys(result.output)).toEqual(createIssue.outputs);
  const body = api.calls[0]?.body as { title: string; body: string; labels: string[] };
  expect(body).toMatchObject({ title: 'Disk is full', labels: ['ops', 'urgent'] });
  expect(isOwnNotification({ action: 'opened', issue: { body: body.body } }, SECRET)).toBe(true);
  await expectSame(api, request, () =>
    clientOf(api.url).rest.issues.create({ owner: 'octo', repo: 'web', ...body }),
  );
});

it('comments as a client does, and returns the place', async () => {
  const made = { id: 1, html_url: 'https://github.com/octo/web/issues/7#issuecomment-1' };
  const api = await fakeApi({ [COMMENTS]: () => [201, made, { 'content-type': 'application/json' }] });
  const result = await comment.run(connection, { number: ' #7 ', body: 'Done' }, stepIn(api.tools));
  expect(result).toEqual({ ok: true, output: { number: 7, url: made.html_url } });
  expect(result.ok && Object.keys(result.output)).toEqual(comment.outputs);
  const body = String(api.calls[0]?.body?.['body']);
  expect(body.startsWith('Done')).toBe(true);
  await expectSame(api, request, () =>
    clientOf(api.url).rest.issues.createComment({ owner: 'octo', repo: 'web', issue_number: 7, body }),
  );
});

it.each([
  [createIssue, { title: 'x', repository: 'no-slash' }, 'input.repository must be owner/repo'],
  [createIssue, { title: 'x', repository: '../user' }, 'input.repository must be owner/repo'],
  [createIssue, { title: 'x', repository: 'octo/..' }, 'input.repository must be owner/repo'],
  [comment, { number: 'seven', body: 'x' }, 'input.number must be the number of an issue'],
  [comment, { number: '0', body: 'x' }, 'input.number must be the number of an issue'],
])('refuses what GitHub could not do, without a call', async (action, input, error) => {
  const api = await fakeApi({});
  expect(await action.run(connection, input, stepIn(api.tools))).toMatchObject({
    ok: false,
    error: expect.stringContaining(error),
  });
  expect(api.calls).toEqual([]);
});

it('passes on the reason of a refusal, reports a refused token, and throws when there is no response', async () => {
  const gone = await fakeApi({ [ISSUES]: () => [410, { message: 'Issues are disabled' }] });
  expect(await createIssue.run(connection, { title: 'x' }, stepIn(gone.tools))).toEqual({
    ok: false,
    error: 'GitHub responded with 410: Issues are disabled',
  });
  const token = await fakeApi({ [ISSUES]: () => [401, { message: 'Bad credentials' }] });
  expect(await createIssue.run(connection, { title: 'x' }, stepIn(token.tools))).toEqual({
    ok: false,
    error: 'GitHub responded with 401: Bad credentials',
    refused: 'credentials',
  });
  const down = await fakeApi({ [ISSUES]: () => [503, ''] });
  await expectUnavailable(
    createIssue.run(connection, { title: 'x' }, stepIn(down.tools)),
    'responded with 503',
  );
});
