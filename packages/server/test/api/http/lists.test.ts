import { type Endpoint, type EndpointName, endpoints } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type CallInput, walk } from '../support/api.ts';
import {
  invite,
  newKey,
  newStranger,
  newWorkspace,
  type TestWorkspace,
  startWorkspace,
  unique,
} from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

const COUNT = 5;

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let api: Api;
let receiver: Receiver;
let webhookId: string;
let automationId: string;
let now = new Date('2026-03-01T10:00:00.000Z');

beforeAll(async () => {
  receiver = await startReceiver();
  root = await startWorkspace({ clock: () => now });
  // A separate owner, who sees only what this file makes.
  workspace = await newStranger(root);
  ({ api } = workspace);
  const here = { params: { id: workspace.workspaceId } };
  for (let index = 0; index < COUNT; index++) {
    now = new Date(now.getTime() + 1_000);
    await newWorkspace(workspace);
    await invite(workspace, 'viewer');
    await newKey(workspace);
    await api.call('personalApiKeys.create', { body: { name: 'p' } });
    await api.call('integrations.connect', {
      body: { provider: 'custom', workspace_id: workspace.workspaceId, credentials: {} },
    });
    await api.call('providers.create', {
      ...here,
      body: { provider: `tool-${index}`, name: 'Tool', verification: { kind: 'none' } },
    });
    ({ id: automationId } = await api.call('automations.create', {
      ...here,
      body: { name: 'a', trigger: { event: 'manual' }, actions: [{ type: 'wait', seconds: 3_600 }] },
    }));
    await api.call('notificationTemplates.create', { ...here, body: { name: 't', body: { text: 't' } } });
    await api.call('notificationRules.create', {
      ...here,
      body: {
        name: 'r',
        notify_on: ['event.created'],
        destinations: [{ kind: 'in_app', roles: ['owner'] }],
      },
    });
    ({ id: webhookId } = await api.call('webhooks.create', {
      body: { url: receiver.url, events: ['*'], workspace_id: workspace.workspaceId, secret: 's' },
    }));
  }
  for (let index = 0; index < COUNT; index++) {
    now = new Date(now.getTime() + 1_000);
    const type = index % 2 === 0 ? 'even' : 'odd';
    await api.call('events.publish', {
      ...here,
      body: { type, source: `source-${index}`, payload: { index } },
    });
    await api.call('automations.run', { params: { id: workspace.workspaceId, automationId }, body: {} });
  }
  // Every rule tells the owner of every event.
  await until('the notifications', async () => {
    const { data } = await api.call('notifications.list', { query: { limit: '100' } });
    return data.length === COUNT * COUNT;
  });
});
afterAll(async () => {
  await root.stop();
  await receiver.stop();
});

/** Every list, with the input that it needs. */
const lists = {
  'workspaces.list': () => ({}),
  'members.list': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'apiKeys.list': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'personalApiKeys.list': () => ({}),
  'integrations.listProviders': () => ({}),
  'integrations.list': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'providers.listPresets': () => ({}),
  'providers.list': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'oauth.listApps': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'events.list': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'events.listAll': () => ({}),
  'webhooks.list': (workspace) => ({ query: { workspace_id: workspace.workspaceId } }),
  'deliveries.list': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'deliveries.listForWebhook': () => ({ params: { webhookId } }),
  'automations.list': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'automations.listRuns': (workspace) => ({ params: { id: workspace.workspaceId, automationId } }),
  'notificationTemplates.list': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'notificationRules.list': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'notificationRules.log': (workspace) => ({ params: { id: workspace.workspaceId } }),
  'notifications.list': () => ({}),
  'auditLog.list': (workspace) => ({ params: { id: workspace.workspaceId } }),
} satisfies Partial<Record<EndpointName, (workspace: TestWorkspace) => CallInput>>;

type ListName = keyof typeof lists;
const names = Object.keys(lists) as ListName[];
const inputOf = (name: ListName): CallInput => lists[name](workspace);

function idOf(item: unknown): string {
  const { id, user_id, event_id, integration_id, provider_id, provider, preset } = item as Record<
    string,
    string
  >;
  return id ?? user_id ?? event_id ?? integration_id ?? provider_id ?? provider ?? preset ?? '';
}

type Page = { data: unknown[]; pagination: { next_cursor: string | null; has_more: boolean } };
const pageOf = async (name: ListName, query: Record<string, string>, from: Api = api) => {
  const input = inputOf(name);
  return (await from.call(name, { ...input, query: { ...input.query, ...query } })) as Page;
};

it('this file knows every list of the contract', () => {
  const paged = Object.entries<Endpoint>(endpoints)
    .filter(([, { query }]) => query && Object.hasOwn(query.shape, 'cursor'))
    .map(([name]) => name);
  expect(paged.sort()).toEqual([...names].sort());
});

describe.each(names)('%s', (name) => {
  it('gives every item once, whatever the size of the pages', async () => {
    const whole = (await walk(api, name, { ...inputOf(name), limit: 100 })).flat().map(idOf);
    expect(whole.length).toBeGreaterThan(1);
    expect(new Set(whole).size).toBe(whole.length);
    for (const limit of [1, 2, whole.length - 1, whole.length, 100]) {
      if (limit < 1) continue;
      const pages = await walk(api, name, { ...inputOf(name), limit });
      expect(pages.flat().map(idOf)).toEqual(whole);
      // A page that is exactly full can be the last one.
      expect(pages).toHaveLength(Math.ceil(whole.length / limit));
    }
  });

  it('refuses every changed cursor with 400', async () => {
    const { pagination } = await pageOf(name, { limit: '1' });
    const cursor = pagination.next_cursor ?? '';
    await pageOf(name, { cursor });
    const bytes = Buffer.from(cursor);
    const changed: string[] = [];
    // One list gets a change of every bit. The others share its code, and get one change for about every character.
    for (let bit = 0; bit < bytes.length * 8; bit += name === 'events.list' ? 1 : 9) {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      changed.push(copy.toString('latin1'));
    }
    changed.push(
      '',
      'null',
      'x'.repeat(10_000),
      "' or 1=1 --",
      `${cursor}=`,
      `${cursor}A`,
      cursor.slice(1),
      ` ${cursor}`,
    );
    changed.push(
      cursor.replace(/^c1/, 'c2'),
      cursor.replace(/^c1/, 'c0'),
      Buffer.from('1').toString('base64url'),
    );
    const { params, query } = inputOf(name);
    const responses = await Promise.all(
      changed.map((wrong) => api.send(name, { params, query: { ...query, cursor: wrong } })),
    );
    expect([...new Set(responses.map(({ status }) => status))]).toEqual([400]);
  });

  it('refuses the cursors of other lists with 400', async () => {
    const cursors = await Promise.all(
      names
        .filter((other) => other !== name)
        .map(async (other) => (await pageOf(other, { limit: '1' })).pagination.next_cursor ?? ''),
    );
    for (const cursor of cursors) {
      const { query, ...input } = inputOf(name);
      await api.refused(name, 400, { ...input, query: { ...query, cursor } });
    }
  });
});

it('a cursor is bound to its workspace and its filters', async () => {
  const own = await pageOf('events.list', { limit: '1', type: 'even' });
  const cursor = own.pagination.next_cursor ?? '';
  await pageOf('events.list', { cursor, type: 'even' });
  // The page size is not part of the cursor.
  await pageOf('events.list', { cursor, type: 'even', limit: '3' });
  const here = { params: { id: workspace.workspaceId } };
  for (const query of [{ cursor }, { cursor, type: 'odd' }, { cursor, type: 'even', source: 'x' }])
    await api.refused('events.list', 400, { ...here, query });
  const { workspaceId } = await newWorkspace(workspace);
  await api.refused('events.list', 400, { params: { id: workspaceId }, query: { cursor, type: 'even' } });
  const personal = await pageOf('workspaces.list', { limit: '1' });
  await root.api.refused('workspaces.list', 400, {
    query: { cursor: personal.pagination.next_cursor ?? '' },
  });
});

it('a page has 20 items unless the request names another number', async () => {
  const { workspaceId } = await newWorkspace(workspace);
  const input = { params: { id: workspaceId } };
  await api.call('events.publishBatch', {
    ...input,
    body: { events: Array.from({ length: 21 }, () => ({ type: 't', payload: {} })) },
  });
  expect((await api.call('events.list', input)).data).toHaveLength(20);
});

it('a cursor keeps its place while items are added and removed', async () => {
  const { workspaceId } = await newWorkspace(workspace);
  const input = { params: { id: workspaceId } };
  const publish = (type: string) => api.call('events.publish', { ...input, body: { type, payload: {} } });
  const first = [await publish('a'), await publish('b'), await publish('c')].map(({ event_id }) => event_id);
  const page = await api.call('events.list', { ...input, query: { limit: '2' } });
  await publish('d');
  const rest = await api.call('events.list', {
    ...input,
    query: { cursor: page.pagination.next_cursor ?? '' },
  });
  expect([...page.data, ...rest.data].map(({ event_id }) => event_id)).toEqual(first.reverse());

  const keys = [await newKey({ ...workspace, workspaceId })];
  now = new Date(now.getTime() + 1);
  keys.push(await newKey({ ...workspace, workspaceId }));
  const one = await api.call('apiKeys.list', { ...input, query: { limit: '1' } });
  await api.call('apiKeys.revoke', { params: { id: workspaceId, keyId: keys[0]?.id ?? '' } });
  const two = await api.call('apiKeys.list', {
    ...input,
    query: { cursor: one.pagination.next_cursor ?? '' },
  });
  expect(two.data.map(({ id }) => id)).toEqual([keys[1]?.id]);
});

describe('the filters of events', () => {
  const events = async (query: Record<string, string>) =>
    (await api.call('events.list', { params: { id: workspace.workspaceId }, query })).data;

  it('narrow by type and source, newest first', async () => {
    expect((await events({ type: 'even' })).map(({ source }) => source)).toEqual([
      'source-4',
      'source-2',
      'source-0',
    ]);
    expect((await events({ source: 'source-1' })).map(({ type }) => type)).toEqual(['odd']);
    expect(await events({ type: 'even', source: 'source-1' })).toEqual([]);
    expect(await events({ type: 'EVEN' })).toEqual([]);
  });

  it('narrow by time: after since, before until', async () => {
    const all = await events({});
    const [newest, second, , , oldest] = all;
    const since = second?.created_at ?? '';
    expect(await events({ since })).toEqual([newest]);
    expect(await events({ until: all[3]?.created_at ?? '' })).toEqual([oldest]);
    expect(await events({ since: oldest?.created_at ?? '', until: newest?.created_at ?? '' })).toHaveLength(
      3,
    );
    // The same time in another zone.
    const zoned = `${new Date(Date.parse(since) + 3_600_000).toISOString().slice(0, -1)}+01:00`;
    expect(await events({ since: zoned })).toEqual([newest]);
  });

  it.each([
    '1',
    '',
    '2026-02-30T00:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+25:00',
    '2026-01-01T24:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01 00:00:00Z',
    'now',
    '1767225600',
    '9999-12-31T23:59:59-01:00',
  ])('refuse a time that is not one: %s', async (since) => {
    for (const query of [{ since }, { until: since }]) {
      const { details } = await api.refused('events.list', 400, {
        params: { id: workspace.workspaceId },
        query,
      });
      expect(details?.[0]?.field).toBe(Object.keys(query)[0]);
    }
  });
});

describe('GET /events', () => {
  it('has the events of all workspaces of the caller, and of no other', async () => {
    const stranger = await newStranger(root);
    const [a, b] = [await newWorkspace(stranger), await newWorkspace(stranger)];
    const publish = async (where: TestWorkspace) =>
      (
        await where.api.call('events.publish', {
          params: { id: where.workspaceId },
          body: { type: unique('t'), payload: {} },
        })
      ).event_id;
    const made = [await publish(a), await publish(b), await publish(a)];
    const list = async (from: Api, query = {}) =>
      (await from.call('events.listAll', { query })).data.map(({ event_id }) => event_id);
    expect(await list(stranger.api)).toEqual([...made].reverse());
    expect(await list(stranger.api, { workspace_id: b.workspaceId })).toEqual([made[1]]);
    const bound = stranger.api.as((await newKey(a)).key);
    expect(await list(bound)).toEqual([made[2], made[0]]);
    await bound.refused('events.listAll', 404, { query: { workspace_id: b.workspaceId } });
    await api.refused('events.listAll', 404, { query: { workspace_id: b.workspaceId } });
    await api.refused('events.listAll', 404, { query: { workspace_id: 'nonsense' } });
  });
});

it('the list of webhooks is that of the workspace that the key is bound to, or that the query names', async () => {
  const bound = api.as((await newKey(workspace)).key);
  expect((await bound.call('webhooks.list')).data).toHaveLength(COUNT);
  const { details } = await api.refused('webhooks.list', 400);
  expect(details?.[0]?.field).toBe('workspace_id');
  await api.refused('webhooks.list', 404, { query: { workspace_id: root.workspaceId } });
  await api.refused('webhooks.list', 404, { query: { workspace_id: 'nonsense' } });
});

it('the list of deliveries is narrowed by webhook, event, status, type and time', async () => {
  const here = { params: { id: workspace.workspaceId } };
  const list = async (query: Record<string, string>) =>
    (await api.call('deliveries.list', { ...here, query: { limit: '100', ...query } })).data;
  const all = await list({});
  const [one] = all;
  const ids = (deliveries: typeof all) => deliveries.map(({ id }) => id);
  expect(ids(await list({ webhook_id: webhookId }))).toEqual(
    ids(all.filter(({ webhook_id }) => webhook_id === webhookId)),
  );
  expect(await list({ webhook_id: webhookId })).toHaveLength(COUNT);
  expect(await list({ event_id: one?.event_id ?? '' })).toHaveLength(COUNT);
  expect(await list({ event_type: 'integration.connected' })).toEqual(
    all.filter(({ event_type }) => event_type === 'integration.connected'),
  );
  expect(await list({ status: 'cancelled' })).toEqual([]);
  expect(await list({ since: one?.created_at ?? '' })).toEqual([]);
  expect(await list({ until: '2000-01-01T00:00:00Z' })).toEqual([]);
  await api.refused('deliveries.list', 400, { ...here, query: { status: 'lost' } });
  await api.refused('deliveries.list', 404, { ...here, query: { webhook_id: 'nonsense' } });
});
