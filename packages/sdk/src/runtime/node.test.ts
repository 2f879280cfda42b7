import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { Agent, MockAgent, setGlobalDispatcher } from 'undici';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { API_KEY, clientOf } from '../../test/client.ts';
import { scripted } from '../../test/scripted-server.ts';
import { Hubline } from '../client.ts';

const ORIGIN = 'https://hub.example.com';
const workspace = { id: 'ws_1' };
const client = new Hubline({ apiKey: API_KEY, baseURL: `${ORIGIN}/v1`, maxRetries: 0 });

/** Whether the default transport goes through `fetch`, which says so in a header. */
async function goesThroughFetch(): Promise<boolean> {
  await using server = await scripted({ status: 200, body: workspace });
  await clientOf(server).client.workspaces.get('ws_1');
  return server.requests[0]?.headers['sec-fetch-mode'] !== undefined;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it('sends over node:http, also after somebody has used fetch', async () => {
  expect(await goesThroughFetch()).toBe(false);
  await fetch('http://127.0.0.1:1').catch(() => {});
  expect(await goesThroughFetch()).toBe(false);
});

describe('goes through fetch', () => {
  it('while it is replaced', async () => {
    const { fetch: original } = globalThis;
    const seen: string[] = [];
    vi.stubGlobal('fetch', (request: Request, init: RequestInit) => {
      seen.push(request.url);
      return original(request, init);
    });
    expect(await goesThroughFetch()).toBe(true);
    expect(seen).toHaveLength(1);
    vi.unstubAllGlobals();
    expect(await goesThroughFetch()).toBe(false);
  });

  it('while somebody listens to its diagnostics', async () => {
    const paths: string[] = [];
    const listener = (message: unknown) => {
      paths.push((message as { request: { path: string } }).request.path);
    };
    subscribe('undici:request:create', listener);
    expect(await goesThroughFetch()).toBe(true);
    unsubscribe('undici:request:create', listener);
    expect(paths).toEqual(['/v1/workspaces/ws_1']);
    expect(await goesThroughFetch()).toBe(false);
  });
});

describe('is caught by', () => {
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
    // Loading it replaces fetch already.
    const { default: nock } = await import('nock');
    const scope = nock(ORIGIN).get('/v1/workspaces/ws_1').reply(200, workspace);
    try {
      expect(await client.workspaces.get('ws_1')).toEqual(workspace);
      expect(scope.isDone()).toBe(true);
    } finally {
      nock.restore();
    }
  });

  // The last, because a dispatcher can be replaced but not be taken away again.
  it('the mock of undici, as any dispatcher that somebody sets', async () => {
    const mock = new MockAgent();
    mock.disableNetConnect();
    const json = { headers: { 'content-type': 'application/json' } };
    mock.get(ORIGIN).intercept({ path: '/v1/workspaces/ws_1' }).reply(200, workspace, json);
    setGlobalDispatcher(mock);
    expect(await client.workspaces.get('ws_1')).toEqual(workspace);
    setGlobalDispatcher(new Agent({ connect: { timeout: 1_000 } }));
    expect(await goesThroughFetch()).toBe(true);
  });
});
