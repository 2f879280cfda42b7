import { STATUS } from '../../src/db/core/columns/codes.ts';
import { workspaceSeq } from '../../src/db/workspaces/workspaces.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BodyOf } from '../api/support/api.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import type { ReceivedCall } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { deliveriesOf, fence, holding, newWebhook, openStore, receiver, subscribe } from './support.ts';
import { TestClock } from './test-clock.ts';

const time = new TestClock();
let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  root = await startWorkspace({ clock: time.clock, timer: time.timer, monotonic: time.monotonic });
});
afterAll(() => root.stop());

// The concurrency limit of a webhook that has not been called yet.
const LIMIT = 4;
// A webhook's share of an empty prefetch buffer: a sixteenth of the free room.
const SHARE = 964;
const EVENTS = 20;
const BUFFERED = EVENTS - LIMIT;

type Subscribed = TestWorkspace & { webhookId: string };

const publishMany = ({ api, workspaceId }: TestWorkspace, count: number) =>
  api.call('events.publishBatch', {
    params: { id: workspaceId },
    body: { events: Array.from({ length: count }, () => ({ type: 'push', payload: {} })) },
  });
const change = ({ api, webhookId }: Subscribed, body: BodyOf<'webhooks.update'>) =>
  api.call('webhooks.update', { params: { webhookId }, body });

/** A webhook whose receiver holds the first calls, so that the other deliveries wait in the prefetch buffer. */
async function fillBuffer() {
  const slow = await holding();
  const there = await subscribe(root, slow.url);
  await publishMany(there, EVENTS);
  await until('the first attempts', () => slow.waiting() === LIMIT);
  return { slow, there };
}

/** Responds to every call until that many have come. */
async function respondToAll(slow: Awaited<ReturnType<typeof holding>>, calls: number): Promise<void> {
  await until('all arrive', () => {
    slow.respond(200);
    return slow.calls.length >= calls;
  });
  slow.respond(200);
}

const statuses = async (there: TestWorkspace) =>
  Object.groupBy(await deliveriesOf(there), ({ status }) => status) as Partial<Record<string, unknown[]>>;
const idsOf = (calls: readonly ReceivedCall[]) => new Set(calls.map(({ headers }) => headers['webhook-id']));

/** The leases of the deliveries of a workspace. */
async function leasesOf(there: TestWorkspace) {
  const store = openStore(there);
  const rows = await store.read
    .selectFrom('deliveries')
    .select(['lease_owner', 'lease_token', 'interruptions', 'status'])
    .where('workspace', '=', await workspaceSeq(store.read, there.workspaceId))
    .execute();
  return rows.map((row) => ({ ...row, status: STATUS.name(row.status) }));
}

describe('deliveries that get no permit at once', () => {
  it('begin from memory when a permit is free: none is claimed, and each is sent once', async () => {
    const witness = await receiver();
    const workspace = await newWorkspace(root);
    const webhooks = 90;
    for (let index = 0; index < webhooks; index += 1) await newWebhook(workspace, `${witness.url}/${index}`);
    await publishMany(workspace, 8);
    await until('all arrive', () => witness.calls.length === 8 * webhooks);
    await until('all are recorded', async () =>
      (await leasesOf(workspace)).every(({ status }) => status === 'delivered'),
    );
    expect(idsOf(witness.calls).size).toBe(8 * webhooks);
    const leases = await leasesOf(workspace);
    // All were stored with their first lease: a claim would have raised the token.
    expect(leases.filter(({ lease_token: token }) => token !== 1)).toEqual([]);
  });

  it('wait in memory up to a limit for each webhook, and in the database beyond it', async () => {
    const slow = await holding();
    const there = await subscribe(root, slow.url);
    const events = 1_000;
    for (let batch = 0; batch < 10; batch += 1) await publishMany(there, events / 10);
    await until('the first attempts', () => slow.waiting() === LIMIT);
    const leased = async () => (await leasesOf(there)).filter(({ lease_owner: owner }) => owner !== null);
    await until('the surplus is returned', async () => (await leased()).length === LIMIT + SHARE);
    await respondToAll(slow, events);
    expect(idsOf(slow.calls).size).toBe(events);
  });

  it('count in /metrics while they wait, with the memory that they may take', async () => {
    const { slow, there } = await fillBuffer();
    const figure = async (name: string) => {
      const text = await (await fetch(`${root.server.url}/metrics`)).text();
      return Number(
        new RegExp(`^hubline_budget_${name}_bytes\\{budget="prefetch"\\} (\\d+)$`, 'm').exec(text)?.[1],
      );
    };
    const [delivery] = await deliveriesOf(there);
    const bytes = JSON.stringify(delivery?.request_body).length;
    expect(await figure('used')).toBeGreaterThan((BUFFERED * bytes) / 2);
    expect(await figure('limit')).toBe(Math.floor((128 * 1024 * 1024) / 10));
    await respondToAll(slow, EVENTS);
    await until('none is left', async () => (await figure('used')) === 0);
  });

  it('are held when their webhook is disabled in the meantime, and sent when it is enabled', async () => {
    const { slow, there } = await fillBuffer();
    await change(there, { status: 'disabled' });
    slow.respond(200);
    await until('the others are held', async () => (await statuses(there))['held']?.length === BUFFERED);
    expect(slow.calls).toHaveLength(LIMIT);
    await change(there, { status: 'active' });
    await respondToAll(slow, EVENTS);
    await until('all are recorded', async () => (await statuses(there))['delivered']?.length === EVENTS);
    expect(idsOf(slow.calls).size).toBe(EVENTS);
    expect(slow.calls).toHaveLength(EVENTS);
  });

  it('are cancelled when their webhook is deleted in the meantime', async () => {
    const { slow, there } = await fillBuffer();
    await there.api.call('webhooks.delete', { params: { webhookId: there.webhookId } });
    slow.respond(200);
    await fence(root);
    expect((await statuses(there))['cancelled']).toHaveLength(EVENTS);
    expect(slow.calls).toHaveLength(LIMIT);
  });

  it('are sent to the URL that their webhook has by then', async () => {
    const { slow, there } = await fillBuffer();
    const witness = await receiver();
    await change(there, { url: witness.url });
    slow.respond(200);
    await until('the others arrive', () => witness.calls.length === BUFFERED);
    expect(slow.calls).toHaveLength(LIMIT);
    expect(idsOf([...slow.calls, ...witness.calls]).size).toBe(EVENTS);
  });

  it('keep to a rate limit that their webhook is given in the meantime', async () => {
    const { slow, there } = await fillBuffer();
    await change(there, { rate_limit: { per_second: 10 } });
    slow.respond(200);
    await until('one more call', () => slow.waiting() === 1);
    slow.respond(200);
    await fence(root);
    // The clock stands still.
    expect(slow.calls).toHaveLength(LIMIT + 1);
    await change(there, { rate_limit: null });
    time.advance(1_000);
    await respondToAll(slow, EVENTS);
    expect(idsOf(slow.calls).size).toBe(EVENTS);
  });

  it('are given back before their leases are too short for an attempt', async () => {
    const { slow, there } = await fillBuffer();
    time.advance(26_000);
    await until('they are given back', async () => {
      const leases = await leasesOf(there);
      return leases.filter(({ lease_owner: owner }) => owner === null).length === BUFFERED;
    });
    // The others are under way, and their leases continue.
    await respondToAll(slow, EVENTS);
    await until('all are recorded', async () => (await statuses(there))['delivered']?.length === EVENTS);
    expect(slow.calls).toHaveLength(EVENTS);
  });

  it.each([-3_600_000, 3_600_000])(
    'are sent once when the clock is set by %d ms in the meantime',
    async (ms) => {
      const { slow, there } = await fillBuffer();
      time.set(ms);
      await respondToAll(slow, EVENTS);
      await until('all are recorded', async () => (await statuses(there))['delivered']?.length === EVENTS);
      await fence(root);
      expect(slow.calls).toHaveLength(EVENTS);
      expect(idsOf(slow.calls).size).toBe(EVENTS);
    },
  );
});
