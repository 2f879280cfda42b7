import { createCloudClient } from 'jira.js/cloud';
import { describe, expect, it } from 'vitest';
import { type Call, expectSame, expectUnavailable, fakeApi, NOW, type Route } from '../fake-api.fixture.ts';
import type { Credentials, Hook, ProviderTools } from '../provider.ts';
import { jira } from './jira.ts';

const URL = 'https://hub.example.com/v1/ingest/int_1';
const HOOKS = '/api/ex/jira/cloud-1/rest/api/3/webhook';
const LIST = `GET ${HOOKS}?maxResults=100`;
const app = {
  auth: 'oauth',
  token: 'access-token',
  cloud_id: 'cloud-1',
  domain: 'acme.atlassian.net',
  client_secret: 'secret-of-the-app',
};
const FILTER = 'project != null';
const hook = { id: '1000', cloud_id: 'cloud-1', filter: FILTER };

const json =
  (status: number, body: unknown): Route =>
  () => [status, body, { 'content-type': 'application/json' }];
const listed = (...hooks: object[]) =>
  json(200, { isLast: true, startAt: 0, maxResults: 100, total: hooks.length, values: hooks });
const there = (id: number, url = URL) => ({
  id,
  url,
  jqlFilter: FILTER,
  events: ['jira:issue_created'],
  expirationDate: 1,
});
const made = (id: number) => json(200, { webhookRegistrationResult: [{ createdWebhookId: id }] });

const register = (credentials: Credentials, tools: ProviderTools, known: Hook | null = null) =>
  jira.register?.(credentials, { url: URL, secret: 'unused', hook: known }, tools);
const remove = (tools: ProviderTools, known: Hook | null, credentials: Credentials = app) =>
  jira.unregister?.(credentials, { url: URL, hook: known }, tools);
const request = ({ route, headers, body }: Call) => ({
  route,
  authorization: headers['authorization'],
  body,
});

const clientOf = (url: string) =>
  createCloudClient({
    host: `${url}/api/ex/jira/cloud-1`,
    auth: { type: 'bearer', token: app.token },
    onSchemaMismatch: () => undefined,
  });

describe('the webhooks of an OAuth app', () => {
  it('are registered for every issue, as a client does, and renewed in 20 days', async () => {
    const api = await fakeApi({ [LIST]: listed(), [`POST ${HOOKS}`]: made(1_000) });
    expect(await register(app, api.tools)).toEqual({
      registered: true,
      hook,
      created: true,
      renewAt: new Date(NOW.getTime() + 20 * 86_400_000),
    });
    const body = api.calls[1]?.body as { url: string; webhooks: { events: string[]; jqlFilter: string }[] };
    expect(body).toMatchObject({ url: URL, webhooks: [{ jqlFilter: FILTER }] });
    await expectSame(api, request, async () => {
      const client = clientOf(api.url);
      await client.webhooks.getDynamicWebhooksForApp({ maxResults: 100 });
      await client.webhooks.registerDynamicWebhooks(body);
    });
    await register({ ...app, project: 'OPS' }, api.tools);
    expect(api.calls.at(-1)?.body).toMatchObject({ webhooks: [{ jqlFilter: 'project = "OPS"' }] });
  });

  it('are renewed while they are there, as a client does', async () => {
    const api = await fakeApi({
      [LIST]: listed(there(999, 'https://else.example'), there(1_000)),
      [`PUT ${HOOKS}/refresh`]: json(200, { expirationDate: 1_711_929_600 }),
    });
    expect(await register(app, api.tools, hook)).toMatchObject({ registered: true, hook, created: false });
    await expectSame(api, request, async () => {
      const client = clientOf(api.url);
      await client.webhooks.getDynamicWebhooksForApp({ maxResults: 100 });
      await client.webhooks.refreshWebhooks({ webhookIds: [1_000] });
    });
  });

  it.each<[string, Hook | null, Credentials]>([
    ['nobody has stored', null, app],
    ['have another filter', hook, { ...app, project: 'OPS' }],
    ['have ended in the meantime', { ...hook, id: '7' }, app],
  ])('are created again if the existing ones %s', async (_what, known, credentials) => {
    const api = await fakeApi({
      [LIST]: listed(there(1_000), there(1_001)),
      [`DELETE ${HOOKS}`]: () => [202, ''],
      [`POST ${HOOKS}`]: made(1_002),
    });
    expect(await register(credentials, api.tools, known)).toMatchObject({
      hook: { id: '1002' },
      created: true,
    });
    expect(api.calls[1]).toMatchObject({ route: `DELETE ${HOOKS}`, body: { webhookIds: [1_000, 1_001] } });
  });

  it('are refused with the reason, which Jira also gives with 200', async () => {
    const errors = json(200, { webhookRegistrationResult: [{ errors: ['Operator is not is unsupported'] }] });
    const refused = await fakeApi({ [LIST]: listed(), [`POST ${HOOKS}`]: errors });
    expect(await register(app, refused.tools)).toEqual({
      registered: false,
      reason: 'Operator is not is unsupported',
    });
    const no = json(403, { errorMessages: ["The caller isn't an app."] });
    for (const routes of [{ [LIST]: no }, { [LIST]: listed(there(1_000)), [`PUT ${HOOKS}/refresh`]: no }]) {
      const { tools } = await fakeApi(routes);
      expect(await register(app, tools, hook)).toEqual({
        registered: false,
        reason: expect.stringContaining('manage:jira-webhook'),
      });
    }
    const { tools } = await fakeApi({ [LIST]: listed(), [`POST ${HOOKS}`]: json(200, {}) });
    await expectUnavailable(register(app, tools), 'did not say which');
  });

  it('are removed by their URL, as a client does', async () => {
    const api = await fakeApi({
      [LIST]: listed(there(5, 'https://else.example'), there(1_000)),
      [`DELETE ${HOOKS}`]: () => [202, ''],
    });
    await remove(api.tools, hook);
    await expectSame(api, request, async () => {
      const client = clientOf(api.url);
      await client.webhooks.getDynamicWebhooksForApp({ maxResults: 100 });
      await client.webhooks.deleteWebhookById({ webhookIds: [1_000] });
    });
    const gone = await fakeApi({ [LIST]: listed() });
    await remove(gone.tools, null);
    expect(gone.calls).toHaveLength(1);
  });

  it('that may still be there cause an error', async () => {
    const no = await fakeApi({ [LIST]: json(401, { code: 401, message: 'Unauthorized' }) });
    await expect(remove(no.tools, hook)).rejects.toThrow('Jira responded with 401: Unauthorized');
    await expect(remove(no.tools, hook, { ...app, cloud_id: 'cloud-2' })).rejects.toThrow(
      'at another Jira site',
    );
    const kept = await fakeApi({
      [LIST]: listed(there(1_000)),
      [`DELETE ${HOOKS}`]: json(403, { message: 'No' }),
    });
    await expect(remove(kept.tools, hook)).rejects.toThrow('Jira responded with 403: No');
  });
});
