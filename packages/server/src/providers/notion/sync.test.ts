import { Client } from '@notionhq/client';
import { expect, it } from 'vitest';
import { type Call, expectSame, fakeApi, NOW } from '../fake-api.fixture.ts';
import { notionSync } from './sync.ts';

const connection = {
  credentials: { token: 'ntn_1' },
  url: 'https://hub.example.com/v1/ingest/int_1',
  hook: null,
};
const SEARCH = 'POST /api/v1/search';
const since = new Date(NOW.getTime() - 3_600_000);
const known = () => Promise.resolve(new Set<string>());
const request = ({ route, headers, body }: Call) => ({
  route,
  authorization: headers['authorization'],
  version: headers['notion-version'],
  body,
});

it('searches as a client does, page by page', async () => {
  const page = { object: 'list', results: [], has_more: true, next_cursor: 'next' };
  const api = await fakeApi({ [SEARCH]: () => [200, page, { 'content-type': 'application/json' }] });
  expect(await notionSync.step(connection, { since, cursor: null, known }, api.tools)).toMatchObject({
    cursor: 'next',
  });
  await notionSync.step(connection, { since, cursor: 'next', known }, api.tools);
  await expectSame(api, request, async () => {
    const client = new Client({ auth: 'ntn_1', baseUrl: `${api.url}/api` });
    const sort = { timestamp: 'last_edited_time', direction: 'descending' } as const;
    await client.search({ sort, page_size: 100 });
    await client.search({ sort, page_size: 100, start_cursor: 'next' });
  });
});
