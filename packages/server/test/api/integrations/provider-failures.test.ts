import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listJobs } from '../../../src/start/operator-jobs.ts';
import { parseServerConfig } from '../../../src/config/config.ts';
import type { ReadResponse } from '../support/api.ts';
import { openStore } from '../../delivery/support.ts';
import { callFromGithub, type FakeGithub, startFakeGithub } from '../support/stand-ins/fake-github.ts';
import { newWorkspace, onSqlite, type TestWorkspace, startWorkspace, unique } from '../support/workspace.ts';
import type { ReceiverResponse } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let github: FakeGithub;
let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
beforeAll(async () => {
  github = await startFakeGithub();
  root = await startWorkspace({ env: { HUBLINE_GITHUB_API_URL: github.url }, providerTimeoutMs: 400 });
});
afterAll(async () => {
  await root.stop();
  await github.stop();
});
beforeEach(async () => {
  github.reset();
  workspace = await newWorkspace(root);
});

const never = new Promise<ReceiverResponse>(() => {});

/** Responses of an API that is down or broken. */
const FAILURES: Readonly<Record<string, ReceiverResponse | Promise<ReceiverResponse>>> = {
  'a 500': { status: 500 },
  'a 502 page': { status: 502, text: '<html>Bad gateway</html>' },
  'a 503 that says when to come back': { status: 503, headers: { 'retry-after': '7' } },
  'a 429': { status: 429, body: { message: 'Slow down' }, headers: { 'retry-after': '7' } },
  'a used up limit': { status: 403, body: { message: 'Limit' }, headers: { 'x-ratelimit-remaining': '0' } },
  'a page': { status: 200, text: '<html>Log in to the Wi-Fi</html>' },
  'a missing page': { status: 404, text: '<html>Not found</html>' },
  nothing: { status: 200 },
  silence: never,
};

/** A request that waits for GitHub, and the GitHub route that it calls. */
interface Case {
  route: string;
  /** Makes the integration of the request. */
  prepare?: () => Promise<string>;
  send: (headers: Record<string, string>, integrationId: string) => Promise<ReadResponse>;
  status: number;
}

const HOOKS = '/repos/octo/web/hooks';
const credentials = { token: 'ghp_works', repository: 'octo/web' };

const connected = async (given: object = credentials) => {
  const body = { provider: 'github', workspace_id: workspace.workspaceId, credentials: given };
  return workspace.api.call('integrations.connect', { body });
};
const connect = (headers: Record<string, string>, given: object) =>
  workspace.api.send('integrations.connect', {
    headers,
    body: { provider: 'github', workspace_id: workspace.workspaceId, credentials: given },
  });
const reconnect = (headers: Record<string, string>, integrationId: string, given: object = credentials) =>
  workspace.api.send('integrations.reconnect', {
    headers,
    params: { integrationId },
    body: { credentials: given },
  });
const integrations = async () =>
  (await workspace.api.call('integrations.list', { params: { id: workspace.workspaceId } })).data;
const idOf = async (made: Promise<{ integration_id: string }>) => (await made).integration_id;

const CASES: Readonly<Record<string, Case>> = {
  'connect, while the token is checked': {
    route: 'GET /user',
    send: (headers) => connect(headers, credentials),
    status: 201,
  },
  'connect, while the webhook is registered': {
    route: `POST ${HOOKS}`,
    send: (headers) => connect(headers, credentials),
    status: 201,
  },
  'connect in the variant form': {
    route: 'GET /user',
    send: (headers) =>
      workspace.api.send('integrations.create', {
        headers,
        body: { type: 'github', workspace_id: workspace.workspaceId, config: {}, credentials },
      }),
    status: 201,
  },
  'reconnect, while the token is checked': {
    route: 'GET /user',
    prepare: () => idOf(connected()),
    send: reconnect,
    status: 200,
  },
  'reconnect, while a webhook is registered': {
    route: `POST ${HOOKS}`,
    prepare: () => idOf(connected({ token: 'ghp_works' })),
    send: reconnect,
    status: 200,
  },
  'a test notification': {
    route: 'POST /repos/octo/web/issues',
    prepare: () => idOf(connected()),
    send: (headers, integrationId) =>
      workspace.api.send('integrations.test', {
        headers,
        params: { integrationId },
        body: { event_type: 'event.created', payload: { message: 'Hello' } },
      }),
    status: 200,
  },
};

describe.each(Object.entries(CASES))('%s', (_name, { route, prepare, send, status }) => {
  it.each(Object.entries(FAILURES))(
    'answers 503 to %s, stores nothing, and works with the same key when GitHub does',
    async (kind, failure) => {
      const integrationId = (await prepare?.()) ?? '';
      const before = await integrations();
      github.instead(route, () => failure);
      const headers = { 'Idempotency-Key': unique('key') };
      const failed = await send(headers, integrationId);
      expect(`${failed.status} ${failed.text}`).toMatch(/^503 .*"service_unavailable"/);
      expect(failed.text).toContain("GitHub's API");
      expect(Number(failed.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      if (kind === 'a 429') expect(failed.headers.get('retry-after')).toBe('7');
      expect(await integrations()).toEqual(before);

      expect((await send(headers, integrationId)).status).toBe(503);
      github.reset();
      const done = await send(headers, integrationId);
      expect(`${done.status} ${done.text}`).toMatch(new RegExp(`^${status} `));
      expect(done.headers.get('idempotency-replayed')).toBeNull();
      const replayed = await send(headers, integrationId);
      expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([status, 'true']);
    },
  );
});

describe('a token that GitHub refuses', () => {
  it.each([
    [401, 'Bad credentials', 'wrong, expired or revoked'],
    [403, 'Resource not accessible', 'Resource not accessible'],
    [404, 'Not Found', "is unknown to GitHub's API"],
  ])(
    'is 422 at its field after %i, and is asked about again with the same key',
    async (code, message, issue) => {
      const headers = { 'Idempotency-Key': unique('key') };
      const { integration_id: integrationId } = await connected({ token: 'ghp_works' });
      const other = await newWorkspace(root);
      const attempts = [
        () => reconnect(headers, integrationId),
        () =>
          other.api.send('integrations.connect', {
            headers: { 'Idempotency-Key': `${headers['Idempotency-Key']}-2` },
            body: { provider: 'github', workspace_id: other.workspaceId, credentials },
          }),
      ];
      for (const attempt of attempts) {
        github.reset();
        github.instead('GET /user', () => ({ status: code, body: { message } }));
        const refused = await attempt();
        expect(refused.json).toMatchObject({
          error: {
            code: 'unprocessable_entity',
            details: [{ field: 'credentials.token', issue: expect.stringContaining(issue) }],
          },
        });
        github.reset();
        expect((await attempt()).status).toBeLessThan(300);
      }
    },
  );
});

describe('a webhook that was registered for nothing', () => {
  const gone = () => until('no webhook is left at GitHub', () => github.hooks.length === 0);

  it('is removed when somebody else was first', async () => {
    const both = await Promise.all([connect({}, credentials), connect({}, credentials)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
    const [kept] = await integrations();
    await until('one webhook is left', () => github.hooks.length === 1);
    expect(github.hooks[0]?.config.url).toContain(kept?.integration_id);
  });

  it('that GitHub refused to register needs no removal when the integration cannot be stored', async () => {
    github.instead(`POST ${HOOKS}`, () => ({ status: 403, body: { message: 'No' } }));
    const both = await Promise.all([connect({}, credentials), connect({}, credentials)]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
    const config = parseServerConfig(workspace.server.storage, {});
    expect(await listJobs(config, { kind: 'undo_registration' })).toEqual([]);
    expect(github.routes().filter((route) => /^(?:DELETE|GET) .*hooks/.test(route))).toEqual([]);
  });

  it('is found and removed when GitHub registered it, but responded with an error', async () => {
    github.instead(`POST ${HOOKS}`, ({ body }) => {
      github.hooks.push({ id: 7, path: HOOKS, config: (JSON.parse(body) as { config: never }).config });
      return { status: 502, text: '<html>' };
    });
    expect((await connect({}, credentials)).status).toBe(503);
    await gone();
    expect(github.routes().slice(-2)).toEqual([`GET ${HOOKS}?per_page=100`, `DELETE ${HOOKS}/7`]);
    expect(await integrations()).toEqual([]);
  });

  it('is removed when the integration was disconnected in the meantime', async () => {
    const { integration_id: integrationId } = await connected({ token: 'ghp_works' });
    github.instead(`POST ${HOOKS}`, async ({ body }) => {
      const { config } = JSON.parse(body) as { config: { url: string; secret: string } };
      github.hooks.push({ id: 8, path: HOOKS, config });
      await workspace.api.call('integrations.disconnect', {
        params: { id: workspace.workspaceId, integrationId },
      });
      return { status: 201, body: { id: 8 } };
    });
    expect((await reconnect({}, integrationId)).status).toBe(404);
    expect(github.hooks).toEqual([]);
  });

  if (onSqlite)
    it('is removed, or signs as before, when the new credentials cannot be stored', async () => {
      const store = openStore(root);
      const refuseWrites = async () => {
        await sql`create trigger refuse before update on integrations begin select raise(abort, 'refused'); end`.execute(
          store.read,
        );
        return async () => void (await sql`drop trigger refuse`.execute(store.read));
      };
      const made = await connected({ token: 'ghp_works', webhook_secret: 'the-old-secret' });
      const { integration_id: integrationId } = made;

      let allowWrites = await refuseWrites();
      expect((await reconnect({}, integrationId)).status).toBe(500);
      expect(github.hooks).toEqual([]);
      await allowWrites();

      expect((await reconnect({}, integrationId)).status).toBe(200);
      expect(github.hooks.map(({ config }) => config.secret)).toEqual(['the-old-secret']);
      allowWrites = await refuseWrites();
      const changed = { ...credentials, webhook_secret: 'the-new-secret' };
      expect((await reconnect({}, integrationId, changed)).status).toBe(500);
      expect(github.routes().filter((route) => route.startsWith('PATCH'))).toHaveLength(2);
      expect(github.hooks.map(({ config }) => config.secret)).toEqual(['the-old-secret']);
      await allowWrites();
      const call = await callFromGithub({ url: made.ingest.url, secret: 'the-old-secret' }, 'push', {
        ref: 'x',
      });
      expect(call.status).toBe(202);
    });

  it('is removed from where it was when a reconnection names another place', async () => {
    const { integration_id: integrationId } = await connected();
    github.tokens.add('ghp_second');
    github.tokens.delete('ghp_works');
    try {
      const elsewhere = { token: 'ghp_second', repository: 'octo/app' };
      expect((await reconnect({}, integrationId, elsewhere)).status).toBe(200);
      await until('only the new one is left', () => github.hooks.length === 1);
      expect(github.hooks[0]?.path).toBe('/repos/octo/app/hooks');
    } finally {
      github.tokens.add('ghp_works');
    }
  });

  it('and cannot be removed is written into the audit log, for a person', async () => {
    const { integration_id: integrationId } = await connected();
    github.instead(`DELETE ${HOOKS}/${github.hooks[0]?.id}`, () => ({
      status: 403,
      body: { message: 'Must have admin rights' },
    }));
    await reconnect({}, integrationId, { token: 'ghp_works', repository: 'octo/app' });
    const entry = await until('an entry', async () => {
      const { data } = await workspace.api.call('auditLog.list', {
        params: { id: workspace.workspaceId },
        query: { action: 'integration.webhook_left' },
      });
      return data[0];
    });
    expect(entry).toMatchObject({
      actor: { type: 'system' },
      targets: [{ type: 'integration', id: integrationId, name: 'github' }],
      metadata: {
        reason: 'GitHub responded with 403: Must have admin rights',
        webhook: { path: expect.stringContaining(HOOKS) },
      },
    });
  });
});

it('a request that waits for a provider gets a response when the server stops, and a job that does keeps its call', async () => {
  const outcomes: string[] = [];
  const stopping = await startWorkspace({
    env: { HUBLINE_GITHUB_API_URL: github.url },
    providerHttp: (send) => (request) => {
      const sending = send(request);
      const note = (outcome: string) => void outcomes.push(`${request.method} ${outcome}`);
      sending.then(
        ({ status }) => note(`${status}`),
        () => note('cut off'),
      );
      return sending;
    },
  });
  const body = { provider: 'github', workspace_id: stopping.workspaceId, credentials };
  const config = { channel: 'octo/app', notify_on: ['event.created'] };
  await stopping.api.call('integrations.connect', { body: { ...body, config } });
  const commented = Promise.withResolvers<ReceiverResponse>();
  github.instead('POST /repos/octo/app/issues', () => commented.promise);
  await stopping.api.call('events.publish', {
    params: { id: stopping.workspaceId },
    body: { type: 'deploy', payload: {} },
  });
  await until('a job opens an issue', () => github.routes().includes('POST /repos/octo/app/issues'));
  const asked = github.routes().length;
  github.instead('GET /user', () => never);
  const waiting = stopping.api.send('integrations.connect', {
    body: { ...body, workspace_id: (await newWorkspace(stopping)).workspaceId },
  });
  await until('GitHub is asked', () => github.routes().length > asked);
  const stopped = stopping.stop();
  const response = await waiting;
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  commented.resolve({ status: 201, body: { number: 42 } });
  await stopped;
  expect(outcomes.slice(-2)).toEqual(['GET cut off', 'POST 201']);
});
