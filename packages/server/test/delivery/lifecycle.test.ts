import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idBytes } from '../../src/db/core/columns/columns.ts';
import { claimDeliveries } from '../../src/db/webhooks/queue/delivery-leases.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';
import {
  responding,
  deliver,
  deliveriesOf,
  fence,
  holding,
  newWebhook,
  openStore,
  publish,
  reaches,
  read,
  receiver,
  subscribe,
} from './support.ts';
import { TestClock } from './test-clock.ts';

const time = new TestClock();
let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  root = await startWorkspace({ clock: time.clock, timer: time.timer });
});
afterAll(() => root.stop());

const setStatus = (webhookId: string, status: 'active' | 'disabled') =>
  root.api.call('webhooks.update', { params: { webhookId }, body: { status } });
const remove = (webhookId: string) => root.api.call('webhooks.delete', { params: { webhookId } });

describe('a webhook that is deleted', () => {
  it('cancels deliveries that wait for their next attempt', async () => {
    const witness = await responding(500);
    const there = await subscribe(root, witness.url);
    const { id } = await deliver(there);
    await reaches(there, id, { status: 'retrying', attempts: 1 });
    await remove(there.webhookId);
    time.advance(60_000);
    await fence(root);
    expect(await read(there, id)).toMatchObject({ status: 'cancelled', next_attempt_at: null });
    expect(witness.calls).toHaveLength(1);
  });

  it('cancels an attempt under way: its result is dropped', async () => {
    const slow = await holding();
    const there = await subscribe(root, slow.url);
    const { id } = await deliver(there);
    await until('an attempt under way', () => slow.waiting() === 1);
    await remove(there.webhookId);
    slow.respond(500);
    time.advance(120_000);
    await fence(root);
    expect(await read(there, id)).toMatchObject({ status: 'cancelled', attempt_count: 0, attempts: [] });
    expect(slow.calls).toHaveLength(1);
  });
});

describe('a webhook that is disabled', () => {
  it('holds deliveries of events in the meantime, and sends them when it is enabled', async () => {
    const witness = await receiver();
    const there = await subscribe(root, witness.url);
    await setStatus(there.webhookId, 'disabled');
    const { id } = await deliver(there);
    await fence(root);
    expect(await read(there, id)).toMatchObject({ status: 'held', next_attempt_at: null, attempt_count: 0 });
    expect(witness.calls).toEqual([]);
    await root.api.call('webhooks.enable', { params: { webhookId: there.webhookId } });
    await reaches(there, id, { status: 'delivered', attempts: 1 });
  });

  it('holds a delivery that waits for its next attempt, whose schedule then continues where it was', async () => {
    const witness = await responding(500, 500, 200);
    const there = await subscribe(root, witness.url);
    const { id } = await deliver(there);
    await reaches(there, id, { status: 'retrying', attempts: 1 });
    await setStatus(there.webhookId, 'disabled');
    time.advance(60_000);
    await fence(root);
    expect(await read(there, id)).toMatchObject({ status: 'held', attempt_count: 1 });
    await setStatus(there.webhookId, 'active');
    const second = await reaches(there, id, { status: 'retrying', attempts: 2 });
    // This is its second failure, so the second delay applies.
    expect(Date.parse(second.next_attempt_at ?? '') - time.clock().getTime()).toBe(25_000);
  });

  it.each([
    [500, { status: 'held', attempts: 1 }],
    [200, { status: 'delivered', attempts: 1 }],
  ] as const)('lets an attempt under way end: after a %d, its delivery is %o', async (status, expected) => {
    const slow = await holding();
    const there = await subscribe(root, slow.url);
    const { id } = await deliver(there);
    await until('an attempt under way', () => slow.waiting() === 1);
    await setStatus(there.webhookId, 'disabled');
    slow.respond(status);
    await reaches(there, id, expected);
    time.advance(60_000);
    await fence(root);
    expect(slow.calls).toHaveLength(1);
    await setStatus(there.webhookId, 'active');
    if (status === 200) return;
    await until('the next attempt', () => slow.waiting() === 1);
    slow.respond(200);
    await reaches(there, id, { status: 'delivered', attempts: 2 });
  });
});

describe('a webhook that is enabled', () => {
  it('gets every event that was stored before, and those of the same moment', async () => {
    const witness = await receiver();
    const there = await subscribe(root, witness.url);
    const rounds = 12;
    for (let round = 0; round < rounds; round += 1) {
      await setStatus(there.webhookId, 'disabled');
      await publish(there);
      await Promise.all([publish(there), setStatus(there.webhookId, 'active'), publish(there)]);
    }
    await until('all arrive', () => witness.calls.length === 3 * rounds);
  });
});

describe('the bytes of a delivery', () => {
  it('stay the same when the integration of its event is disconnected', async () => {
    const witness = await receiver();
    const there = await subscribe(root, witness.url);
    const { api, workspaceId } = there;
    const { integration_id: integrationId } = await api.call('integrations.connect', {
      body: { provider: 'custom', workspace_id: workspaceId, credentials: {} },
    });
    await api.call('events.publish', {
      params: { id: workspaceId },
      body: { type: 'push', integration_id: integrationId, payload: { ref: 'main' } },
    });
    await until('it arrives', () => witness.calls.length === 1);
    const [{ id } = { id: '' }] = await deliveriesOf(there);
    await reaches(there, id, { status: 'delivered', attempts: 1 });
    await api.call('integrations.disconnect', { params: { id: workspaceId, integrationId } });
    await api.call('deliveries.retry', { params: { deliveryId: id } });
    await until('it arrives again', () => witness.calls.length === 2);
    const [first, second] = witness.calls.map(({ body }) => body);
    expect(JSON.parse(first ?? '').data).toMatchObject({
      integration_id: integrationId,
      integration_type: 'custom',
    });
    expect(second).toBe(first);
    expect((await read(there, id)).request_body).toBe(first);
  });
});

describe('a lease', () => {
  it('that another process has taken over drops the result of the first', async () => {
    const slow = await holding();
    const there = await subscribe(root, slow.url);
    const { id } = await deliver(there);
    await until('an attempt under way', () => slow.waiting() === 1);
    const store = openStore(root);
    const taken = await store.write((tx) =>
      claimDeliveries(tx, {
        workspaceId: there.workspaceId,
        webhookId: there.webhookId,
        part: 'initial',
        owner: 'somebody else',
        // For that process, the lease has run out.
        now: new Date(time.clock().getTime() + 3_600_000).toISOString(),
        leaseUntil: new Date(time.clock().getTime() + 7_200_000).toISOString(),
        limit: 10,
      }),
    );
    expect(taken.map((row) => row.id)).toEqual([id]);
    slow.respond(200);
    // The engine learns that the lease is lost before it begins anything else for this webhook.
    await fence(root);
    expect(await read(there, id)).toMatchObject({ status: 'pending', attempt_count: 0, attempts: [] });
  });

  it('that a dead process has left is taken over, and the interruption does not count', async () => {
    const slow = await holding();
    const there = await subscribe(root, slow.url);
    const { id } = await deliver(there);
    await until('an attempt under way', () => slow.waiting() === 1);
    // As if this process had died and come back: the lease runs out while the first attempt is still waiting.
    time.advance(61_000);
    await until('the delivery is sent again', () => slow.calls.length === 2);
    slow.respond(200);
    const delivered = await reaches(there, id, { status: 'delivered', attempts: 1 });
    expect(delivered.attempts).toHaveLength(1);
    expect(new Set(slow.calls.map((call) => call.headers['webhook-id']))).toEqual(new Set([id]));
  });

  it('that is interrupted three times counts as a failed attempt, without another call', async () => {
    const witness = await receiver();
    const there = await subscribe(root, witness.url);
    await setStatus(there.webhookId, 'disabled');
    const poison = await deliver(there);
    const store = openStore(root);
    await store.write((tx) =>
      tx
        .updateTable('deliveries')
        .set({ lease_owner: 'dead', lease_token: 3, interruptions: 2 })
        .where('id', '=', idBytes(poison.id))
        .execute(),
    );
    await setStatus(there.webhookId, 'active');
    await publish(there);
    const failed = await reaches(there, poison.id, { status: 'retrying', attempts: 1 });
    expect(failed.attempts).toMatchObject([
      { response_status: null, error: { kind: 'reset', message: expect.stringContaining('3 times') } },
    ]);
    // Other deliveries of the webhook arrive, and the poisonous one gets its further attempts.
    await until('the other one arrives', () => witness.calls.length === 1);
    expect(witness.calls[0]?.headers['webhook-id']).not.toBe(poison.id);
    time.advance(5_001);
    await reaches(there, poison.id, { status: 'delivered', attempts: 2 });
  });
});

describe('a delivery that is rolled back', () => {
  it('is never offered to the prefetch buffer, and takes no room there', async () => {
    const witness = await receiver();
    const there = await subscribe(root, witness.url);
    const event = { type: 'push', payload: {} };
    const stranger = { ...event, integration_id: 'int_00000000000000000000000000' };
    const batch = { params: { id: there.workspaceId }, body: { events: [event, stranger] } };
    // More batches than the concurrency limit of a webhook.
    await Promise.all(Array.from({ length: 70 }, () => there.api.refused('events.publishBatch', 404, batch)));
    expect(witness.calls).toEqual([]);
    for (let index = 0; index < 10; index += 1) await publish(there);
    await until('all arrive', () => witness.calls.length === 10);
    expect(await deliveriesOf(there)).toHaveLength(10);
  });
});

describe('work is shared', () => {
  it('so that a receiver that never responds stops nobody', async () => {
    const hanging = await holding();
    const stuck = await subscribe(root, hanging.url);
    for (let index = 0; index < 40; index += 1) await publish(stuck);
    await until('some attempts hang', () => hanging.waiting() > 0);
    const witness = await receiver();
    const healthy = await subscribe(root, witness.url);
    for (let index = 0; index < 20; index += 1) await publish(healthy);
    await until('the others arrive', () => witness.calls.length === 20);
    expect(hanging.waiting()).toBeLessThanOrEqual(16);
    const responses = setInterval(() => hanging.respond(200), 5);
    try {
      await until('all arrive', () => hanging.calls.length === 40);
    } finally {
      clearInterval(responses);
    }
  });

  it('so that a workspace with much to send does not keep the others waiting', async () => {
    // The second half of the busy workspace's calls gets no response until the small workspace's delivery has arrived, however
    // slowly its event is stored.
    const { promise: served, resolve: serve } = Promise.withResolvers<void>();
    let calls = 0;
    const busy = await receiver(async () => {
      if ((calls += 1) > 150) await served;
      return { status: 200 };
    });
    const flooded = await subscribe(root, busy.url);
    const events = Array.from({ length: 300 }, () => ({ type: 'push', payload: {} }));
    await root.api.call('events.publishBatch', {
      params: { id: flooded.workspaceId },
      body: { events },
    });
    const witness = await receiver();
    const small = await subscribe(root, witness.url);
    await publish(small);
    await until('the small one is served', () => witness.calls.length === 1);
    expect(busy.calls.length).toBeLessThan(300);
    serve();
    await until('the busy one is served', () => busy.calls.length === 300);
  });

  it('so that retries do not keep new deliveries waiting', async () => {
    let down = true;
    let again = 0;
    const { promise: published, resolve: goOn } = Promise.withResolvers<void>();
    const witness = await receiver(async () => {
      if (down) return { status: 500 };
      // Most retries get no response until the new delivery is stored, however long that takes.
      if ((again += 1) > 10) await published;
      return { status: 200 };
    });
    const there = await subscribe(root, witness.url);
    const { webhookId } = there;
    await setStatus(webhookId, 'disabled');
    await root.api.call('events.publishBatch', {
      params: { id: there.workspaceId },
      body: { events: Array.from({ length: 100 }, () => ({ type: 'old', payload: {} })) },
    });
    await setStatus(webhookId, 'active');
    await until('all have failed once', () => witness.calls.length === 100);
    await until('all are recorded', async () => {
      const { data } = await there.api.call('deliveries.list', {
        params: { id: there.workspaceId },
        query: { status: 'pending', limit: '1' },
      });
      return data.length === 0;
    });
    down = false;
    time.advance(5_001);
    await until('some are sent again', () => witness.calls.length > 100);
    await publish(there);
    goOn();
    await until('all arrive', () => witness.calls.length === 201);
    expect(witness.calls.findIndex(({ body }) => body.includes('"push"'))).toBeLessThan(190);
  });

  it('so that a workspace with many webhooks does not keep one with a single one waiting', async () => {
    // The second half of the calls gets no response until the event of the small workspace is stored.
    const { promise: published, resolve: goOn } = Promise.withResolvers<void>();
    let calls = 0;
    const witness = await receiver(async () => {
      if ((calls += 1) > 400) await published;
      return { status: 200 };
    });
    const many = await newWorkspace(root);
    for (let index = 0; index < 80; index += 1) await newWebhook(many, `${witness.url}/many/${index}`);
    // Made before: calls that wait for seconds count as slow, and others begin beside them.
    const small = await subscribe(root, `${witness.url}/small`);
    await root.api.call('events.publishBatch', {
      params: { id: many.workspaceId },
      body: { events: Array.from({ length: 10 }, () => ({ type: 'push', payload: {} })) },
    });
    await publish(small);
    goOn();
    await until('all arrive', () => witness.calls.length === 801);
    expect(witness.calls.findIndex(({ url }) => url === '/small')).toBeLessThan(800);
  });

  it('among many webhooks, each of which is called once for an event', async () => {
    const seen = new Map<string, number>();
    const witness = await receiver((call) => {
      seen.set(call.url, (seen.get(call.url) ?? 0) + 1);
      return { status: 200 };
    });
    const workspace = await newWorkspace(root);
    for (let index = 0; index < 120; index += 1) await newWebhook(workspace, `${witness.url}/${index}`);
    await publish(workspace);
    await until('every webhook is called', () => seen.size === 120);
    await until('every call is recorded', async () =>
      (await deliveriesOf(workspace)).every(({ status }) => status === 'delivered'),
    );
    expect(new Set(seen.values())).toEqual(new Set([1]));
  });
});
