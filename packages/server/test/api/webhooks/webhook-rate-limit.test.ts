import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };

beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.stop());

const webhookTo = (url: string, more: object) =>
  workspace.api.call('webhooks.create', {
    body: { url, events: ['event.created'], workspace_id: workspace.workspaceId, secret: 's3cret', ...more },
  });

const publish = (count: number) =>
  workspace.api.call('events.publishBatch', {
    params: { id: workspace.workspaceId },
    body: { events: Array.from({ length: count }, (_, n) => ({ type: 'deploy', payload: { n } })) },
  });

it('calls a webhook no faster than its rate limit, and does not count waiting as an attempt', async () => {
  const times: number[] = [];
  await using receiver = await startReceiver(() => {
    times.push(performance.now());
    return { status: 200 };
  });
  const { id } = await webhookTo(receiver.url, { rate_limit: { per_second: 20 } });
  await publish(20);
  await until('all calls', () => times.length === 20);

  // A rate of 20 a second sends pairs, every 100 ms, so the calls take 0.9 s. On a busy machine, the first may be late.
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(600);
  const { data } = await until('all records', async () => {
    const list = await workspace.api.call('deliveries.listForWebhook', { params: { webhookId: id } });
    return list.data.every((delivery) => delivery.status === 'delivered') && list;
  });
  expect(data.map((delivery) => delivery.attempt_count)).toEqual(data.map(() => 1));
  await workspace.api.call('webhooks.delete', { params: { webhookId: id } });
});

it('does not let a limited webhook hold up another', async () => {
  await using slow = await startReceiver();
  await using fast = await startReceiver();
  const limited = await webhookTo(slow.url, { rate_limit: { per_second: 1 } });
  const free = await webhookTo(fast.url, {});
  await publish(100);
  await until('the free one', () => fast.calls.length === 100);
  expect(slow.calls.length).toBeLessThan(50);
  for (const { id } of [limited, free])
    await workspace.api.call('webhooks.delete', { params: { webhookId: id } });
});

it('sends everything at once when the limit is removed', async () => {
  await using receiver = await startReceiver();
  const { id } = await webhookTo(receiver.url, { rate_limit: { per_second: 1 } });
  await publish(100);
  await until('the first call', () => receiver.calls.length > 0);
  const params = { webhookId: id };
  const updated = await workspace.api.call('webhooks.update', { params, body: { rate_limit: null } });
  expect(updated.rate_limit).toBeNull();
  // At one call a second, this would take longer than `until` waits.
  await until('the rest', () => receiver.calls.length === 100);
  const { data } = await workspace.api.call('auditLog.list', {
    params: { id: workspace.workspaceId },
    query: { target: id, action: 'webhook.updated' },
  });
  expect(data.map((entry) => entry.changes)).toEqual([
    [{ field: 'rate_limit.per_second', from: 1, to: null }],
  ]);
  await workspace.api.call('webhooks.delete', { params });
});

it.each([[0], [-1], [1.5], [1_001], ['5'], [undefined]])(
  'refuses the rate %j, naming the field',
  async (per_second) => {
    const { details } = await workspace.api.refused('webhooks.create', 400, {
      body: {
        url: 'https://example.com/hook',
        events: ['*'],
        workspace_id: workspace.workspaceId,
        secret: 's3cret',
        rate_limit: { per_second },
      },
    });
    expect(details?.[0]?.field).toBe('rate_limit.per_second');
  },
);

it.each<[unknown, string]>([
  [-1, 'rate_limit must be an object such as {"per_second": 10}, from 1 to 1000; for no limit, null.'],
  [
    {},
    'rate_limit.per_second is required and must be an integer from 1 to 1000; for no limit, rate_limit: null.',
  ],
  [
    { per_second: '5' },
    'rate_limit.per_second must be an integer from 1 to 1000; for no limit, rate_limit: null.',
  ],
  [
    { per_second: -1 },
    'rate_limit.per_second must be an integer from 1 to 1000; for no limit, rate_limit: null.',
  ],
])('says the range and the cure for %j', async (rate_limit, message) => {
  const refused = await workspace.api.refused('webhooks.update', 400, {
    params: { webhookId: (await webhookTo('https://example.com/hook', {})).id },
    body: { rate_limit },
  });
  expect(refused.message).toBe(message);
});
