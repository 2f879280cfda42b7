import { Gitlab } from '@gitbeaker/rest';
import { expect, it } from 'vitest';
import { type Call, expectSame, fakeApi, NOW } from '../fake-api.fixture.ts';
import { gitlabSync } from './sync.ts';

const URL = 'https://hub.example.com/v1/ingest/int_1';
const connection = { credentials: { token: 'glpat-1', project: 'acme/web' }, url: URL, hook: null };
const HOOKS = '/api/projects/acme%2Fweb/hooks';
const since = new Date(NOW.getTime() - 86_400_000);
const position = { since, cursor: null, known: () => Promise.resolve(new Set<string>()) };
const json = { 'content-type': 'application/json' };
const request = ({ route, headers }: Call) => ({
  // The client adds the version of the API by itself.
  route: route.replace('/api/v4/', '/api/'),
  token: headers['private-token'],
});

it('looks for the webhook as a client does, and repeats calls with every digit of their IDs', async () => {
  const id = '9007199254740993123';
  const event = `{"id":${id},"response_status":"internal error","created_at":"${NOW.toISOString()}","request_headers":{"Idempotency-Key":"k1"}}`;
  const list = () => [200, [{ id: 7, url: URL }], json] as [number, unknown, Record<string, string>];
  const api = await fakeApi({
    [`GET ${HOOKS}?per_page=100`]: list,
    [`GET ${HOOKS.replace('/api/', '/api/v4/')}?per_page=100`]: list,
    [`GET ${HOOKS}/7/events?per_page=100&page=1`]: () => [200, `[${event}]`, json],
    [`POST ${HOOKS}/7/events/${id}/resend`]: () => [201, { response_status: 200 }, json],
  });
  expect(await gitlabSync.step(connection, position, api.tools)).toMatchObject({
    ok: true,
    called: 1,
    cursor: null,
  });
  // The client (version 43.8) has no method for the calls of a webhook.
  const [looked] = api.calls.splice(0);
  if (looked) api.calls.push(looked);
  await expectSame(api, request, () =>
    new Gitlab({ host: api.url, token: 'glpat-1' }).ProjectHooks.all('acme/web', {
      perPage: 100,
      maxPages: 1,
    }),
  );
});
