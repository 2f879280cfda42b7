import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { ByteBudget, Reservation } from '../../src/limits/byte-budget.ts';
import { type Receiver, startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { newWorkspace, startWorkspace, type TestWorkspace } from '../api/support/workspace.ts';

// Large bodies are read when there is memory for them. Until then, somebody may change their webhook.

// Of each process.
const budgets: ByteBudget[] = [];
let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let former: Receiver;
let current: Receiver;
beforeAll(async () => {
  former = await startReceiver();
  current = await startReceiver();
  root = await startWorkspace({
    companion(own) {
      budgets.push(own.budgets.deliveries);
      return { stop: () => Promise.resolve() };
    },
  });
});
afterAll(async () => {
  await root.stop();
  await former.stop();
  await current.stop();
});
beforeEach(async () => {
  workspace = await newWorkspace(root);
  former.calls.length = 0;
  current.calls.length = 0;
});

/** Takes all memory of a budget. */
function takeAll(budget: ByteBudget): Reservation[] {
  const taken: Reservation[] = [];
  for (let bytes = budget.limit; bytes >= 1_024;) {
    const reservation = budget.take(`others ${taken.length}`, bytes);
    if (reservation) taken.push(reservation);
    else bytes = Math.floor(bytes / 2);
  }
  return taken;
}

/** Begins the delivery of a large event, and does something while it waits for memory. */
async function whileItWaits(change: (webhookId: string) => Promise<unknown>): Promise<void> {
  const { api, workspaceId: id } = workspace;
  const { id: webhookId } = await api.call('webhooks.create', {
    body: { url: former.url, events: ['event.created'], workspace_id: id, secret: 's3cret' },
  });
  const taken = budgets.flatMap((budget) => takeAll(budget));
  const asking = budgets.map((budget) => vi.spyOn(budget, 'reserve'));
  await api.call('events.publish', {
    params: { id },
    body: { type: 'large', payload: { text: 'x'.repeat(200_000) } },
  });
  await until('the delivery waits for memory', () => asking.some(({ mock }) => mock.calls.length > 0));
  for (const spy of asking) spy.mockRestore();
  await change(webhookId);
  for (const reservation of taken) reservation.release();
}

async function statusOf(): Promise<string | undefined> {
  const { data } = await workspace.api.call('deliveries.list', { params: { id: workspace.workspaceId } });
  return data[0]?.status;
}

it('a large body goes to the URL that its webhook has by then', async () => {
  await whileItWaits((webhookId) =>
    workspace.api.call('webhooks.update', { params: { webhookId }, body: { url: current.url } }),
  );
  await until('the call', () => former.calls.length + current.calls.length > 0);
  expect([former.calls.length, current.calls.length]).toEqual([0, 1]);
  await until('its record', async () => (await statusOf()) === 'delivered');
});

it('a large body is not sent to a webhook that was disabled meanwhile: it waits until that is enabled', async () => {
  let webhookId = '';
  await whileItWaits((id) => {
    webhookId = id;
    return workspace.api.call('webhooks.update', { params: { webhookId }, body: { status: 'disabled' } });
  });
  await until('it is held', async () => (await statusOf()) === 'held');
  expect(former.calls).toEqual([]);
  await workspace.api.call('webhooks.enable', { params: { webhookId } });
  await until('the call', () => former.calls.length === 1);
});

it('a large body is not sent to a webhook that was deleted meanwhile', async () => {
  await whileItWaits((webhookId) => workspace.api.call('webhooks.delete', { params: { webhookId } }));
  await until('it is cancelled', async () => (await statusOf()) === 'cancelled');
  expect(former.calls).toEqual([]);
});
