import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Endpoint, endpoints } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  bootstrap,
  listJobs,
  liveDemo,
  parseServerConfig,
  type RunningServer,
  seedDatabase,
  type SeedOptions,
  type SeedOwner,
  type ServerOverrides,
  startServer,
} from '../../src/index.ts';

const NOW = new Date('2026-11-20T09:45:00.000Z');
const HOUR_MS = 3_600_000;
/** Time stands still, and the receivers of the seeded company respond to the attempts under way. */
const FROZEN = { clock: () => NOW, sender: liveDemo({ seed: 1 }).sender };

async function newConfig() {
  const data = await mkdtemp(join(tmpdir(), 'hubline-seed-'));
  const config = parseServerConfig({ data, port: 0, logLevel: 'silent', senders: 0 }, {});
  return { config, remove: () => rm(data, { recursive: true, force: true }) };
}

async function seeded(options: SeedOptions, overrides: ServerOverrides) {
  const { config, remove } = await newConfig();
  const owner = await seedDatabase(config, options);
  if (!owner) throw new Error('It was not seeded.');
  const server = await startServer(config, overrides);
  const stop = async () => {
    await server.stop();
    await remove();
  };
  return { config, owner, server, read: reader(server, owner), stop };
}

// Tests read rows by the field names that they need.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;

const reader =
  ({ baseUrl }: RunningServer, { key }: SeedOwner) =>
  async (path: string): Promise<Json> => {
    const response = await fetch(baseUrl + path, { headers: { Authorization: `Bearer ${key}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

/** Endpoints for things that a seeded workspace need not have: definitions, OAuth apps, recoveries. */
const UNSEEDED = /^(providers|oauth|recoveries)\./;
/** The path of one thing. */
const ONE = /\{(?!id\})\w+\}/;

const depth = (row: Endpoint) => Number(ONE.test(row.path)) + Number(row.path.includes('{runId}'));

/** The parameter that names the rows of a list. */
const PARAMS: Readonly<Record<string, string>> = {
  'apiKeys.list': 'keyId',
  'integrations.list': 'integrationId',
  'events.list': 'eventId',
  'webhooks.list': 'webhookId',
  'deliveries.list': 'deliveryId',
  'automations.list': 'automationId',
  'automations.listRuns': 'runId',
  'notificationTemplates.list': 'templateId',
  'notificationRules.list': 'ruleId',
};

describe('a seeded workspace', () => {
  let world: Awaited<ReturnType<typeof seeded>>;
  let ws: string;
  beforeAll(async () => {
    const options = { now: NOW, days: 2, eventsPerDay: 300 };
    world = await seeded(options, FROZEN);
    ws = `/workspaces/${world.owner.workspaceId}`;
  });
  afterAll(() => world.stop());

  it('was not down before its first start: no tool is asked for what it missed', async () => {
    const kinds = (await listJobs(world.config)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.startsWith('sync'))).toEqual([]);
  });

  it('has something in every list, and everything is as the contract says', async () => {
    const { owner, read } = world;
    const ids: Record<string, string> = { id: owner.workspaceId };
    const empty: string[] = [];
    const rows = Object.entries<Endpoint>(endpoints)
      .filter(([name, row]) => row.method === 'GET' && !name.endsWith('.stream') && !UNSEEDED.test(name))
      // Lists come first, because they give the IDs for the other endpoints.
      .toSorted(([, a], [, b]) => depth(a) - depth(b));
    for (const [name, row] of rows) {
      const path = row.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => ids[param] ?? `unknown-${param}`);
      const body = await read(
        `${path}${name === 'webhooks.list' ? `?workspace_id=${owner.workspaceId}` : ''}`,
      );
      const parsed = row.response?.safeParse(body);
      expect([name, parsed?.error?.issues]).toEqual([name, undefined]);
      if (!Array.isArray(body.data)) continue;
      if (body.data.length === 0) empty.push(name);
      const param = PARAMS[name];
      if (param !== undefined) ids[param] = body.data[0]?.id ?? body.data[0]?.[`${name.split('s.')[0]}_id`];
    }
    expect(empty).toEqual([]);
  });

  it('has five tools, four webhooks, and members of every role', async () => {
    const integrations = await world.read(`${ws}/integrations`);
    expect(integrations.data.map((each: Json) => [each.provider, each.status]).toSorted()).toEqual([
      ['custom', 'connected'],
      ['github', 'connected'],
      ['linear', 'connected'],
      ['notion', 'connected'],
      ['slack', 'connected'],
    ]);
    const members = await world.read(`${ws}/members`);
    expect(new Set(members.data.map((each: Json) => each.role))).toEqual(
      new Set(['owner', 'admin', 'member', 'viewer']),
    );
    expect(new Set(members.data.map((each: Json) => each.status))).toEqual(new Set(['active', 'invited']));
  });

  it('has one webhook that has responded with 503 since the night, one that is slow, and two that are healthy', async () => {
    const { data } = await world.read(`/webhooks?workspace_id=${world.owner.workspaceId}`);
    const failing = data.filter((each: Json) => each.failing_since !== null);
    expect(failing).toMatchObject([{ status: 'active', last_failed_attempt: { response_status: 503 } }]);
    const hours = (NOW.getTime() - Date.parse(failing[0].failing_since)) / HOUR_MS;
    expect(hours).toBeGreaterThan(8);
    expect(hours).toBeLessThan(9.7);

    const failed = await world.read(`/webhooks/${failing[0].id}/deliveries?status=failed&limit=100`);
    expect(failed.data.length).toBeGreaterThan(5);
    for (const each of failed.data)
      expect(each).toMatchObject({ attempt_count: 5, last_attempt: { response_status: 503 } });

    const stats = await world.read(`${ws}/stats?window=24h`);
    const slow = stats.webhooks.filter((each: Json) => each.p50_ms > 500);
    expect(slow).toHaveLength(1);
    expect(data).toHaveLength(4);
  });

  it('counts in its statistics what its lists hold', async () => {
    const stats = await world.read(`${ws}/stats?window=24h`);
    const since = new Date(NOW.getTime() - 24 * HOUR_MS).toISOString();
    let listed = 0;
    for (let cursor = ''; ;) {
      const page = await world.read(`${ws}/events?since=${since}&limit=100${cursor}`);
      listed += page.data.length;
      if (!page.pagination.has_more) break;
      cursor = `&cursor=${encodeURIComponent(page.pagination.next_cursor)}`;
    }
    // The first bucket begins at a full minute, but the list begins at a second.
    expect(Math.abs(stats.events - listed)).toBeLessThan(20);
    expect(listed).toBeGreaterThan(250);
    const busy = stats.series.filter((bucket: Json) => bucket.events > 0);
    expect(busy.length / stats.series.length).toBeGreaterThan(0.6);
  });

  it('is not seeded again, and neither is a workspace that somebody else has made', async () => {
    expect(await seedDatabase(world.config, { now: NOW })).toBeNull();
    const other = await newConfig();
    onTestFinished(other.remove);
    await bootstrap(other.config, { email: 'ana@acme.test', name: 'Acme', slug: 'acme' });
    expect(await seedDatabase(other.config)).toBeNull();
  });
});

it('that was cut off is not taken for a database of somebody else: the message says what to remove', async () => {
  const { config, remove } = await newConfig();
  onTestFinished(remove);
  // Fails after the workspace was made, before its history.
  const cutOff = seedDatabase(config, { now: NOW, eventsPerDay: 24n as unknown as number });
  await expect(cutOff).rejects.toThrow(TypeError);
  await expect(seedDatabase(config, { now: NOW })).rejects.toThrow(
    `incomplete, because an earlier --seed was cut off. Remove hubline.db, hubline.db-wal and hubline.db-shm in ${config.data}, and start again.`,
  );
  for (const name of ['hubline.db', 'hubline.db-wal', 'hubline.db-shm'])
    await rm(join(config.data, name), { force: true });
  expect(await seedDatabase(config, { now: NOW, days: 1, eventsPerDay: 24 })).not.toBeNull();
});

it('of two seeds at once, one is refused before it changes anything, and nothing is called cut off', async () => {
  const { config, remove } = await newConfig();
  onTestFinished(remove);
  const seeds = [1, 1].map(() => seedDatabase(config, { now: NOW, days: 1, eventsPerDay: 24 }));
  const results = await Promise.allSettled(seeds);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const refused = results.find((result) => result.status === 'rejected');
  expect(String(refused?.reason)).toContain(`Another server is using ${config.data}`);
  await using server = await startServer(config, FROZEN);
  const [owner] = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []));
  expect((await reader(server, owner as SeedOwner)('/workspaces')).data).toHaveLength(1);
});

it('does not fill the empty database of a server that runs', async () => {
  const { config, remove } = await newConfig();
  onTestFinished(remove);
  await using server = await startServer(config);
  expect(server.setupUrl).not.toBeNull();
  await expect(seedDatabase(config, { now: NOW, days: 1, eventsPerDay: 24 })).rejects.toThrow(
    `Another server is using ${config.data}`,
  );
});

describe('a seed that was cut off before it made its owner', () => {
  async function cutOff() {
    const { config, remove } = await newConfig();
    onTestFinished(remove);
    await expect(seedDatabase(config, { now: NOW, seed: 1n as unknown as number })).rejects.toThrow(
      TypeError,
    );
    return config;
  }

  it('is finished by the next one', async () => {
    const config = await cutOff();
    const owner = await seedDatabase(config, { now: NOW, days: 1, eventsPerDay: 24 });
    expect(owner).toMatchObject({ email: expect.stringContaining('@') });
    expect(await seedDatabase(config, { now: NOW })).toBeNull();
  });

  it('leaves the database to whoever is the first owner instead', async () => {
    const config = await cutOff();
    await bootstrap(config, { email: 'ana@acme.test' });
    expect(await seedDatabase(config, { now: NOW })).toBeNull();
  });
});

it('the same number makes the same history, and another number another', async () => {
  const historyOf = async (seed: number) => {
    const { owner, read, stop } = await seeded({ seed, now: NOW, days: 1, eventsPerDay: 24 }, FROZEN);
    const id = owner.workspaceId;
    const events = await read(`/workspaces/${id}/events?limit=100`);
    const deliveries = await read(`/workspaces/${id}/deliveries?limit=100`);
    await stop();
    return JSON.stringify([events.data, deliveries.data]);
  };
  const first = await historyOf(7);
  expect(await historyOf(7)).toBe(first);
  expect(await historyOf(8)).not.toBe(first);
});

it('a live demo continues while the server runs: events come in and are delivered, the failing receiver fails, and no name is looked up', async () => {
  const asked: string[] = [];
  const { owner, read, stop } = await seeded(
    { days: 1, eventsPerDay: 24 },
    {
      ...liveDemo({ pauseMs: [1, 5] }),
      async resolve(name) {
        asked.push(name);
        return [];
      },
    },
  );
  onTestFinished(stop);
  const id = owner.workspaceId;
  const total = () => read(`/workspaces/${id}/stats?window=1h`);
  const before = await total();
  await vi.waitUntil(
    async () => {
      const now = await total();
      return now.events > before.events + 20 && now.attempts.failed > before.attempts.failed;
    },
    { timeout: 60_000, interval: 100 },
  );
  const delivered = await read(`/workspaces/${id}/deliveries?status=delivered&limit=1`);
  expect(delivered.data[0].last_attempt.response_status).toBeLessThan(300);
  expect(asked).toEqual([]);
});
