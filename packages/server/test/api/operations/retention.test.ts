import { HEADERS } from '@hubline/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseServerConfig, type ServerFlags } from '../../../src/config/config.ts';
import { createLogger } from '../../../src/log/log.ts';
import { openStorage } from '../../../src/start/storage/open-storage.ts';
import { keepHouse as removeOld } from '../../../src/services/operations/housekeeping.ts';
import { SENDER_MODES } from '../../delivery/sender-modes.ts';
import { inTwo, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

const DAY_MS = 24 * 60 * 60_000;

let workspace: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;
let ahead: number;

const clock = () => new Date(Date.now() + ahead);

// The server also does its own housekeeping as soon as the clock is ahead. It must not remove what a test looks for.
const FOREVER = { retainEventsDays: 0, retainDeliveriesDays: 0, retainAuditDays: 0 };

async function start(senders: number): Promise<void> {
  ahead = 0;
  receiver = await startReceiver();
  workspace = await startWorkspace({ clock, flags: { senders, ...FOREVER } });
}
afterEach(async () => {
  await workspace.stop();
  await receiver.stop();
});

const inWorkspace = () => ({ params: { id: workspace.workspaceId } });

/** Runs the server's housekeeping on the same database, now and not in ten minutes. */
async function keepHouse(flags: ServerFlags): Promise<void> {
  const config = parseServerConfig({ ...workspace.server.storage, ...flags, logLevel: 'silent' }, {});
  const { store } = await openStorage(config, clock());
  await removeOld({ store, log: createLogger(config), clock, config }, new AbortController().signal);
  await store.close();
}

async function newWebhook(): Promise<string> {
  const { id } = await workspace.api.call('webhooks.create', {
    body: {
      url: receiver.url,
      events: ['event.created'],
      workspace_id: workspace.workspaceId,
      secret: 's3cret',
    },
  });
  return id;
}

const publish = (count: number, type: string) =>
  workspace.api.call('events.publishBatch', {
    ...inWorkspace(),
    body: { events: Array.from({ length: count }, (_, n) => ({ type, payload: { n } })) },
  });

async function typesLeft(): Promise<string[]> {
  const { data } = await workspace.api.call('events.list', { ...inWorkspace(), query: { limit: '100' } });
  return [...new Set(data.map((event) => event.type))];
}

const deliveries = async () =>
  (await workspace.api.call('deliveries.list', { ...inWorkspace(), query: { limit: '100' } })).data;

const allDelivered = () =>
  until('all delivered', async () => {
    const query = { status: 'pending' };
    return (await workspace.api.call('deliveries.list', { ...inWorkspace(), query })).data.length === 0;
  });

describe.each(SENDER_MODES)('%s, retention', (_, senders) => {
  beforeEach(() => start(senders));

  it('removes events, deliveries with their attempts, and audit entries after their days, and nothing before', async () => {
    await newWebhook();
    await publish(250, 'old');
    await allDelivered();
    const [old] = await deliveries();
    ahead = 20 * DAY_MS;
    await publish(3, 'young');
    await allDelivered();

    await keepHouse({ retainEventsDays: 21, retainDeliveriesDays: 21, retainAuditDays: 21 });
    expect(await typesLeft()).toEqual(['young', 'old']);

    const auditBefore = await workspace.api.call('auditLog.list', inWorkspace());
    expect(auditBefore.data.length).toBeGreaterThan(0);
    await keepHouse({ retainEventsDays: 19, retainDeliveriesDays: 19, retainAuditDays: 19 });
    expect(await typesLeft()).toEqual(['young']);
    expect(await deliveries()).toHaveLength(3);
    await workspace.api.refused('deliveries.get', 404, { params: { deliveryId: old?.id ?? '' } });
    expect((await workspace.api.call('auditLog.list', inWorkspace())).data).toEqual([]);
  });

  it('shows and sends a delivery as it was, although its event has been removed', async () => {
    await newWebhook();
    await publish(3, 'old');
    await allDelivered();
    const all = await deliveries();
    const bodyOf = async (deliveryId: string) =>
      (await workspace.api.call('deliveries.get', { params: { deliveryId } })).request_body ?? '';
    const before = await Promise.all(all.map(({ id }) => bodyOf(id)));
    expect(before.map((body) => JSON.parse(body).data.payload)).toEqual([{ n: 2 }, { n: 1 }, { n: 0 }]);
    ahead = 20 * DAY_MS;
    await keepHouse({ retainEventsDays: 19, retainDeliveriesDays: 21 });
    expect(await typesLeft()).toEqual([]);
    expect(await Promise.all(all.map(({ id }) => bodyOf(id)))).toEqual(before);

    const sent = receiver.calls.length;
    await workspace.api.call('deliveries.retry', { params: { deliveryId: all[0]?.id ?? '' } });
    await until('it is sent again', () => receiver.calls.length > sent);
    expect(receiver.calls.at(-1)?.body).toBe(before[0]);
  });

  // The second server does its housekeeping with other settings.
  it.skipIf(inTwo)('keeps everything where the days are 0', async () => {
    await newWebhook();
    await publish(3, 'old');
    await allDelivered();
    ahead = 10_000 * DAY_MS;
    await keepHouse(FOREVER);
    expect(await typesLeft()).toEqual(['old']);
    expect(await deliveries()).toHaveLength(3);
    const { data } = await workspace.api.call('auditLog.list', inWorkspace());
    expect(data.map(({ action }) => action)).toEqual(['webhook.created', 'workspace.created']);
  });

  it('never removes a delivery that is still to be sent, however old', async () => {
    const webhookId = await newWebhook();
    await publish(120, 'sent');
    await allDelivered();
    await workspace.api.call('webhooks.update', { params: { webhookId }, body: { status: 'disabled' } });
    await publish(5, 'held');
    ahead = 400 * DAY_MS;
    await keepHouse({});
    const left = await deliveries();
    expect(left.map(({ status }) => status)).toEqual(Array(5).fill('held'));
    await workspace.api.call('webhooks.enable', { params: { webhookId } });
    await until('the held ones', () => receiver.calls.length === 125);
    await allDelivered();

    // The age of a delivery counts from its end, which was only now.
    await keepHouse({});
    expect(await deliveries()).toHaveLength(5);
  });
});

describe('retention of idempotency keys', () => {
  // Nothing is sent in these tests.
  beforeEach(() => start(0));

  it('removes their outcomes after a day, also that of a key that was used again', async () => {
    const stored = async () => {
      const { store } = await openStorage(parseServerConfig(workspace.server.storage, {}), clock());
      const rows = await store.read.selectFrom('idempotency_keys').select(['created_at']).execute();
      await store.close();
      return rows.map(({ created_at: at }) => at);
    };
    const publishWith = (key: string) =>
      workspace.api.call('events.publish', {
        ...inWorkspace(),
        headers: { [HEADERS.idempotencyKey]: key },
        body: { type: 'push', payload: {} },
      });
    await publishWith('a');
    await publishWith('b');
    expect(await stored()).toHaveLength(2);
    // The server also does its own housekeeping when a day has passed.
    ahead = DAY_MS + 1_000;
    await publishWith('a');
    await publishWith('c');
    await keepHouse({});
    expect((await stored()).every((at) => at > Date.now() + ahead - DAY_MS)).toBe(true);
    expect(await stored()).toHaveLength(2);
  });
});
