import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEADERS } from '@hubline/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bootstrap } from '../../../src/start/bootstrap.ts';
import { parseServerConfig } from '../../../src/config/config.ts';
import { createLogger } from '../../../src/log/log.ts';
import { openStorage } from '../../../src/start/storage/open-storage.ts';
import { startServer } from '../../../src/server.ts';
import { keepHouse as removeOld } from '../../../src/services/operations/housekeeping.ts';
import { TestClock } from '../../delivery/test-clock.ts';
import { Api } from '../support/api.ts';
import { newWorkspace, onSqlite, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

type Where = Pick<TestWorkspace, 'api' | 'workspaceId'>;

const NOON = Date.parse('2026-03-04T12:00:00.000Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Timers round up. */
const ROUNDING = 1;

let workspace: TestWorkspace & { stop(): Promise<void> };
let time: TestClock;
let receiver: Receiver;
/** The statuses of responses, by the path of the webhook. */
let statuses: Record<string, number>;
/** The body of every response. */
let responseText: string;

beforeEach(async () => {
  statuses = {};
  responseText = '';
  receiver = await startReceiver(({ url }) => ({ status: statuses[url] ?? 200, text: responseText }));
  time = new TestClock(NOON);
  workspace = await startWorkspace(time);
});
afterEach(async () => {
  await workspace.stop();
  await receiver.stop();
});

const stats = ({ api, workspaceId }: Where, window?: string) =>
  api.call('workspaces.stats', {
    params: { id: workspaceId },
    ...(window === undefined ? {} : { query: { window } }),
  });
type Stats = Awaited<ReturnType<typeof stats>>;

/** The statistics, once they contain this many attempts. */
const after = (attempts: number, where: Where = workspace) =>
  until(`${attempts} attempts`, async () => {
    const found = await stats(where);
    return found.attempts.succeeded + found.attempts.failed === attempts && found;
  });

async function newWebhook(path: string, { api, workspaceId }: Where = workspace): Promise<string> {
  const { id } = await api.call('webhooks.create', {
    body: {
      url: receiver.url + path,
      events: ['event.created'],
      workspace_id: workspaceId,
      secret: 's3cret',
    },
  });
  return id;
}

const publish = ({ api, workspaceId }: Where = workspace, headers: Record<string, string> = {}) =>
  api.call('events.publish', {
    params: { id: workspaceId },
    body: { type: 'deploy', payload: {} },
    headers,
  });

const sum = (of: Stats, name: 'events' | 'succeeded' | 'failed') =>
  of.series.reduce((total, point) => total + point[name], 0);

/** The buckets that are not empty, with their number of events. */
const eventsAt = ({ series }: Stats) =>
  Object.fromEntries(series.flatMap(({ at, events }) => (events > 0 ? [[at, events]] : [])));

describe('the statistics of a workspace', () => {
  it('without any data are zeros, and null where there is nothing to divide', async () => {
    time.advance(90 * SECOND);
    const { series, ...rest } = await stats(workspace);
    expect(rest).toEqual({
      workspace_id: workspace.workspaceId,
      window: '1h',
      since: '2026-03-04T11:02:00.000Z',
      until: '2026-03-04T12:01:30.000Z',
      bucket_seconds: 60,
      events: 0,
      attempts: { succeeded: 0, failed: 0 },
      deliveries: { delivered: 0, failed: 0 },
      success_rate: null,
      latency: null,
      previous: {
        events: 0,
        attempts: { succeeded: 0, failed: 0 },
        deliveries: { delivered: 0, failed: 0 },
        success_rate: null,
        latency: null,
      },
      queue: { pending: 0, retrying: 0, held: 0 },
      sources: [],
      webhooks: [],
      failures: [],
    });
    const nothing = { events: 0, succeeded: 0, failed: 0, p50_ms: null, p95_ms: null };
    expect(series).toHaveLength(60);
    expect(series[0]).toEqual({ at: rest.since, ...nothing });
    expect(series[59]).toEqual({ at: '2026-03-04T12:01:00.000Z', ...nothing });
  });

  it('count events, attempts and deliveries, and name the webhook with the most failures first', async () => {
    statuses = { '/bad': 500 };
    const good = await newWebhook('/good');
    const bad = await newWebhook('/bad');
    for (let n = 0; n < 3; n++) await publish();
    const first = await after(6);
    expect(first).toMatchObject({
      events: 3,
      attempts: { succeeded: 3, failed: 3 },
      deliveries: { delivered: 3, failed: 0 },
      success_rate: 0.5,
      webhooks: [
        {
          webhook_id: bad,
          url: `${receiver.url}/bad`,
          attempts: 3,
          failed: 3,
          failure_rate: 1,
          p50_ms: null,
          p95_ms: null,
        },
        { webhook_id: good, url: `${receiver.url}/good`, attempts: 3, failed: 0, failure_rate: 0 },
      ],
    });
    // Latencies are those of successful attempts: a receiver that refuses at once is not fast.
    for (const latency of [first.latency, first.webhooks[1], first.series.at(-1)]) {
      expect(latency?.p50_ms).toBeGreaterThanOrEqual(1);
      expect(latency?.p95_ms).toBeGreaterThanOrEqual(latency?.p50_ms ?? Infinity);
    }

    statuses = {};
    time.advance(5 * SECOND + ROUNDING);
    const second = await after(9);
    expect(second).toMatchObject({
      events: 3,
      attempts: { succeeded: 6, failed: 3 },
      deliveries: { delivered: 6, failed: 0 },
      webhooks: [
        { webhook_id: bad, attempts: 6, failed: 3, failure_rate: 0.5 },
        { webhook_id: good, attempts: 3 },
      ],
    });
    expect([sum(second, 'events'), sum(second, 'succeeded'), sum(second, 'failed')]).toEqual([3, 6, 3]);
  });

  it('count a delivery as failed when no attempt is left, and once', async () => {
    statuses = { '/bad': 503 };
    const webhookId = await newWebhook('/bad');
    await publish();
    for (const [attempts, delay] of [5 * SECOND, 25 * SECOND, 2 * MINUTE, 10 * MINUTE].entries()) {
      expect((await after(attempts + 1)).deliveries).toEqual({ delivered: 0, failed: 0 });
      time.advance(delay + ROUNDING);
    }
    expect((await after(5)).deliveries).toEqual({ delivered: 0, failed: 1 });

    // A manual attempt: the delivery had failed, and is delivered now. Another attempt does not change that.
    statuses = {};
    const { data } = await workspace.api.call('deliveries.listForWebhook', { params: { webhookId } });
    const again = () => workspace.api.call('deliveries.retry', { params: { deliveryId: data[0]?.id ?? '' } });
    await again();
    expect((await after(6)).deliveries).toEqual({ delivered: 1, failed: 1 });
    await again();
    expect((await after(7)).deliveries).toEqual({ delivered: 1, failed: 1 });
  });

  it('count only events that were committed, and each once', async () => {
    const params = { id: workspace.workspaceId };
    const repeated = { [HEADERS.idempotencyKey]: 'once' };
    await publish(workspace, repeated);
    await publish(workspace, repeated);
    const event = { type: 'deploy', payload: {} };
    const foreign = { ...event, integration_id: 'int_01j9zk3v5q8r2t4w6y7a0b1c2d' };
    await workspace.api.refused('events.publishBatch', 404, { params, body: { events: [event, foreign] } });
    expect((await stats(workspace)).events).toBe(1);
    await workspace.api.call('events.publishBatch', { params, body: { events: [event, event] } });
    expect((await stats(workspace)).events).toBe(3);
  });

  it('are those of one workspace', async () => {
    const other = await newWorkspace(workspace);
    await newWebhook('/', other);
    await publish(other);
    await after(1, other);
    expect(await stats(workspace)).toMatchObject({ events: 0, webhooks: [] });
  });

  it('keep the attempts of a deleted webhook in the totals, and do not list it', async () => {
    const [webhookId] = [await newWebhook('/a'), await newWebhook('/b')];
    await publish();
    await after(2);
    await workspace.api.call('webhooks.delete', { params: { webhookId } });
    const found = await stats(workspace);
    expect(found).toMatchObject({ attempts: { succeeded: 2, failed: 0 } });
    expect(found.webhooks.map(({ url }) => url)).toEqual([`${receiver.url}/b`]);
  });
});

it('statistics count events by source, and the open deliveries', async () => {
  statuses = { '/bad': 500 };
  const held = await newWebhook('/held');
  await workspace.api.call('webhooks.update', { params: { webhookId: held }, body: { status: 'disabled' } });
  await newWebhook('/bad');
  const from = (source: string, events: number) =>
    workspace.api.call('events.publishBatch', {
      params: { id: workspace.workspaceId },
      body: { events: Array.from({ length: events }, () => ({ type: 'deploy', source, payload: {} })) },
    });
  await from('ci', 1);
  await from('github', 2);
  expect(await after(3)).toMatchObject({
    sources: [
      { source: 'github', events: 2 },
      { source: 'ci', events: 1 },
    ],
    queue: { pending: 0, retrying: 3, held: 3 },
  });
});

it('statistics store at most 30 sources of a minute and 100 of a longer time, and list 20', async () => {
  const publishFrom = (sources: readonly number[]) =>
    workspace.api.call('events.publishBatch', {
      params: { id: workspace.workspaceId },
      body: { events: sources.map((n) => ({ type: 'deploy', source: `made-up-${n}`, payload: {} })) },
    });
  const numbers = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
  // Every read adds up what has come so far.
  for (const round of numbers(0, 3)) {
    await publishFrom(numbers(40 * round, 40));
    const found = await stats(workspace);
    expect([found.events, found.sources.length]).toEqual([40 * (round + 1), 20]);
  }
  expect(await stored()).toEqual({ 60: 1 + 30, 900: 1 + 90, 3600: 1 + 90 });
  await publishFrom([0, ...numbers(200, 29)]);
  // A source that has a place keeps it.
  expect((await stats(workspace)).sources[0]).toEqual({ source: 'made-up-0', events: 2 });
  expect(await stored()).toEqual({ 60: 1 + 30, 900: 1 + 100, 3600: 1 + 100 });
});

it('statistics group failed attempts by webhook and cause, without those of deleted webhooks', async () => {
  statuses = { '/bad': 503, '/worse': 500, '/gone': 404 };
  const bad = await newWebhook('/bad');
  const worse = await newWebhook('/worse');
  const gone = await newWebhook('/gone');
  await newWebhook('/good');
  await publish();
  await after(4);
  statuses = { '/bad': 503, '/worse': 503, '/gone': 404 };
  time.advance(5 * SECOND + ROUNDING);
  await after(7);
  expect((await stats(workspace)).failures).toHaveLength(4);
  await workspace.api.call('webhooks.delete', { params: { webhookId: gone } });
  const { failures } = await stats(workspace);
  const none = Array.from({ length: 19 }, () => 0);
  const seen = { error_kind: null, first_at: '2026-03-04T12:00:00.000Z' };
  expect(failures).toHaveLength(3);
  expect(failures[0]).toEqual({
    ...seen,
    webhook_id: bad,
    response_status: 503,
    attempts: 2,
    parts: [...none, 2],
    last_at: new Date(NOON + 5 * SECOND + ROUNDING).toISOString(),
  });
  const others = failures.slice(1).map(({ webhook_id, response_status, attempts, parts }) => ({
    webhook_id,
    response_status,
    attempts,
    parts,
  }));
  expect(others).toEqual(
    expect.arrayContaining([
      { webhook_id: worse, response_status: 500, attempts: 1, parts: [...none, 1] },
      { webhook_id: worse, response_status: 503, attempts: 1, parts: [...none, 1] },
    ]),
  );
  expect((await stats(workspace, '24h')).failures.map(({ attempts }) => attempts)).toEqual([2, 1, 1]);
});

describe('the statistics of a webhook', () => {
  const ofWebhook = (webhookId: string, window = '1h') =>
    workspace.api.call('webhooks.stats', { params: { webhookId }, query: { window } });

  it('are its own, and group failed attempts by their response', async () => {
    statuses = { '/bad': 503 };
    const bad = await newWebhook('/bad');
    await newWebhook('/good');
    await publish();
    await publish();
    await after(4);
    time.advance(5 * SECOND + ROUNDING);
    await after(6);
    statuses = { '/bad': 429 };
    time.advance(25 * SECOND + ROUNDING);
    await after(8);
    const found = await ofWebhook(bad);
    expect(found).toMatchObject({
      webhook_id: bad,
      workspace_id: workspace.workspaceId,
      attempts: { succeeded: 0, failed: 6 },
      deliveries: { delivered: 0, failed: 0 },
      success_rate: 0,
      latency: null,
      queue: { pending: 0, retrying: 2, held: 0 },
      previous: { attempts: { succeeded: 0, failed: 0 } },
    });
    const parts = Array.from({ length: 20 }, () => 0);
    expect(found.failures).toMatchObject([
      {
        response_status: 503,
        error_kind: null,
        attempts: 4,
        parts: [...parts.slice(1), 4],
        first_at: '2026-03-04T12:00:00.000Z',
      },
      { response_status: 429, attempts: 2, parts: [...parts.slice(1), 2] },
    ]);
    expect(Date.parse(found.failures[0]?.last_at ?? '')).toBe(NOON + 5 * SECOND + ROUNDING);
    expect(found.health.at(-1)).toMatchObject({ succeeded: 0, failed: 6 });
    expect(found.series.at(-1)).toMatchObject({ succeeded: 0, failed: 6, p95_ms: null });
    expect((await ofWebhook(bad, '7d')).failures.map(({ attempts }) => attempts)).toEqual([4, 2]);
  });

  it('quote the last failure in one line, whatever its bytes', async () => {
    const webhookId = await newWebhook('/bad');
    statuses = { '/bad': 500 };
    responseText = `upstream\u0000 connect\r\n error ${'x'.repeat(500)}`;
    await publish();
    await after(1);
    const [failure] = (await ofWebhook(webhookId)).failures;
    expect(failure?.message).toMatch(/^upstream connect error x+$/);
    expect(failure?.message).toHaveLength(200);
  });

  it('name the kind of error where nobody responded', async () => {
    const webhookId = await newWebhook('/');
    await receiver.stop();
    await publish();
    await after(1);
    expect((await ofWebhook(webhookId)).failures).toMatchObject([
      { response_status: null, error_kind: 'connect', attempts: 1 },
    ]);
  });
});

describe('a window', () => {
  it('is divided into buckets of the UTC clock, and ends with the one that is running', async () => {
    time.advance(59 * SECOND + 999);
    await publish();
    time.advance(1);
    await publish();
    expect(eventsAt(await stats(workspace, '1h'))).toEqual({
      '2026-03-04T12:00:00.000Z': 1,
      '2026-03-04T12:01:00.000Z': 1,
    });
    expect(eventsAt(await stats(workspace, '24h'))).toEqual({ '2026-03-04T12:00:00.000Z': 2 });
    expect(eventsAt(await stats(workspace, '7d'))).toEqual({ '2026-03-04T12:00:00.000Z': 2 });

    time.advance(58 * MINUTE + 59 * SECOND + 999);
    expect((await stats(workspace, '1h')).events).toBe(2);
    time.advance(1);
    expect((await stats(workspace, '1h')).events).toBe(1);
  });

  it.each([
    ['1h', 60, 60],
    ['24h', 96, 900],
    ['7d', 168, 3_600],
  ])(
    'of %s has %d buckets of %d s, one after another, and forgets what is older',
    async (window, buckets, seconds) => {
      await publish();
      const length = seconds * SECOND;
      time.advance((buckets - 1) * length);
      const last = await stats(workspace, window);
      expect(last).toMatchObject({
        window,
        bucket_seconds: seconds,
        since: new Date(NOON).toISOString(),
        events: 1,
      });
      expect(last.series.map(({ at }) => Date.parse(at))).toEqual(
        Array.from({ length: buckets }, (_, index) => NOON + index * length),
      );
      time.advance(length);
      expect((await stats(workspace, window)).events).toBe(0);
    },
  );

  it.each(['2h', '', '1H', '60'])(
    'that does not exist is refused with a list of those that do: %j',
    async (window) => {
      const { message, details } = await workspace.api.refused('workspaces.stats', 400, {
        params: { id: workspace.workspaceId },
        query: { window },
      });
      expect(message).toContain('window must be one of 1h, 24h, 7d');
      expect(details).toMatchObject([{ field: 'window' }]);
    },
  );
});

/** The stored rows, by resolution. */
async function stored(): Promise<Record<string, number>> {
  const { store } = await openStorage(parseServerConfig(workspace.server.storage, {}), time.clock());
  const { rows } = await sql<{ resolution: number; count: number }>`
    select resolution, count(*) as count from (
      select resolution from workspace_stats union all select resolution from stats_groups
    ) as stored group by resolution`.execute(store.read);
  await store.close();
  return Object.fromEntries(rows.map(({ resolution, count }) => [resolution, count]));
}

async function keepHouse(): Promise<void> {
  const config = parseServerConfig({ ...workspace.server.storage, logLevel: 'silent' }, {});
  const { store } = await openStorage(config, time.clock());
  await removeOld(
    { store, log: createLogger(config), clock: time.clock, config },
    new AbortController().signal,
  );
  await store.close();
}

it('statistics compare with the window before, and show the health of a webhook in parts', async () => {
  statuses = { '/bad': 500 };
  const bad = await newWebhook('/bad');
  await publish();
  await after(1);
  const [now] = (await stats(workspace)).webhooks;
  expect(now?.health).toHaveLength(20);
  expect(now?.health.at(-1)).toMatchObject({ succeeded: 0, failed: 1 });
  expect(now?.health.slice(0, -1).every(({ failed }) => failed === 0)).toBe(true);
  expect((await stats(workspace, '24h')).webhooks[0]?.health).toHaveLength(24);
  expect((await stats(workspace, '7d')).webhooks[0]?.health).toHaveLength(24);
  await workspace.api.call('webhooks.update', { params: { webhookId: bad }, body: { status: 'disabled' } });
  time.advance(HOUR);
  expect(await stats(workspace)).toMatchObject({
    events: 0,
    attempts: { succeeded: 0, failed: 0 },
    previous: { events: 1, attempts: { succeeded: 0, failed: 1 }, success_rate: 0, latency: null },
  });
});

it('stored rows are removed when no window shows them anymore, and not before', async () => {
  await newWebhook('/');
  await publish();
  await after(1);
  const seen = [await stored()];
  for (const passed of [2 * HOUR - MINUTE, MINUTE, 2 * DAY - 2 * HOUR, 12 * DAY]) {
    time.advance(passed);
    await keepHouse();
    seen.push(await stored());
  }
  // One row for the webhook, one for the workspace, and one for the source of its events.
  expect(seen).toEqual([
    { 60: 3, 900: 3, 3600: 3 },
    { 60: 3, 900: 3, 3600: 3 },
    { 900: 3, 3600: 3 },
    { 3600: 3 },
    {},
  ]);
});

if (onSqlite)
  it('a restart keeps the counts', async () => {
    const data = await mkdtemp(join(tmpdir(), 'hubline-stats-'));
    onTestFinished(() => rm(data, { recursive: true }));
    const config = parseServerConfig({ data, port: 0, logLevel: 'silent', synchronous: 'NORMAL' }, {});
    const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
    for (const events of [1, 2]) {
      await using server = await startServer(config, time);
      const where = { api: new Api(server.baseUrl, owner.api_key), workspaceId: owner.workspace_id ?? '' };
      await publish(where);
      // The first server stops before anybody reads the statistics, and before the job that adds the counts up has run.
      if (events === 2) expect((await stats(where)).events).toBe(2);
    }
  });

if (!onSqlite)
  it('processes on one database add to the same counts', async () => {
    const config = parseServerConfig(
      { ...workspace.server.storage, port: 0, logLevel: 'silent', allowHttpLocalhost: true },
      {},
    );
    await using second = await startServer(config, time);
    const there = { ...workspace, api: new Api(second.baseUrl, workspace.server.apiKey) };
    await Promise.all([publish(), publish(there), publish(), publish(there)]);
    await Promise.all([stats(workspace), stats(there)]);
    expect((await stats(workspace)).events).toBe(4);
    expect((await stats(there)).events).toBe(4);
  });
