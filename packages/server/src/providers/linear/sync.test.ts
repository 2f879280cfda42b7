import { type LinearDocument, LinearClient } from '@linear/sdk';
import { expect, it } from 'vitest';
import { readPointer } from '../../domain/json/json-pointer.ts';
import { type Call, expectSame, fakeApi, NOW } from '../fake-api.fixture.ts';
import { linearSync } from './sync.ts';

const connection = {
  credentials: { api_key: 'lin_api_1', team: 'ENG', webhook_secret: 's' },
  url: 'https://hub.example.com/v1/ingest/int_1',
  hook: null,
};
const since = new Date(NOW.getTime() - 3_600_000);
const known = () => Promise.resolve(new Set<string>());
const request = ({ route, headers, body }: Call) => ({
  route,
  authorization: headers['authorization'],
  query: body?.['query'],
  variables: body?.['variables'],
});

it('asks as a client does, the issues page by page and then the comments', async () => {
  const api = await fakeApi({
    'POST /api/graphql'({ body }) {
      const name = String(body?.['query']).includes('issues(') ? 'issues' : 'comments';
      const hasNextPage = name === 'issues' && readPointer(body, '/variables/after') === null;
      const data = { [name]: { nodes: [], pageInfo: { hasNextPage, endCursor: 'next' } } };
      return [200, { data }, { 'content-type': 'application/json' }];
    },
  });
  const cursors: (string | null)[] = [null];
  for (const cursor of cursors) {
    const step = await linearSync.step(connection, { since, cursor, known }, api.tools);
    if (step.ok && step.cursor !== null) cursors.push(step.cursor);
  }
  expect(cursors).toEqual([null, 'issues next', 'comments ']);
  const asked = api.calls.map(({ body }) => body as { query: string; variables: Record<string, unknown> });
  await expectSame(api, request, async () => {
    const { client } = new LinearClient({ apiKey: 'lin_api_1', apiUrl: `${api.url}/api/graphql` });
    for (const { query, variables } of asked) await client.rawRequest(query, variables);
  });
  // The filters of the queries, checked by the client's types.
  const team = { key: { eq: 'ENG' } } satisfies LinearDocument.TeamFilter;
  const issues = { updatedAt: { gte: since }, team } satisfies LinearDocument.IssueFilter;
  const comments = { createdAt: { gte: since }, issue: { team } } satisfies LinearDocument.CommentFilter;
  expect(asked[0]?.variables).toEqual({ since: issues.updatedAt.gte.toISOString(), team, after: null });
  expect(asked[2]?.variables['since']).toBe(comments.createdAt.gte.toISOString());
});
