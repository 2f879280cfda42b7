import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { MockAgent, setGlobalDispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { API_KEY, clientOf } from '../test/client.ts';
import { scripted } from '../test/scripted-server.ts';
import { Hubline } from './hubline.node.ts';
import * as onNode from './index.node.ts';
import * as elsewhere from './index.ts';

const ORIGIN = 'https://hub.example.com';
const workspace = { id: 'ws_1' };
const client = new Hubline({ apiKey: API_KEY, baseURL: `${ORIGIN}/v1`, maxRetries: 0 });

it('exports the same names on Node as everywhere, and the same values except for the client', () => {
  expect(Object.keys(onNode).toSorted()).toEqual(Object.keys(elsewhere).toSorted());
  expect({ ...onNode, Hubline: null }).toEqual({ ...elsewhere, Hubline: null });
});

it('sends over node:http, or through a given fetch', async () => {
  await using server = await scripted({ status: 200, body: workspace });
  const modes: unknown[] = [];
  for (const options of [{}, { fetch }]) {
    await clientOf(server, options).client.workspaces.get('ws_1');
    modes.push(server.requests.at(-1)?.headers['sec-fetch-mode']);
  }
  expect(modes).toEqual([undefined, 'cors']);
});

it('can switch to fetch, and from fetch to another transport', async () => {
  await using server = await scripted({ status: 200, body: workspace });
  const given = clientOf(server).client.withOptions({ fetch });
  await given.workspaces.get('ws_1');
  const transport = async () => ({ status: 204, headers: {}, body: null });
  expect(await given.withOptions({ transport }).workspaces.delete('ws_1')).toBeUndefined();
  expect(server.requests).toHaveLength(1);
});

describe('is intercepted by', () => {
  it('msw', async () => {
    const server = setupServer(http.get(`${ORIGIN}/v1/workspaces/ws_1`, () => HttpResponse.json(workspace)));
    server.listen();
    try {
      expect(await client.workspaces.get('ws_1')).toEqual(workspace);
    } finally {
      server.close();
    }
  });

  it('nock', async () => {
    const { default: nock } = await import('nock');
    const scope = nock(ORIGIN).get('/v1/workspaces/ws_1').reply(200, workspace);
    try {
      expect(await client.workspaces.get('ws_1')).toEqual(workspace);
      expect(scope.isDone()).toBe(true);
    } finally {
      nock.restore();
    }
  });

  // Runs last, because a dispatcher can be replaced but not removed.
  it('the mock of undici, when it sends through fetch', async () => {
    const mock = new MockAgent();
    mock.disableNetConnect();
    const json = { headers: { 'content-type': 'application/json' } };
    mock.get(ORIGIN).intercept({ path: '/v1/workspaces/ws_1' }).reply(200, workspace, json);
    setGlobalDispatcher(mock);
    expect(await client.withOptions({ fetch }).workspaces.get('ws_1')).toEqual(workspace);
  });
});
