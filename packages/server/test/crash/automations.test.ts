import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import type { CrashPoint } from '../../src/chaos/chaos.ts';
import { parseServerConfig, type ServerFlags } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { Api } from '../api/support/api.ts';
import { type Receiver, startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { Child, ignoreDeath } from './harness/child.ts';
import type { ServerInput } from './harness/server.process.ts';

// A run continues where it was, wherever the process dies: finished steps are not repeated, and an unfinished step is
// done again.

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

const callsTo = (path: string) => receiver.calls.filter(({ url }) => url.startsWith(path));

async function world(env: Record<string, string> = {}) {
  const data = await mkdtemp(join(tmpdir(), 'hubline-automations-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const flags: ServerFlags = {
    data,
    port: 0,
    allowHttpLocalhost: true,
    logLevel: 'silent',
    synchronous: 'NORMAL',
  };
  const { api_key: apiKey, workspace_id: id } = await bootstrap(parseServerConfig(flags, {}), {
    email: 'owner@example.com',
    name: 'Acme',
    slug: 'acme',
  });
  return { flags, env, apiKey, params: { id: id ?? '' } };
}

type World = Awaited<ReturnType<typeof world>>;

async function startDoomed({ flags, env, apiKey }: World, at?: string): Promise<{ api: Api; server: Child }> {
  const input: ServerInput = { flags, env, speed: 1, origin: Date.now() };
  const server = new Child('server', {
    input,
    env: at === undefined ? {} : { HUBLINE_CRASH_AT: at },
  });
  onTestFinished(() => server.kill('SIGKILL'));
  const up = await server.first<{ baseUrl: string }>();
  if (!up) throw new Error(`The server did not start.\n${server.errors}`);
  return { api: new Api(up.baseUrl, apiKey), server };
}

/** Starts the next server on the same data, this many milliseconds later. */
async function startNext({ flags, env, apiKey }: World, laterMs = 0): Promise<Api> {
  const server = await startServer(parseServerConfig(flags, env), {
    clock: () => new Date(Date.now() + laterMs),
  });
  onTestFinished(() => server.stop());
  return new Api(server.baseUrl, apiKey);
}

async function begin({ params }: World, api: Api, actions: object[]) {
  const { id: automationId } = await api.call('automations.create', {
    params,
    body: { name: 'A', trigger: { event: 'event.created', types: ['deploy'] }, actions },
  });
  // The run begins with the commit, and the process may die before it responds.
  await api.call('events.publish', { params, body: { type: 'deploy', payload: {} } }).catch(ignoreDeath);
  return automationId;
}

async function finished({ params: { id } }: World, api: Api, automationId: string) {
  const params = { id, automationId };
  const runId = await until('the end of the run', async () => {
    const { data } = await api.call('automations.listRuns', { params });
    expect(data).toHaveLength(1);
    return data[0]?.status === 'succeeded' ? data[0].id : undefined;
  });
  return api.call('automations.getRun', { params: { ...params, runId } });
}

it.each<[string, CrashPoint, number, number[], kind?: string]>([
  // Requests add jobs of other kinds, which do not count.
  ['before the first step', 'job.claimed', 1, [1, 1, 1], 'automation_run'],
  ['after the first action, before it is recorded', 'automation.acted', 1, [2, 1, 1]],
  ['after the first step', 'automation.recorded', 1, [1, 1, 1]],
  ['after the second action, before it is recorded', 'automation.acted', 2, [1, 2, 1]],
  ['after the second step', 'automation.recorded', 2, [1, 1, 1]],
  ['after the last step', 'automation.recorded', 3, [1, 1, 1]],
])('a run whose process dies %s is finished by the next', async (_, point, visit, expected, kind) => {
  const prepared = await world();
  const at = `${point}:${visit}${kind === undefined ? '' : `:${kind}`}`;
  const { api, server } = await startDoomed(prepared, at);
  const paths = [1, 2, 3].map((step) => `/${point}-${visit}-${step}-`);
  const actions = paths.map((path) => ({ type: 'call_webhook', url: `${receiver.url}${path}` }));
  const automationId = await begin(prepared, api, actions);
  expect(await server.ended).toBe('SIGKILL');
  const run = await finished(prepared, await startNext(prepared), automationId);
  expect(run.steps.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
  expect(paths.map((path) => callsTo(path).length)).toEqual(expected);
  for (const path of paths)
    expect(new Set(callsTo(path).map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

it('an event that a step publishes is stored once, wherever the process dies', async () => {
  for (const point of ['automation.acted:1', 'automation.recorded:1']) {
    const prepared = await world();
    const { api, server } = await startDoomed(prepared, point);
    const automationId = await begin(prepared, api, [
      { type: 'create_event', event_type: 'followed', payload: {} },
    ]);
    expect(await server.ended).toBe('SIGKILL');
    const next = await startNext(prepared);
    await finished(prepared, next, automationId);
    const { data } = await next.call('events.list', { params: prepared.params, query: { type: 'followed' } });
    expect(data).toHaveLength(1);
  }
});

it('an issue that was opened just before the process died is found, and not opened again', async () => {
  const opened: object[] = [];
  const github = await startReceiver(({ method, url, body }) => {
    if (!url.startsWith('/repos/acme/web/issues')) return { status: 201, body: { id: 1 } };
    if (method === 'GET') return { status: 200, body: opened };
    const number = opened.push({ ...(JSON.parse(body) as object), number: opened.length + 1 });
    return { status: 201, body: { number, html_url: null } };
  });
  onTestFinished(() => github.stop());
  const prepared = await world({ HUBLINE_GITHUB_API_URL: github.url, HUBLINE_CREDENTIAL_CHECK: 'skip' });
  const { api, server } = await startDoomed(prepared, 'automation.acted:1');
  const { integration_id } = await api.call('integrations.connect', {
    body: {
      provider: 'github',
      workspace_id: prepared.params.id,
      credentials: { token: 'ghp_x', repository: 'acme/web' },
    },
  });
  const automationId = await begin(prepared, api, [
    { type: 'github.create_issue', integration_id, input: { title: 'Deployed' } },
  ]);
  expect(await server.ended).toBe('SIGKILL');
  const { steps } = await finished(prepared, await startNext(prepared), automationId);
  expect(steps[0]?.response).toMatchObject({ number: 1 });
  expect(opened).toHaveLength(1);
});

it('a waiting run continues when its wait is over, although its process was killed', async () => {
  const prepared = await world();
  const { api, server } = await startDoomed(prepared);
  const [first, second] = ['/wait-1-', '/wait-2-'];
  const automationId = await begin(prepared, api, [
    { type: 'call_webhook', url: `${receiver.url}${first}` },
    { type: 'wait', seconds: 3_600 },
    { type: 'call_webhook', url: `${receiver.url}${second}` },
  ]);
  await until('the wait', async () => {
    const params = { ...prepared.params, automationId };
    const { data } = await api.call('automations.listRuns', { params });
    return data[0]?.status === 'waiting';
  });
  server.kill('SIGKILL');
  await server.ended;
  const run = await finished(prepared, await startNext(prepared, 3_601_000), automationId);
  expect(run.duration_ms).toBeGreaterThanOrEqual(3_600_000);
  expect([first, second].map((path) => callsTo(path).length)).toEqual([1, 1]);
});
