import { createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { parseServerConfig } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { listJobs } from '../../src/start/operator-jobs.ts';
import { withStorage } from '../../src/start/storage/with-storage.ts';
import { Api } from '../api/support/api.ts';
import {
  CHEAP,
  newWorkspace,
  onSqlite,
  type TestWorkspace,
  startWorkspace,
} from '../api/support/workspace.ts';
import {
  type ReceivedCall,
  type Receiver,
  type ReceiverResponse,
  startReceiver,
} from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';

// The API of a tool lists the missed events: the tool makes its failed calls again, or a search finds the changes. The tools
// have been connected for some days, by the clock of the test.

const DAY_MS = 24 * 60 * 60_000;
let offsetMs = 0;
const now = () => Date.now() + offsetMs;
/** The time at which a test began, so that a tool gives the same times in every response. */
let began = 0;
const ago = (ms: number) => new Date(began - ms).toISOString();

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

/** A call of a tool to its ingest URL. */
interface Call {
  headers: Record<string, string>;
  body: string;
}

/** A tool in which things happened while its own calls were lost. */
interface Tool {
  provider: 'github' | 'gitlab' | 'jira' | 'notion' | 'linear';
  credentials: Record<string, string>;
  /** Its API, which accepts the credentials. */
  api(
    call: ReceivedCall,
    ingest: { url: string; secret: string },
  ): ReceiverResponse | Promise<ReceiverResponse>;
  /** A call that has arrived, and that its API lists as well. */
  came(secret: string): Call;
  /** The events that the sync makes, oldest first. */
  missed: { type: string; summary: object }[];
  /** The number of events that the sync makes if not even that call has arrived. */
  all: number;
}

const post = (url: string, { headers, body }: Call) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

/** GitHub and GitLab make their lost calls again, to the ingest URL. */
const githubCall = (secret: string, guid: string, number: number): Call => {
  const body = JSON.stringify({
    action: 'opened',
    issue: { number, title: `Issue ${number}` },
    repository: { full_name: 'octo/web' },
  });
  const headers = {
    'x-hub-signature-256': `sha256=${hmac(secret, body)}`,
    'x-github-event': 'issues',
    'x-github-delivery': guid,
  };
  return { headers, body };
};

const github: Tool = {
  provider: 'github',
  credentials: { token: 'ghp_good', repository: 'octo/web' },
  async api({ method, url }, ingest) {
    const hooks = '/repos/octo/web/hooks';
    if (url === '/user') return { status: 200, body: { login: 'octocat' } };
    if (method === 'POST' && url === hooks) return { status: 201, body: { id: 7 } };
    // Call 5 succeeded, call 4 came in although GitHub gave up waiting, and call 1 is from before the webhook existed.
    if (url === `${hooks}/7/deliveries?per_page=100`) {
      const next = `<https://api.github.com/repositories/1/hooks/7/deliveries?per_page=100&cursor=v1_2>; rel="next"`;
      return {
        status: 200,
        headers: { link: next },
        body: [logged(5, 200, 60_000), logged(4, 504, 120_000)],
      };
    }
    if (url === `${hooks}/7/deliveries?per_page=100&cursor=v1_2`) {
      const calls = [logged(3, 503, 180_000), logged(2, 0, DAY_MS), logged(1, 503, 20 * DAY_MS)];
      return { status: 200, body: calls };
    }
    const [, again] = /^\/repos\/octo\/web\/hooks\/7\/deliveries\/([234])\/attempts$/.exec(url) ?? [];
    if (method === 'POST' && again !== undefined) {
      await post(ingest.url, githubCall(ingest.secret, `guid-${again}`, Number(again)));
      return { status: 202, body: {} };
    }
    if (method === 'DELETE') return { status: 204 };
    return { status: 404, body: { message: 'Not Found' } };
  },
  came: (secret) => githubCall(secret, 'guid-4', 4),
  missed: [
    { type: 'issue', summary: { subject: { name: 'Issue 3' } } },
    { type: 'issue', summary: { subject: { name: 'Issue 2' } } },
  ],
  all: 3,
};

/** A call in the log of GitHub. */
const logged = (id: number, status_code: number, ms: number) => ({
  id,
  guid: `guid-${id}`,
  redelivery: false,
  status_code,
  delivered_at: ago(ms),
});

const gitlabCall = (secret: string, key: string, iid: number): Call => ({
  body: JSON.stringify({
    object_kind: 'issue',
    project: { path_with_namespace: 'acme/web' },
    object_attributes: { iid, title: `Issue ${iid}`, action: 'open' },
  }),
  headers: { 'x-gitlab-token': secret, 'x-gitlab-event': 'Issue Hook', 'idempotency-key': key },
});

const gitlab: Tool = {
  provider: 'gitlab',
  credentials: { token: 'glpat-good', project: 'acme/web' },
  async api({ method, url }, ingest) {
    const hooks = '/projects/acme%2Fweb/hooks';
    if (url === '/user') return { status: 200, body: { username: 'ada' } };
    if (method === 'POST' && url === hooks) return { status: 201, body: { id: 1 } };
    const call = (id: number, response_status: string) => ({
      id,
      url: ingest.url,
      trigger: 'issue_hooks',
      request_headers: { 'Idempotency-Key': `key-${id}`, 'X-Gitlab-Token': '[REDACTED]' },
      response_status,
    });
    if (url === `${hooks}/1/events?per_page=100&page=1`)
      return { status: 200, headers: { 'x-next-page': '2' }, body: [call(4, '503'), call(3, '200')] };
    if (url === `${hooks}/1/events?per_page=100&page=2`)
      return { status: 200, headers: { 'x-next-page': '' }, body: [call(2, 'internal error')] };
    const [, again] = /\/hooks\/1\/events\/([24])\/resend$/.exec(url) ?? [];
    if (method === 'POST' && again !== undefined) {
      await post(ingest.url, gitlabCall(ingest.secret, `key-${again}`, Number(again)));
      return { status: 201, body: { response_status: 200 } };
    }
    if (method === 'DELETE') return { status: 204 };
    return method === 'GET' ? { status: 200, body: [] } : { status: 404, body: { message: '404 Not found' } };
  },
  came: (secret) => gitlabCall(secret, 'key-4', 4),
  missed: [{ type: 'issue', summary: { subject: { id: 'acme/web#2' } } }],
  all: 2,
};

/** A time as Jira writes it, which is not RFC 3339. */
const jiraTime = (ms: number) => ago(ms).replace('Z', '+0000');
const jiraIssue = () => ({
  id: '10007',
  key: 'OPS-7',
  fields: {
    summary: 'Disk is full',
    project: { key: 'OPS', name: 'Operations' },
    creator: { accountId: 'a1', displayName: 'Ada' },
    created: jiraTime(3_600_000),
    updated: jiraTime(600_000),
    comment: {
      comments: [
        {
          id: '501',
          author: { accountId: 'a2', displayName: 'Li' },
          body: {
            type: 'doc',
            version: 1,
            content: [{ type: 'paragraph', content: [{ type: 'text', text: 'On it' }] }],
          },
          created: jiraTime(1_200_000),
          updated: jiraTime(1_200_000),
        },
      ],
    },
  },
});
const jiraHistory = (id: string, ms: number, to: string) => ({
  id,
  author: { accountId: 'a1', displayName: 'Ada' },
  created: jiraTime(ms),
  items: [{ field: 'status', fromString: 'To Do', toString: to }],
});

const jira: Tool = {
  provider: 'jira',
  credentials: { email: 'ada@example.com', api_key: 'good', domain: 'acme.atlassian.net' },
  api({ method, url, body }) {
    if (url === '/rest/api/3/myself') return { status: 200, body: { accountId: 'a1' } };
    const self = 'https://acme.atlassian.net/rest/webhooks/1.0/webhook/72';
    if (url === '/rest/api/3/search/jql') {
      const asked = JSON.parse(body) as { jql: string; nextPageToken?: string };
      expect(asked.jql).toMatch(/^updated >= "-\d+m" ORDER BY updated ASC$/);
      if (asked.nextPageToken === undefined)
        return { status: 200, body: { issues: [], nextPageToken: 'page-2', isLast: false } };
      const histories = [jiraHistory('902', 600_000, 'Done'), jiraHistory('901', 1_800_000, 'In Progress')];
      return { status: 200, body: { issues: [{ ...jiraIssue(), changelog: { histories } }], isLast: true } };
    }
    if (method === 'DELETE') return { status: 204 };
    return method === 'GET' ? { status: 200, body: [] } : { status: 201, body: { self } };
  },
  came(secret) {
    const { created: _, ...changelog } = jiraHistory('901', 0, 'In Progress');
    const body = JSON.stringify({ webhookEvent: 'jira:issue_updated', issue: jiraIssue(), changelog });
    const headers = {
      'x-hub-signature': `sha256=${hmac(secret, body)}`,
      'x-atlassian-webhook-identifier': randomUUID(),
    };
    return { headers, body };
  },
  missed: [
    { type: 'issue', summary: { action: 'created', actor: { name: 'Ada' } } },
    { type: 'issue', summary: { action: 'created', text: 'On it', actor: { name: 'Li' } } },
    { type: 'issue', summary: { action: 'updated', text: expect.stringContaining('status: To Do → Done') } },
  ],
  all: 4,
};

const notionPage = (id: string, created: string, edited: string) => ({
  object: 'page',
  id,
  created_time: created,
  last_edited_time: edited,
  last_edited_by: { object: 'user', id: 'u1' },
  parent: { type: 'page_id', page_id: 'p0' },
});
const minute = (ms: number) => `${ago(ms).slice(0, 17)}00.000Z`;

const notion: Tool = {
  provider: 'notion',
  credentials: { token: 'ntn_good', verification_token: 'secret_0123456789abcdef' },
  api({ url, body }) {
    if (url === '/v1/users/me') return { status: 200, body: { object: 'user', id: 'bot' } };
    const { start_cursor: cursor } = JSON.parse(body) as { start_cursor?: string };
    const old = minute(20 * DAY_MS);
    const pages = cursor
      ? [notionPage('33333333-0000-4000-8000-000000000003', old, minute(900_000))]
      : [
          notionPage('11111111-0000-4000-8000-000000000001', old, minute(300_000)),
          notionPage('22222222-0000-4000-8000-000000000002', minute(600_000), minute(600_000)),
        ];
    if (cursor) pages.push(notionPage('44444444-0000-4000-8000-000000000004', old, minute(19 * DAY_MS)));
    return {
      status: 200,
      body: { object: 'list', results: pages, next_cursor: cursor ? 'more' : 'page-2', has_more: true },
    };
  },
  came(secret) {
    const body = JSON.stringify({
      id: randomUUID(),
      type: 'page.content_updated',
      timestamp: minute(300_000).replace('00.000Z', '07.120Z'),
      entity: { id: '11111111-0000-4000-8000-000000000001', type: 'page' },
      authors: [{ id: 'u1', type: 'person' }],
    });
    return { body, headers: { 'x-notion-signature': `sha256=${hmac(secret, body)}` } };
  },
  missed: [
    { type: 'page', summary: { action: 'created', subject: { id: '22222222-0000-4000-8000-000000000002' } } },
    { type: 'page', summary: { action: 'updated', subject: { id: '33333333-0000-4000-8000-000000000003' } } },
  ],
  all: 3,
};

const linearIssue = (id: string, identifier: string, created: string, updated: string) => ({
  id,
  identifier,
  title: 'Passkeys',
  url: `https://linear.app/acme/issue/${identifier}`,
  createdAt: created,
  updatedAt: updated,
  creator: { id: 'u1', name: 'Ada' },
  team: { id: 't1', key: 'ENG', name: 'Engineering' },
});

const linear: Tool = {
  provider: 'linear',
  credentials: { api_key: 'lin_api_good' },
  api({ body }) {
    const { query, variables } = JSON.parse(body) as { query: string; variables: { after: string | null } };
    const field = /\{\s*(\w+)/.exec(query)?.[1] ?? '';
    const page = (nodes: object[], end: string | null) => ({
      nodes,
      pageInfo: { hasNextPage: end !== null, endCursor: end },
    });
    const old = ago(20 * DAY_MS);
    const data: Record<string, object> = {
      viewer: { id: 'u1' },
      webhooks: { nodes: [] },
      webhookCreate: { success: true, webhook: { id: 'w1' } },
      webhookDelete: { success: true },
      issues:
        variables.after === null
          ? page([linearIssue('i1', 'ENG-1', old, ago(300_000))], 'end-1')
          : page([linearIssue('i2', 'ENG-2', old, ago(200_000))], null),
      comments: page(
        [
          {
            id: 'c1',
            body: 'Looks good',
            createdAt: ago(100_000),
            user: { id: 'u2', name: 'Li' },
            issue: { id: 'i1', identifier: 'ENG-1', title: 'Passkeys' },
          },
        ],
        null,
      ),
    };
    return { status: 200, body: { data: { [field]: data[field] ?? null } } };
  },
  came(secret) {
    const body = JSON.stringify({
      action: 'update',
      type: 'Issue',
      createdAt: ago(300_000),
      data: linearIssue('i1', 'ENG-1', ago(20 * DAY_MS), ago(300_000)),
      webhookTimestamp: now(),
    });
    return { body, headers: { 'linear-signature': hmac(secret, body), 'linear-delivery': randomUUID() } };
  },
  missed: [
    { type: 'issue', summary: { action: 'update', subject: { id: 'ENG-2' } } },
    { type: 'issue', summary: { action: 'create', text: 'Looks good' } },
  ],
  all: 3,
};

// A provider calls again, as GitHub does, or the sync stores the events that it reads, as with Jira. Storage sees no other difference.
const TOOLS = onSqlite ? [github, gitlab, jira, notion, linear] : [github, jira];
const apis = new Map<Tool, Receiver>();
/** Replaces the responses of every API. */
let instead: ReceiverResponse | null = null;
/** Called before every response. */
let before: (call: ReceivedCall) => Promise<void> | void = () => {};
let ingest = { url: '', secret: '' };
let server: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
beforeAll(async () => {
  const env: Record<string, string> = {};
  for (const tool of TOOLS) {
    const api = await startReceiver(async (call) => {
      await before(call);
      return instead ?? tool.api(call, ingest);
    });
    apis.set(tool, api);
    env[`HUBLINE_${tool.provider.toUpperCase()}_API_URL`] = api.url;
  }
  server = await startWorkspace({ env, clock: () => new Date(now()) });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([...apis.values()].map((api) => api.stop()));
});
beforeEach(async () => {
  instead = null;
  workspace = await newWorkspace(server);
});

/** A tool that was connected ten days ago. */
async function connected(tool: Tool): Promise<string> {
  const { provider, credentials } = tool;
  const made = await workspace.api.call('integrations.connect', {
    body: { workspace_id: workspace.workspaceId, provider, credentials },
  });
  offsetMs += 10 * DAY_MS;
  began = now();
  // The tool was connected ten days before `began`: older events are not missed ones.
  const secret = made.ingest.secret ?? credentials['verification_token'] ?? '';
  ingest = { url: made.ingest.url, secret };
  apis.get(tool)?.calls.splice(0);
  return made.integration_id;
}

const get = (integrationId: string) => workspace.api.call('integrations.get', { params: { integrationId } });
const sync = (integrationId: string) =>
  workspace.api.call('integrations.sync', { params: { integrationId } });
const events = async () =>
  (await workspace.api.call('events.list', { params: { id: workspace.workspaceId } })).data.toReversed();

/** Waits until the sync has ended, and skips its pauses. */
async function ended(integrationId: string) {
  let state = (await get(integrationId)).sync;
  await until('the sync ends', async () => {
    state = (await get(integrationId)).sync;
    if (state?.status !== 'running') return true;
    if (state.error !== null || state.called > 0) await sync(integrationId);
    return false;
  });
  return state;
}

describe.each(TOOLS)('a sync with $provider', (tool) => {
  it('finds the events that did not arrive, once, and none that did', async () => {
    const integrationId = await connected(tool);
    expect((await get(integrationId)).sync).toBeNull();
    expect((await post(ingest.url, tool.came(ingest.secret))).status).toBeLessThan(300);
    const [came] = await events();

    const begun = await sync(integrationId);
    expect(begun).toMatchObject({ status: 'running', completed_at: null, error: null });
    const done = await ended(integrationId);
    expect(done).toMatchObject({ status: 'completed', started_at: begun.started_at, error: null });
    const found = await events();
    expect(found).toMatchObject([{ event_id: came?.event_id }, ...tool.missed]);
    expect((done?.events ?? 0) + (done?.called ?? 0)).toBe(tool.missed.length);
    const { last_event: last } = await get(integrationId);
    expect(last).toMatchObject({ event_id: found.at(-1)?.event_id, type: found.at(-1)?.type });

    await sync(integrationId);
    expect(await ended(integrationId)).toMatchObject({ status: 'completed', events: 0 });
    expect(await events()).toEqual(found);
  });

  it.each([
    ['refuses the token', refusal(401, 'Bad credentials')],
    ['does not allow it', refusal(403, 'Forbidden')],
  ])('ends when its API %s', async (_what, response) => {
    const integrationId = await connected(tool);
    instead = response;
    await sync(integrationId);
    const failed = { status: 'failed', error: expect.stringMatching(/./) };
    expect(await ended(integrationId)).toMatchObject(failed);
    const isToken = response.status === 401;
    expect(await get(integrationId)).toMatchObject({ status: isToken ? 'error' : 'connected' });
    instead = null;
    await sync(integrationId);
    expect(await ended(integrationId)).toMatchObject({ status: 'completed' });
    expect(await get(integrationId)).toMatchObject({ status: 'connected' });
    expect(await events()).toHaveLength(tool.all);
  });

  it.each<[what: string, response: ReceiverResponse, error: RegExp]>([
    ['limited', { status: 429, headers: { 'retry-after': '7' } }, /429/],
    ['broken', { status: 500 }, /500/],
    ['a page', { status: 200, text: '<html>Log in to the Wi-Fi</html>' }, /not JSON/],
    ['empty', { status: 200 }, /an empty body/],
  ])('continues once its API is no longer %s, and says why it waits', async (_what, response, error) => {
    const integrationId = await connected(tool);
    instead = response;
    await sync(integrationId);
    await until('a step has failed', async () => (await get(integrationId)).sync?.error != null);
    expect((await get(integrationId)).sync).toMatchObject({
      status: 'running',
      error: expect.stringMatching(error),
    });
    expect(await get(integrationId)).toMatchObject({ status: 'connected' });
    instead = null;
    expect(await ended(integrationId)).toMatchObject({ status: 'completed', error: null });
    expect(await events()).toHaveLength(tool.all);
  });
});

/** A refusal in the format of every tool. */
function refusal(status: number, message: string): ReceiverResponse {
  const type = status === 401 ? 'authentication error' : 'forbidden';
  return { status, body: { message, errors: [{ message, extensions: { type } }] } };
}

it.each([
  ['custom', {}, 'Custom webhook has no API that lists past changes'],
  ['github', { token: 'ghp_good' }, 'names no repository or organization'],
])('says that there is no sync with %s', async (provider, credentials, issue) => {
  const { integration_id: integrationId } = await workspace.api.call('integrations.connect', {
    body: { workspace_id: workspace.workspaceId, provider, credentials },
  });
  const refused = await workspace.api.refused('integrations.sync', 422, { params: { integrationId } });
  expect(refused.message).toContain(issue);
});

it('stores nothing that comes after the integration was disconnected', async () => {
  const integrationId = await connected(jira);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  before = ({ body }) => {
    if (!body.includes('"nextPageToken"')) return;
    asked.resolve();
    return answered.promise;
  };
  onTestFinished(() => void (before = () => {}));
  await sync(integrationId);
  await asked.promise;
  await workspace.api.call('integrations.disconnect', {
    params: { id: workspace.workspaceId, integrationId },
  });
  answered.resolve();
  const config = parseServerConfig(server.server.storage, {});
  await until('the job ends', async () => (await listJobs(config, { kind: 'sync' })).length === 0);
  expect(await events()).toEqual([]);
});

it('continues a sync whose job an older version has left', async () => {
  const integrationId = await connected(github);
  instead = { status: 500 };
  await sync(integrationId);
  await until('a step has failed', async () => (await get(integrationId)).sync?.error != null);
  const config = parseServerConfig(server.server.storage, {});
  await until(
    'the job waits',
    async () => (await listJobs(config, { kind: 'sync' }))[0]?.state === 'retrying',
  );
  await withStorage(config, ({ store }) =>
    store.write((tx) =>
      tx.updateTable('jobs').set({ kind: 'catch_up' }).where('kind', '=', 'sync').execute(),
    ),
  );
  instead = null;
  expect(await ended(integrationId)).toMatchObject({ status: 'completed', error: null });
  expect(await events()).toHaveLength(github.all);
});

it('syncs by itself once the credentials are valid again', async () => {
  const integrationId = await connected(github);
  instead = refusal(401, 'Bad credentials');
  await workspace.api.call('integrations.test', {
    params: { integrationId },
    body: { event_type: 'event.created', payload: { message: 'Hello' } },
  });
  instead = null;
  await workspace.api.call('integrations.reconnect', {
    params: { integrationId },
    body: { credentials: github.credentials },
  });
  await until('the sync has ended', async () => (await get(integrationId)).sync?.status === 'completed');
  expect(await events()).toHaveLength(github.all);
});

it('syncs by itself after a time in which no server ran, once, and not after a restart', async () => {
  const data = await mkdtemp(join(tmpdir(), 'hubline-downtime-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const config = parseServerConfig(
    {
      data,
      port: 0,
      allowHttpLocalhost: true,
      logLevel: 'silent',
      synchronous: 'NORMAL',
      senders: 0,
      httpThread: 'off',
    },
    { HUBLINE_GITHUB_API_URL: apis.get(github)?.url },
  );
  const owner = await bootstrap(config, { email: 'ana@example.com', name: 'Acme', slug: 'acme' });
  const clock = () => new Date(now());
  const run = async <Result>(use: (api: Api) => Promise<Result>): Promise<Result> => {
    await using server = await startServer(config, { ...CHEAP, clock });
    return await use(new Api(server.baseUrl, owner.api_key));
  };
  const params = { id: owner.workspace_id ?? '' };
  const { integration_id: integrationId, secret } = await run(async (api) => {
    const { ingest: made, ...integration } = await api.call('integrations.connect', {
      body: { workspace_id: params.id, provider: 'github', credentials: github.credentials },
    });
    return { ...integration, secret: made.secret ?? '' };
  });
  const syncOf = async (api: Api) => (await api.call('integrations.get', { params: { integrationId } })).sync;

  offsetMs += 60_000;
  await run(async (api) => expect(await syncOf(api)).toBeNull());

  const since = clock().toISOString();
  offsetMs += 10 * DAY_MS;
  began = now();
  const first = await run(async (api) => {
    const { ingest: made } = await api.call('integrations.get', { params: { integrationId } });
    ingest = { url: made.url, secret };
    let found = await syncOf(api);
    await until('the sync has ended', async () => (found = await syncOf(api))?.status === 'completed');
    expect(found).toMatchObject({ called: github.all });
    expect((found?.since ?? '') <= since).toBe(true);
    const { data: events } = await api.call('events.list', { params });
    expect(events).toHaveLength(github.all);
    return found;
  });
  await run(async (api) => expect(await syncOf(api)).toEqual(first));
});
