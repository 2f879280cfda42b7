import type { Condition } from '@hubline/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver(() => ({ status: 200 }));
  workspace = await startWorkspace();
});
afterAll(async () => {
  await workspace.stop();
  await receiver.stop();
});

const MERGED: Condition = {
  all: [
    { field: 'event.payload.merged', op: 'eq', value: true },
    { not: { field: 'event.payload.actor', op: 'ends_with', value: '[bot]' } },
  ],
};

const webhookBody = (conditions: unknown, events = ['*']) => ({
  url: receiver.url,
  events,
  workspace_id: workspace.workspaceId,
  secret: 's3cret',
  filters: { conditions },
});

async function newWebhook(conditions: unknown, events?: string[]): Promise<string> {
  const { id } = await workspace.api.call('webhooks.create', { body: webhookBody(conditions, events) });
  return id;
}

const publish = (payload: object) =>
  workspace.api.call('events.publish', {
    params: { id: workspace.workspaceId },
    body: { type: 'pull_request', payload },
  });

const eventsOf = async (webhookId: string) => {
  const { data } = await workspace.api.call('deliveries.listForWebhook', { params: { webhookId } });
  return data.map((delivery) => delivery.event_id);
};

it('a webhook with conditions gets the events that meet them, and no other trigger', async () => {
  const webhookId = await newWebhook(MERGED);
  const merged = await publish({ merged: true, actor: 'ana' });
  await publish({ merged: false, actor: 'ana' });
  await publish({ merged: true, actor: 'dependabot[bot]' });
  await publish({ other: 1 });
  await workspace.api.call('members.invite', {
    params: { id: workspace.workspaceId },
    body: { email: 'conditions@example.com' },
  });
  expect(await eventsOf(webhookId)).toEqual([merged.event_id]);
  await until('the call', () => receiver.calls.length > 0);
  const webhook = await workspace.api.call('webhooks.get', { params: { webhookId } });
  expect(webhook.filters).toEqual({ conditions: MERGED });
});

it('conditions on other triggers look at their data', async () => {
  const webhookId = await newWebhook({ field: 'data.role', op: 'eq', value: 'viewer' }, ['user.invited']);
  const invite = (role: string) =>
    workspace.api.call('members.invite', {
      params: { id: workspace.workspaceId },
      body: { email: `${role}@example.com`, role },
    });
  await invite('viewer');
  await invite('member');
  expect(await eventsOf(webhookId)).toEqual([null]);
});

it('a change of conditions applies from the next event on', async () => {
  const webhookId = await newWebhook({ field: 'event.payload.n', op: 'gt', value: 10 });
  await publish({ n: 5 });
  await workspace.api.call('webhooks.update', {
    params: { webhookId },
    body: { filters: { conditions: { field: 'event.payload.n', op: 'gt', value: 1 } } },
  });
  const second = await publish({ n: 5 });
  await workspace.api.call('webhooks.update', { params: { webhookId }, body: { filters: null } });
  const third = await publish({ n: 0 });
  expect(await eventsOf(webhookId)).toEqual([third.event_id, second.event_id]);
});

it('a dry run says for past events what each comparison found, and sends nothing', async () => {
  const webhookId = await newWebhook(MERGED);
  const merged = await publish({ merged: true, actor: 'li' });
  const open = await publish({ merged: false, actor: 'li' });
  const before = await eventsOf(webhookId);
  const run = (body: object) => workspace.api.call('webhooks.testFilters', { params: { webhookId }, body });

  const { data } = await run({});
  expect(data.slice(0, 2)).toMatchObject([
    { event_id: open.event_id, matched: false, refused_by: 'conditions' },
    { event_id: merged.event_id, matched: true, refused_by: null },
  ]);
  expect(data[0]?.conditions).toEqual([
    { path: 'all[0]', field: 'event.payload.merged', op: 'eq', found: 'false', matched: false },
    { path: 'all[1].not', field: 'event.payload.actor', op: 'ends_with', found: '"li"', matched: false },
  ]);

  const others = await run({ filters: { sources: ['github'] }, event_ids: [merged.event_id] });
  expect(others.data).toMatchObject([{ matched: false, refused_by: 'sources', conditions: null }]);
  const none = await run({ filters: null, event_ids: [open.event_id] });
  expect(none.data).toMatchObject([{ matched: true, refused_by: null }]);
  expect(await eventsOf(webhookId)).toEqual(before);
});

const leaf = { field: 'event.type', op: 'eq', value: 'x' };
const times = (count: number, one: object) => Array.from({ length: count }, () => one);
const nested = (depth: number): unknown => (depth === 1 ? leaf : { not: nested(depth - 1) });

it.each<[string, unknown, string, RegExp]>([
  ['an unknown operator', { all: [leaf, { ...leaf, op: 'equals' }] }, 'all[1].op', /must be one of eq, ne/],
  ['a missing operator', { field: 'event.type' }, 'op', /is required/],
  ['a missing value', { field: 'event.type', op: 'eq' }, 'value', /is required/],
  ['a value too many', { ...leaf, op: 'exists' }, 'value', /left out, because op exists/],
  ['a list for eq', { ...leaf, value: ['x'] }, 'value', /use in/],
  ['a text for in', { ...leaf, op: 'in' }, 'value', /must be a list/],
  ['null', { ...leaf, value: null }, 'value', /must be a string/],
  ['a number for matches', { ...leaf, op: 'matches', value: 5 }, 'value', /must be a string/],
  ['a number that is not exact', { ...leaf, value: 2 ** 60 }, 'value', /write it as a string/],
  ['two groups', { all: [leaf], any: [leaf] }, '', /exactly one of all, any, not and field/],
  ['nothing', {}, '', /exactly one of/],
  ['an empty group', { any: [] }, 'any', /at least one/],
  ['an unknown field', { not: { ...leaf, values: 1 } }, 'not.values', /value/],
  ['a text', 'event.type == "x"', '', /must be an object/],
  ['a pattern that is not one', { ...leaf, op: 'matches', value: '(' }, 'value', /RE2/],
  [
    'a path that begins elsewhere',
    { any: [{ ...leaf, field: 'type' }] },
    'any[0].field',
    /must begin with one of event/,
  ],
  ['six levels', nested(6), '', /at most 5 deep/],
  ['51 comparisons', { all: times(51, leaf) }, '', /at most 50 comparisons/],
  ['a long value', { ...leaf, value: 'x'.repeat(1_025) }, 'value', /at most 1024 characters/],
  ['17 KB', { all: times(17, { ...leaf, value: 'x'.repeat(1_000) }) }, '', /at most 16 KiB/],
])('refuses %s with its path', async (_, conditions, field, issue) => {
  const at = ['filters.conditions', field].filter(Boolean).join('.');
  const { json, status } = await workspace.api.send('webhooks.create', { body: webhookBody(conditions) });
  expect(status).toBe(400);
  const { details } = (json as { error: { details: { field: string; issue: string }[] } }).error;
  expect(details).toEqual([{ field: at, issue: expect.stringMatching(issue) as string }]);
});

it('conditions may have five levels and fifty comparisons', async () => {
  await newWebhook(nested(5));
  await newWebhook({ all: times(50, leaf) });
});

// On regular-expression engines that cannot be interrupted, this takes a minute.
const COSTLY: Condition = { field: 'event.payload.l[*]', op: 'matches', value: '(?i)a[ab]{60}\\bc' };
const costlyPayload = () => ({ n: 1, l: Array.from({ length: 480 }, () => 'abaabbbabaab'.repeat(170)) });

it('conditions that are too expensive do not hold, say so in a dry run, and keep nobody waiting', async () => {
  const webhookId = await newWebhook({ not: COSTLY });
  const cheapId = await newWebhook({ field: 'event.payload.n', op: 'eq', value: 1 });
  const { event_id } = await publish(costlyPayload());
  expect(await eventsOf(webhookId)).toEqual([]);
  expect(await eventsOf(cheapId)).toEqual([event_id]);
  const { data } = await workspace.api.call('webhooks.testFilters', {
    params: { webhookId },
    body: { event_ids: [event_id] },
  });
  expect(data).toMatchObject([
    {
      matched: false,
      refused_by: 'conditions',
      conditions: [{ path: 'not', matched: false, note: expect.stringContaining('too expensive') as string }],
    },
  ]);
});

it('a pattern that is costly to compile is refused on save, with its path', async () => {
  for (const value of ['(?i)\\pL'.padEnd(40, '\\pL'), 'a'.repeat(300), '((a{90}){90}){90}']) {
    const body = webhookBody({ field: 'event.type', op: 'matches', value });
    const { details } = await workspace.api.refused('webhooks.create', 400, { body });
    expect(details).toMatchObject([{ field: 'filters.conditions.value' }]);
  }
});

it('a wrong URL, a wrong path and an unknown field are all reported at once', async () => {
  const body = webhookBody({ all: [{ field: 'event.sumary', op: 'exists' }, { field: 'event.type' }] });
  const { details } = await workspace.api.refused('webhooks.create', 400, {
    body: { ...body, url: 'ftp://example.com', secrets: 'x' },
  });
  expect(details?.map(({ field }) => field).toSorted()).toEqual([
    'filters.conditions.all[0].field',
    'filters.conditions.all[1].op',
    'secrets',
    'url',
  ]);
});
