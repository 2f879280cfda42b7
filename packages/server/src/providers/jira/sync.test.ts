import { createCloudClient } from 'jira.js/cloud';
import { expect, it } from 'vitest';
import { type Call, expectSame, fakeApi, NOW } from '../fake-api.fixture.ts';
import { jiraSync } from './sync.ts';

const credentials = {
  email: 'ada@example.com',
  api_key: 'key',
  domain: 'acme.atlassian.net',
  project: 'OPS',
};
const connection = { credentials, url: 'https://hub.example.com/v1/ingest/int_1', hook: null };
const SEARCH = 'POST /api/rest/api/3/search/jql';
const since = new Date(NOW.getTime() - 3_600_000);
const known = () => Promise.resolve(new Set<string>());
const request = ({ route, headers, body }: Call) => ({
  route,
  authorization: headers['authorization'],
  body,
});

it('searches as a client does, page by page', async () => {
  const page = { issues: [], nextPageToken: 'next' };
  const api = await fakeApi({ [SEARCH]: () => [200, page, { 'content-type': 'application/json' }] });
  expect(await jiraSync.step(connection, { since, cursor: null, known }, api.tools)).toMatchObject({
    cursor: '61 next',
  });
  // A minute later, the search is still the one that the page token belongs to.
  const later = { ...api.tools, clock: () => new Date(NOW.getTime() + 60_000) };
  await jiraSync.step(connection, { since, cursor: '61 next', known }, later);
  await expectSame(api, request, async () => {
    const client = createCloudClient({
      host: `${api.url}/api`,
      auth: { type: 'basic', email: 'ada@example.com', apiToken: 'key' },
      onSchemaMismatch: () => undefined,
    });
    const search = {
      jql: 'project = "OPS" AND updated >= "-61m" ORDER BY updated ASC',
      fields: ['*all'],
      expand: 'changelog',
      maxResults: 50,
    };
    await client.issueSearch.searchAndReconsileIssuesUsingJqlPost(search);
    await client.issueSearch.searchAndReconsileIssuesUsingJqlPost({ ...search, nextPageToken: 'next' });
  });
});
