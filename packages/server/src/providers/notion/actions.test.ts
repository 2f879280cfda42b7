import { Client } from '@notionhq/client';
import { expect, it } from 'vitest';
import { type Call, expectSame, expectUnavailable, fakeApi, stepIn } from '../fake-api.fixture.ts';
import { notionActions } from './actions.ts';

const { 'notion.append': append } = notionActions;
const PAGE = '337e31d64eb980fab299c93680d85322';
const connection = { credentials: { token: 'ntn_token' }, config: { channel: PAGE } };
const CHILDREN = `PATCH /api/v1/blocks/${PAGE}/children`;
const request = ({ route, headers, body }: Call) => ({
  route,
  authorization: headers['authorization'],
  version: headers['notion-version'],
  body,
});

it('appends a paragraph for each line as a client does, to the page of the integration', async () => {
  const api = await fakeApi({ [CHILDREN]: () => [200, { object: 'list', results: [] }] });
  const result = await append.run(connection, { text: 'v2 is out\n\nNow.' }, stepIn(api.tools));
  expect(result).toEqual({ ok: true, output: { page: PAGE } });
  expect(result.ok && Object.keys(result.output)).toEqual(append.outputs);
  const children = api.calls[0]?.body?.['children'];
  expect(children).toHaveLength(2);
  await expectSame(api, request, () => {
    const client = new Client({ auth: 'ntn_token', baseUrl: `${api.url}/api` });
    type Children = Parameters<typeof client.blocks.children.append>[0]['children'];
    return client.blocks.children.append({ block_id: PAGE, children: children as Children });
  });
});

it('takes the page by its URL, and refuses what is not a page without a call', async () => {
  const api = await fakeApi({ [CHILDREN]: () => [200, { object: 'list', results: [] }] });
  const page = `https://www.notion.so/acme/Releases-${PAGE}`;
  expect(await append.run(connection, { page, text: 'x' }, stepIn(api.tools))).toMatchObject({ ok: true });
  const error = expect.stringContaining("input.page must be a page's URL or ID");
  expect(await append.run(connection, { page: 'Releases', text: 'x' }, stepIn(api.tools))).toEqual({
    ok: false,
    error,
  });
  expect(api.calls).toHaveLength(1);
});

it('passes on the reason of a refusal, reports a refused token, and asks for a retry after a conflict', async () => {
  const gone = await fakeApi({ [CHILDREN]: () => [404, { message: 'Could not find block.' }] });
  expect(await append.run(connection, { text: 'x' }, stepIn(gone.tools))).toEqual({
    ok: false,
    error: 'Notion responded with 404: Could not find block',
  });
  const token = await fakeApi({ [CHILDREN]: () => [401, { message: 'API token is invalid.' }] });
  expect(await append.run(connection, { text: 'x' }, stepIn(token.tools))).toEqual({
    ok: false,
    error: 'Notion responded with 401: API token is invalid',
    refused: 'credentials',
  });
  const busy = await fakeApi({ [CHILDREN]: () => [409, { message: 'Conflict' }] });
  await expectUnavailable(append.run(connection, { text: 'x' }, stepIn(busy.tools)), 'responded with 409');
});
