import { isId } from '@hubline/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newStranger, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

const LONG_AGO = '2020-01-01T00:00:00Z';

let workspace: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;
let status: number;
let ahead: number;
let timers: Set<() => void>;
/** Runs all pending timers. */
const fire = () => {
  const due = timers;
  timers = new Set();
  for (const run of due) run();
};

beforeEach(async () => {
  status = 500;
  receiver = await startReceiver(() => ({ status }));
  ahead = 0;
  timers = new Set();
  workspace = await startWorkspace({
    clock: () => new Date(Date.now() + ahead),
    timer: (run) => {
      timers.add(run);
      return () => void timers.delete(run);
    },
  });
});
afterEach(async () => {
  await workspace.stop();
  await receiver.stop();
});

async function newWebhook(events = ['event.created']): Promise<string> {
  const { id } = await workspace.api.call('webhooks.create', {
    body: { url: receiver.url, events, workspace_id: workspace.workspaceId, secret: 's3cret' },
  });
  return id;
}

const inWorkspace = () => ({ params: { id: workspace.workspaceId } });

const publish = (count: number) =>
  workspace.api.call('events.publishBatch', {
    ...inWorkspace(),
    body: { events: Array.from({ length: count }, (_, n) => ({ type: 'deploy', payload: { n } })) },
  });

async function deliveriesOf(webhookId: string) {
  const { data } = await workspace.api.call('deliveries.listForWebhook', {
    params: { webhookId },
    query: { limit: '100' },
  });
  return data;
}

/** Runs every retry, until all deliveries of the webhooks have failed for good. */
async function failAll(...webhookIds: readonly string[]): Promise<void> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    // Waits for all webhooks: a retry that is stored later than the others would miss the timers that run here.
    await until(`attempt ${attempt}`, async () =>
      (await Promise.all(webhookIds.map(deliveriesOf)))
        .flat()
        .every((delivery) => delivery.attempt_count === attempt),
    );
    ahead += 11 * 60_000;
    fire();
  }
  for (const id of webhookIds) await allAre(id, 'failed');
}

const allAre = (webhookId: string, wanted: string) =>
  until(`all ${wanted}`, async () =>
    (await deliveriesOf(webhookId)).every((delivery) => delivery.status === wanted),
  );

const finished = (recoveryId: string) =>
  until('the recovery', async () => {
    const recovery = await workspace.api.call('recoveries.get', { params: { recoveryId } });
    return recovery.completed_at !== null && recovery;
  });

it('sends again the deliveries that a webhook has missed, with one extra attempt each', async () => {
  const id = await newWebhook();
  await publish(5);
  await failAll(id);
  status = 200;
  await publish(1);
  await until('the new one', async () => (await deliveriesOf(id))[0]?.status === 'delivered');

  const recovery = await workspace.api.call('webhooks.recover', {
    params: { webhookId: id },
    body: { since: LONG_AGO },
  });
  expect(isId('recovery', recovery.id)).toBe(true);
  expect(recovery).toMatchObject({
    workspace_id: workspace.workspaceId,
    webhook_id: id,
    matched: 0,
    done: 0,
    filters: { statuses: ['failed'], since: '2020-01-01T00:00:00.000Z', event_id: null, event_type: null },
  });
  expect(await finished(recovery.id)).toMatchObject({ status: 'done', matched: 5, done: 5 });
  await allAre(id, 'delivered');
  expect(receiver.calls).toHaveLength(31);

  const deliveries = await deliveriesOf(id);
  expect(deliveries.map(({ trigger }) => trigger)).toEqual(Array(6).fill('event'));
  const detail = await workspace.api.call('deliveries.get', {
    params: { deliveryId: deliveries.at(-1)?.id ?? '' },
  });
  expect(detail.attempts.map(({ trigger }) => trigger)).toEqual([...Array(5).fill('event'), 'recovery']);
});

it('starts no new chain of retries when the extra attempt fails', async () => {
  const id = await newWebhook();
  await publish(2);
  await failAll(id);
  const { id: recoveryId } = await workspace.api.call('deliveries.retryAll', { ...inWorkspace(), body: {} });
  await finished(recoveryId);
  await until('the extra attempts', async () =>
    (await deliveriesOf(id)).every((delivery) => delivery.attempt_count === 6),
  );
  await allAre(id, 'failed');
});

it('narrows to a webhook, an event, a response, states and times', async () => {
  const [first, second] = [await newWebhook(), await newWebhook()];
  status = 200;
  const { data } = await publish(3);
  await allAre(first, 'delivered');
  await allAre(second, 'delivered');
  const matchedBy = async (body: object) => {
    const { id } = await workspace.api.call('deliveries.retryAll', { ...inWorkspace(), body });
    return (await finished(id)).matched;
  };
  const statuses = ['delivered'];
  expect(await matchedBy({})).toBe(0);
  expect(await matchedBy({ statuses })).toBe(6);
  expect(await matchedBy({ statuses, webhook_id: first })).toBe(3);
  expect(await matchedBy({ statuses, event_id: data[0]?.event_id })).toBe(2);
  expect(await matchedBy({ statuses, event_type: 'user.invited' })).toBe(0);
  expect(await matchedBy({ statuses, event_name: 'deploy' })).toBe(6);
  expect(await matchedBy({ statuses, event_name: 'push' })).toBe(0);
  expect(await matchedBy({ statuses, response_status: 200 })).toBe(6);
  expect(await matchedBy({ statuses, response_status: 503 })).toBe(0);
  expect(await matchedBy({ statuses, error_kind: 'timeout' })).toBe(0);
  expect(await matchedBy({ statuses, until: LONG_AGO })).toBe(0);
});

it('leaves a delivered delivery delivered, even if sending it again fails', async () => {
  const id = await newWebhook();
  status = 200;
  await publish(1);
  await allAre(id, 'delivered');
  status = 500;
  const { id: recoveryId } = await workspace.api.call('deliveries.retryAll', {
    ...inWorkspace(),
    body: { statuses: ['delivered'] },
  });
  await finished(recoveryId);
  await until('the second attempt', async () => (await deliveriesOf(id))[0]?.attempt_count === 2);
  expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'delivered' });
});

it('holds the deliveries of a disabled webhook, and leaves those of a deleted one', async () => {
  const [disabled, deleted] = [await newWebhook(), await newWebhook()];
  await publish(1);
  await failAll(disabled, deleted);
  await workspace.api.call('webhooks.update', {
    params: { webhookId: disabled },
    body: { status: 'disabled' },
  });
  await workspace.api.call('webhooks.delete', { params: { webhookId: deleted } });
  status = 200;
  const { id } = await workspace.api.call('deliveries.retryAll', { ...inWorkspace(), body: {} });
  expect(await finished(id)).toMatchObject({ matched: 2, done: 2 });
  const list = await workspace.api.call('deliveries.list', inWorkspace());
  const states = new Map(list.data.map((delivery) => [delivery.webhook_id, delivery.status]));
  expect([states.get(disabled), states.get(deleted)]).toEqual(['held', 'failed']);
  await workspace.api.call('webhooks.enable', { params: { webhookId: disabled } });
  await allAre(disabled, 'delivered');
});

it('names the webhook in the audit log', async () => {
  const id = await newWebhook();
  await workspace.api.call('webhooks.update', {
    params: { webhookId: id },
    body: { name: 'Billing service' },
  });
  const since = LONG_AGO;
  await workspace.api.call('webhooks.recover', { params: { webhookId: id }, body: { since } });
  await workspace.api.call('deliveries.retryAll', { ...inWorkspace(), body: { since } });
  const { data } = await workspace.api.call('auditLog.list', {
    ...inWorkspace(),
    query: { action: 'webhook.recovery_started' },
  });
  const names = data.flatMap(({ targets }) => targets.map(({ name }) => name));
  expect(names).toEqual(['all webhooks', 'Billing service']);
});

it('refuses a disabled webhook, a foreign one, and filters that it does not know', async () => {
  const id = await newWebhook();
  const foreign = await newStranger(workspace);
  const { id: theirs } = await foreign.api.call('webhooks.create', {
    body: { url: receiver.url, events: ['*'], workspace_id: foreign.workspaceId, secret: 's3cret' },
  });
  const fieldOf = async (code: number, body: object) =>
    (await workspace.api.refused('deliveries.retryAll', code, { ...inWorkspace(), body })).details?.[0]
      ?.field;
  expect(await fieldOf(404, { webhook_id: theirs })).toBe('webhook_id');
  expect(await fieldOf(404, { webhook_id: 'nonsense' })).toBe('webhook_id');
  expect(await fieldOf(400, { statuses: ['pending'] })).toBe('statuses[0]');
  expect(await fieldOf(400, { statuses: [] })).toBe('statuses');
  const backwards = await workspace.api.refused('deliveries.retryAll', 400, {
    ...inWorkspace(),
    body: { since: '2026-02-01T00:00:00Z', until: '2026-01-01T01:00:00+01:00' },
  });
  expect(backwards.details).toEqual([{ field: 'until', issue: 'must not be before since' }]);
  const query = { since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' };
  await workspace.api.refused('events.list', 400, { ...inWorkspace(), query });
  await workspace.api.refused('deliveries.retryAll', 400, {
    ...inWorkspace(),
    body: { status: 'delivered' },
  });
  await workspace.api.refused('webhooks.recover', 400, { params: { webhookId: id }, body: {} });
  const later = { since: '2100-01-01T00:00:00Z' };
  expect(await fieldOf(400, later)).toBe('since');
  const early = await workspace.api.refused('webhooks.recover', 400, {
    params: { webhookId: id },
    body: later,
  });
  expect(early.message).toBe('since must not be in the future.');
  await workspace.api.call('webhooks.update', { params: { webhookId: id }, body: { status: 'disabled' } });
  expect(await fieldOf(422, { webhook_id: id })).toBe('webhook_id');
  await workspace.api.refused('webhooks.recover', 422, {
    params: { webhookId: id },
    body: { since: LONG_AGO },
  });
});

it('sends again what was created before it, even after the clock was set back', async () => {
  status = 200;
  const id = await newWebhook();
  await publish(3);
  await allAre(id, 'delivered');
  ahead = -1_000;
  const body = { statuses: ['delivered' as const] };
  const started = await workspace.api.call('deliveries.retryAll', { ...inWorkspace(), body });
  expect(started.filters.until).toBe(started.created_at);
  expect(await finished(started.id)).toMatchObject({ status: 'done', matched: 3, done: 3 });
});

it('sends nothing again that was created after `until`, even after the clock was set back', async () => {
  status = 200;
  const before = new Date(Date.now() - 1_000).toISOString();
  const id = await newWebhook();
  await publish(3);
  await allAre(id, 'delivered');
  ahead = -60_000;
  const body = { statuses: ['delivered' as const], until: before };
  const { id: recoveryId } = await workspace.api.call('deliveries.retryAll', { ...inWorkspace(), body });
  expect(await finished(recoveryId)).toMatchObject({ status: 'done', matched: 0, done: 0 });
});
