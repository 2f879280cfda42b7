import { Octokit } from '@octokit/rest';
import { expect, it } from 'vitest';
import { type Call, expectSame, fakeApi, NOW, type Route } from '../fake-api.fixture.ts';
import { githubSync } from './sync.ts';

const credentials = { token: 'ghp_token', repository: 'octo/web' };
const connection = {
  credentials,
  url: 'https://hub.example.com/v1/ingest/int_1',
  hook: { path: '/repos/octo/web/hooks/7' },
};
const LOG = '/api/repos/octo/web/hooks/7/deliveries';
const since = new Date(NOW.getTime() - 86_400_000);
const position = { since, cursor: null, known: () => Promise.resolve(new Set<string>()) };
const request = ({ route, body }: Call) => ({ route, body });

// A JavaScript number would change the last digits of these.
const [NEW, OLD] = ['9007199254740993123', '9007199254740993122'];
const logged = (id: string, status = 503) =>
  `{"id":${id},"guid":"guid-${id}","delivered_at":"${NOW.toISOString()}","redelivery":false,"status_code":${status}}`;
const json = { 'content-type': 'application/json' };

it('reads the log and repeats calls as a client does, with every digit of their IDs', async () => {
  const api = await fakeApi({
    [`GET ${LOG}?per_page=100`]: () => [200, `[${logged(NEW)},${logged(OLD)}]`, json],
    [`POST ${LOG}/${NEW}/attempts`]: () => [202, {}, json],
    [`POST ${LOG}/${OLD}/attempts`]: () => [202, '', json],
  });
  expect(await githubSync.step(connection, position, api.tools)).toEqual({
    ok: true,
    events: [],
    called: 2,
    cursor: null,
  });
  await expectSame(api, request, async () => {
    const client = new Octokit({ baseUrl: `${api.url}/api`, auth: 'ghp_token' });
    const hook = { owner: 'octo', repo: 'web', hook_id: 7 };
    await client.rest.repos.listWebhookDeliveries({ ...hook, per_page: 100 });
    // The client's type is a number, but it puts any value into the path.
    for (const id of [NEW, OLD])
      await client.rest.repos.redeliverWebhookDelivery({ ...hook, delivery_id: id as never });
  });
});

it('continues below the last call, even if the two IDs differ only in digits that a number would lose', async () => {
  const calls = Array.from({ length: 21 }, (_, index) => String(9_007_199_254_740_993_200n - BigInt(index)));
  const api = await fakeApi({
    [`GET ${LOG}?per_page=100`]: () => [200, `[${calls.map((id) => logged(id)).join()}]`, json],
    ...Object.fromEntries(
      calls.map((id) => [`POST ${LOG}/${id}/attempts`, () => [202, {}, json] as ReturnType<Route>]),
    ),
  });
  const first = await githubSync.step(connection, position, api.tools);
  expect(first).toMatchObject({ ok: true, called: 20, cursor: `${calls[19]} ` });
  const second = await githubSync.step(
    connection,
    { ...position, cursor: first.ok ? first.cursor : null },
    api.tools,
  );
  expect(second).toMatchObject({ ok: true, called: 1, cursor: null });
  expect(api.calls.at(-1)?.route).toBe(`POST ${LOG}/${calls[20]}/attempts`);
});
