import { createCloudClient } from 'jira.js/cloud';
import { expect, it } from 'vitest';
import { type Call, expectSame, expectUnavailable, fakeApi, stepIn } from '../fake-api.fixture.ts';
import { jiraActions } from './actions.ts';
import { plainText } from './adf.ts';
import { isOwnText } from './ingest/own.ts';

const { 'jira.create_issue': createIssue } = jiraActions;
const SECRET = 'ingest-secret';
const credentials = {
  email: 'ada@example.com',
  api_key: 'key',
  domain: 'acme.atlassian.net',
  project: 'OPS',
  webhook_secret: SECRET,
};
const connection = { credentials, config: {} };
const ISSUE = 'POST /api/rest/api/3/issue';
const request = ({ route, headers, body }: Call) => ({
  route,
  authorization: headers['authorization'],
  body,
});

type Client = ReturnType<typeof createCloudClient>;
type Description = Parameters<Client['issueComments']['addComment']>[0]['body'];

it('opens an issue as a client does, with a marker to recognize it by, and returns its key', async () => {
  const made = { id: '1', key: 'OPS-8', self: 'x' };
  const api = await fakeApi({ [ISSUE]: () => [201, made, { 'content-type': 'application/json' }] });
  const input = { summary: ' Disk is full ', description: 'On web-1', issue_type: 'Bug' };
  const result = await createIssue.run(connection, input, stepIn(api.tools));
  expect(result).toEqual({ ok: true, output: { key: 'OPS-8' } });
  expect(result.ok && Object.keys(result.output)).toEqual(createIssue.outputs);
  const fields = api.calls[0]?.body?.['fields'] as { description: Description };
  expect(fields).toMatchObject({
    project: { key: 'OPS' },
    issuetype: { name: 'Bug' },
    summary: 'Disk is full',
  });
  expect(isOwnText(plainText(fields.description), SECRET)).toBe(true);
  await expectSame(api, request, () => {
    const client = createCloudClient({
      host: `${api.url}/api`,
      auth: { type: 'basic', email: 'ada@example.com', apiToken: 'key' },
      onSchemaMismatch: () => undefined,
    });
    return client.issues.createIssue({ fields });
  });
});

it('refuses a project that is not one without a call', async () => {
  const api = await fakeApi({});
  const error = expect.stringContaining('input.project must be the key of a project');
  expect(
    await createIssue.run(connection, { summary: 'x', project: 'no project' }, stepIn(api.tools)),
  ).toEqual({
    ok: false,
    error,
  });
  expect(api.calls).toEqual([]);
});

it('passes on the reason of a refusal, reports a refused token, and throws when there is no response', async () => {
  const type = await fakeApi({ [ISSUE]: () => [400, { errors: { issuetype: 'is invalid' } }] });
  expect(await createIssue.run(connection, { summary: 'x' }, stepIn(type.tools))).toEqual({
    ok: false,
    error: 'Jira responded with 400: issuetype: is invalid',
  });
  const token = await fakeApi({ [ISSUE]: () => [401, 'Client must be authenticated'] });
  expect(await createIssue.run(connection, { summary: 'x' }, stepIn(token.tools))).toEqual({
    ok: false,
    error: 'Jira responded with 401: Client must be authenticated',
    refused: 'credentials',
  });
  const down = await fakeApi({ [ISSUE]: () => [503, ''] });
  await expectUnavailable(
    createIssue.run(connection, { summary: 'x' }, stepIn(down.tools)),
    'responded with 503',
  );
});
