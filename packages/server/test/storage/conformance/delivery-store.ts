import { beforeAll, describe, expect, it } from 'vitest';
import type { Deps } from '../../../src/context.ts';
import { insertDeliveries, type NewDelivery } from '../../../src/db/webhooks/deliveries.ts';
import type { Store } from '../../../src/db/core/store.ts';
import {
  deleteWebhook,
  findWebhookById,
  insertWebhook,
  updateWebhook,
  type WebhookRow,
} from '../../../src/db/webhooks/webhooks.ts';
import type { AttemptOutcome, DeliveryStore, LeasedDelivery } from '../../../src/delivery/delivery-store.ts';
import type { DueQueue } from '../../../src/domain/deliveries/due-queue.ts';
import type { QueuePart } from '../../../src/domain/deliveries/queue-part.ts';
import type { Counted } from '../../../src/domain/stats/tally.ts';
import { createDeliveryStore } from '../../../src/services/delivery-store/create-delivery-store.ts';
import { webhookSecretContext } from '../../../src/services/webhooks/secret.ts';
import { createVault } from '../../../src/secrets/vault.ts';
import {
  after,
  deliveryOf,
  deliveryRow,
  ids,
  newWorkspace,
  NOW,
  openMigrated,
  type TestStorage,
  webhookRow,
} from '../storage.ts';
import { idlePorts } from '../../idle-ports.ts';

const LEASE_MS = 60_000;
const START = Date.parse(NOW);
const vault = createVault(Buffer.alloc(32, 7));
const silent = () => {};

const SUCCEEDED: AttemptOutcome = {
  startedAt: new Date(NOW),
  durationMs: 12,
  response: { status: 200, headers: {}, body: 'ok' },
  error: null,
  retryAfterMs: null,
  ok: true,
};
const FAILED: AttemptOutcome = { ...SUCCEEDED, response: { status: 500, headers: {}, body: '' }, ok: false };

interface ClaimOptions {
  part?: QueuePart;
  owner?: string;
  limit?: number;
}

/** Tests the engine's storage through its port. */
export function testDeliveryStore(create: () => Promise<TestStorage>): void {
  let store: Store;
  let port: DeliveryStore;
  let now = START;
  const counted: Counted[] = [];
  beforeAll(async () => {
    const opened = await openMigrated(create);
    store = opened.store;
    port = createDeliveryStore({
      store,
      clock: () => new Date(now),
      ids,
      vault,
      mail: { sends: false, send: () => Promise.resolve(), close: silent },
      log: { debug: silent, info: silent, warn: silent, error: silent },
      metrics: { attempt: silent, delivered: silent } as never,
      stats: { count: (_tx, _context, each) => void counted.push(...each) },
      ...idlePorts,
    } as Partial<Deps> as Deps);
    return opened.close;
  });

  /** A webhook with these deliveries, at its own time. */
  async function queue(deliveries: Partial<NewDelivery>[], values: Partial<WebhookRow> = {}) {
    now = START;
    counted.length = 0;
    const workspaceId = await newWorkspace(store);
    const row = webhookRow(workspaceId);
    const webhook = {
      ...row,
      secret: vault.seal('current', webhookSecretContext(row.id, 'secret')),
      ...values,
    };
    const rows = deliveries.map((each) => deliveryRow({ workspaceId, webhookId: webhook.id }, each));
    await store.write(async (tx) => {
      await insertWebhook(tx, webhook);
      await insertDeliveries(tx, rows);
    });
    const find = async (index = 0) => deliveryOf(store.read, rows[index]?.id ?? '');
    const claim = async ({ part = 'initial', owner = 'me', limit = 10 }: ClaimOptions = {}) => {
      const limits = { initial: 0, retry: 0, [part]: limit };
      const [claimed] = await port.claim(owner, [{ webhookId: webhook.id, limits }]);
      return claimed ?? expect.fail('The claim has no result.');
    };
    const claimOne = async (options?: ClaimOptions): Promise<LeasedDelivery> => {
      const { deliveries: claimed } = await claim(options);
      expect(claimed).toHaveLength(1);
      return claimed[0] ?? expect.fail('Nothing was claimed.');
    };
    return { webhook, rows, find, claim, claimOne };
  }

  describe('claims', () => {
    it('of several webhooks at once, each in both parts of its queue, within its limits and with its own bodies', async () => {
      const body = (text: string) => ({ body: text });
      const retry = { status: 'retrying', attempt_count: 1, scheduled_count: 1 } as const;
      const first = await queue([body('a'), body('b'), { ...retry, ...body('c') }]);
      const second = await queue([body('d'), { due_at: after(700) }, { ...retry, ...body('e') }, retry]);
      const idle = await queue([{ due_at: after(900) }]);
      const claimed = await port.claim('me', [
        { webhookId: first.webhook.id, limits: { initial: 1, retry: 1 } },
        { webhookId: second.webhook.id, limits: { initial: 5, retry: 1 } },
        { webhookId: idle.webhook.id, limits: { initial: 5, retry: 5 } },
      ]);
      const found = new Map(claimed.map((one) => [one.webhookId, one]));
      const of = ({ webhook: { id } }: typeof first) => {
        const { deliveries = [], nextDueAt } = found.get(id) ?? {};
        return [deliveries.map((delivery) => delivery.body), nextDueAt];
      };
      expect(of(first)).toEqual([['a', 'c'], { initial: START, retry: null }]);
      expect(of(second)).toEqual([['d', 'e'], { initial: START + 700, retry: START }]);
      expect(of(idle)).toEqual([[], { initial: START + 900, retry: null }]);
    });

    it('what is due, with all that a call needs', async () => {
      const { webhook, rows, claim } = await queue([{}, { due_at: after(500) }]);
      const { deliveries, nextDueAt, pausedUntil } = await claim();
      expect(deliveries).toMatchObject([
        {
          id: rows[0]?.id,
          endpoint: {
            id: webhook.id,
            workspaceId: webhook.workspace_id,
            url: webhook.url,
            mayBePrefetched: true,
          },
          lease: { token: 1 },
          part: 'initial',
          trigger: 'event.created',
          attempts: 0,
          interruptions: 0,
          body: '{}',
        },
      ]);
      expect([nextDueAt, pausedUntil]).toEqual([{ initial: START + 500 }, 0]);
    });

    it('retries apart from new deliveries', async () => {
      const { rows, claim } = await queue([{}, { status: 'retrying' }]);
      const { deliveries } = await claim({ part: 'retry' });
      expect(deliveries.map(({ id, part }) => [id, part])).toEqual([[rows[1]?.id, 'retry']]);
    });

    it('as many as the rate limit allows, and says until when it allows no more', async () => {
      const { claim } = await queue([{}, {}, {}], { rate_per_second: 10 });
      const { deliveries, pausedUntil } = await claim();
      expect(deliveries).toHaveLength(1);
      expect(deliveries[0]?.endpoint.mayBePrefetched).toBe(false);
      expect(pausedUntil).toBe(START + 100);
    });

    it('further new ones ahead, but not of a webhook with a rate limit', async () => {
      const claimAhead = async ({ id }: { id: string }, initial = 1) => {
        const limits = { initial, retry: 0 };
        const [claimed] = await port.claim('me', [{ webhookId: id, limits, ahead: 2 }]);
        return [claimed?.deliveries.map(({ part }) => part), claimed?.nextDueAt];
      };
      const free = await queue([{}, {}, {}, {}, { status: 'retrying' }]);
      expect(await claimAhead(free.webhook)).toEqual([['initial', 'initial', 'initial'], { initial: START }]);
      const limited = await queue([{}, {}, {}], { rate_per_second: 100 });
      expect(await claimAhead(limited.webhook)).toEqual([['initial'], { initial: START }]);
      // Its rate limit may be new; the rest must not be forgotten.
      expect(await claimAhead(limited.webhook, 0)).toEqual([[], { initial: START }]);
    });

    it('nothing of a webhook that is disabled or gone: its deliveries are held or cancelled', async () => {
      const disabled = await queue([{}], { status: 'disabled', disabled_reason: 'manual', disabled_at: NOW });
      expect((await disabled.claim()).deliveries).toEqual([]);
      expect((await disabled.find()).status).toBe('held');
      const gone = await queue([{}]);
      await store.write((tx) => deleteWebhook(tx, gone.webhook));
      expect((await gone.claim()).deliveries).toEqual([]);
      expect((await gone.find()).status).toBe('cancelled');
    });
  });

  describe('records', () => {
    it('an attempt and the state that follows, and says when the delivery is due again', async () => {
      const { find, claimOne } = await queue([{}]);
      const failed = await claimOne();
      expect(await port.record([{ delivery: failed, outcome: FAILED }])).toEqual([START + 5_000]);
      expect(await find()).toMatchObject({ status: 'retrying', attempt_count: 1, lease_owner: null });
      now += 5_000;
      const again = await claimOne({ part: 'retry' });
      expect(again).toMatchObject({ attempts: 1, part: 'retry' });
      expect(await port.record([{ delivery: again, outcome: SUCCEEDED }])).toEqual([null]);
      expect(await find()).toMatchObject({ status: 'delivered', attempt_count: 2, due_at: null });
      expect(counted.map((each) => 'ok' in each && [each.ok, each.ended])).toEqual([
        [false, null],
        [true, 'delivered'],
      ]);
    });

    it('nothing of an attempt whose lease another process has by now', async () => {
      const { find, claimOne } = await queue([{}]);
      const lost = await claimOne();
      now += LEASE_MS;
      const current = await claimOne({ owner: 'you' });
      expect(await port.record([{ delivery: lost, outcome: SUCCEEDED }])).toEqual([null]);
      expect([await find(), counted]).toMatchObject([{ status: 'pending', attempt_count: 0 }, []]);
      expect(await port.record([{ delivery: current, outcome: SUCCEEDED }])).toEqual([null]);
      expect(await find()).toMatchObject({ status: 'delivered', attempt_count: 1 });
    });

    it('one of two attempts of a delivery that end together: that of the newer lease', async () => {
      const { find, claimOne } = await queue([{}]);
      const lost = await claimOne();
      now += LEASE_MS;
      const current = await claimOne({ owner: 'you' });
      const ended = [current, lost].map((delivery) => ({ delivery, outcome: FAILED }));
      expect(await port.record(ended)).toEqual([now + 5_000, null]);
      expect([await find(), counted.length]).toMatchObject([{ status: 'retrying', attempt_count: 1 }, 1]);
    });

    it('a success as the end of a failure that began before it, and of no later one', async () => {
      const { webhook, claimOne } = await queue([{}, {}, {}, {}, {}]);
      const claimed: LeasedDelivery[] = [];
      for (let count = 0; count < 5; count += 1) claimed.push(await claimOne({ limit: 1 }));
      const since = async () => (await findWebhookById(store.read, webhook.id))?.failing_since;
      const ended = (index: number, ms: number, outcome: AttemptOutcome) => ({
        delivery: claimed[index] ?? expect.fail('Too few were claimed.'),
        outcome: { ...outcome, startedAt: new Date(START + ms), durationMs: 1 },
      });
      now += 1_000;
      await port.record([ended(0, 9, FAILED)]);
      expect(await since()).toBe(after(10));
      await port.record([ended(1, 8, SUCCEEDED)]);
      expect(await since()).toBe(after(10));
      await port.record([ended(2, 10, SUCCEEDED)]);
      expect(await since()).toBeNull();
      // In one unit.
      await port.record([ended(3, 20, FAILED), ended(4, 21, SUCCEEDED)]);
      expect(await since()).toBeNull();
    });

    it('nothing about a webhook whose URL has changed since the attempt began', async () => {
      const { webhook, claimOne } = await queue([{}, {}]);
      const delivery = await claimOne({ limit: 1 });
      const gone = { ...FAILED, response: { status: 410, headers: {}, body: '' } };
      await store.write((tx) => updateWebhook(tx, webhook, { url: 'https://other.example/' }));
      await port.record([{ delivery, outcome: gone }]);
      const row = await findWebhookById(store.read, webhook.id);
      expect(row).toMatchObject({ status: 'active', failing_since: null });
    });

    it('a webhook as failing, once, and as disabled when it says that it is gone', async () => {
      const { webhook, find, claimOne } = await queue([{}]);
      const delivery = await claimOne();
      const gone = { ...FAILED, response: { status: 410, headers: {}, body: '' } };
      await port.record([{ delivery, outcome: gone }]);
      expect(await port.findEndpoint(webhook.id)).toMatchObject({ mayBePrefetched: false });
      const row = await findWebhookById(store.read, webhook.id);
      expect(row).toMatchObject({ disabled_reason: 'gone', failing_since: NOW });
      expect((await find()).status).toBe('held');
    });
  });

  describe('takes back', () => {
    it('what failed on this machine, due after the given time, without an attempt or an interruption', async () => {
      const { find, claimOne } = await queue([{}]);
      expect(await port.returnLater(await claimOne(), 5_000)).toBe(START + 5_000);
      expect(await find()).toMatchObject({ due_at: after(5_000), attempt_count: 0, lease_owner: null });
      now += 5_000;
      expect(await claimOne()).toMatchObject({ interruptions: 0, lease: { token: 2 } });
    });

    it('what was cut off, due now, as an interruption', async () => {
      const { claimOne } = await queue([{}]);
      expect(await port.returnInterrupted(await claimOne())).toBe(START);
      expect(await claimOne()).toMatchObject({ interruptions: 1, attempts: 0 });
    });

    it('what was stored with a lease and has not begun, as due as it was', async () => {
      const lease = { lease_owner: 'me', lease_token: 1, due_at: after(LEASE_MS) };
      const { rows, find, claim } = await queue([lease, { ...lease, lease_owner: 'you' }]);
      const leased = await Promise.all([find(0), find(1)]);
      await port.returnUnbegun(
        leased.map(
          ({ seq }) => ({ lease: { seq, token: 1, owner: 'me' }, endpoint: { id: 'whk' } }) as LeasedDelivery,
        ),
      );
      expect((await claim()).deliveries).toMatchObject([{ id: rows[0]?.id, interruptions: 0 }]);
    });

    it('what owners who are gone have left, and nothing of the living or of what is being worked on', async () => {
      const { find, claimOne, claim } = await queue([{}, {}, {}, {}]);
      const left = await claimOne({ owner: 'gone', limit: 1 });
      const working = await claimOne({ owner: 'gone', limit: 1 });
      const recorded = await claimOne({ owner: 'gone', limit: 1 });
      await claimOne({ owner: 'living', limit: 1 });
      now += 1_000;
      await port.endLeases(['gone', 'long gone'], [working]);
      // A result that comes before anybody else has the delivery counts.
      await port.record([{ delivery: recorded, outcome: SUCCEEDED }]);
      const { deliveries } = await claim({ owner: 'me' });
      expect(deliveries).toMatchObject([{ id: left.id, interruptions: 1, lease: { token: 2, owner: 'me' } }]);
      expect(await port.record([{ delivery: left, outcome: SUCCEEDED }])).toEqual([null]);
      const owners = (await Promise.all([0, 1, 2, 3].map(find))).map((row) => row.lease_owner);
      expect(new Set(owners)).toEqual(new Set(['gone', 'living', 'me', null]));
    });

    it('what cannot be signed, and disables its webhook until it has a new secret', async () => {
      const { find, claimOne } = await queue([{}], { secret: 'damaged' });
      const delivery = await claimOne();
      expect(port.signingSecrets(delivery.endpoint, new Date(now))).toBeNull();
      await port.returnUnsigned(delivery);
      expect(await find()).toMatchObject({ status: 'held', attempt_count: 0 });
      expect((await port.findEndpoint(delivery.endpoint.id))?.mayBePrefetched).toBe(false);
    });
  });

  it('opens the secrets that sign now, the previous one while it is valid', async () => {
    const { webhook } = await queue([]);
    const previous = vault.seal('previous', webhookSecretContext(webhook.id, 'previous_secret'));
    const endpoint = (await port.findEndpoint(webhook.id)) ?? expect.fail('It is gone.');
    const rotated = { ...endpoint, sealed: { ...endpoint.sealed, previous, previousUntil: after(10) } };
    const secretsAt = (ms: number) => port.signingSecrets(rotated, new Date(START + ms));
    expect([secretsAt(9), secretsAt(10)]).toEqual([['current', 'previous'], ['current']]);
  });

  it('lists the parts of queues that have open deliveries, and reads a large body apart', async () => {
    const body = JSON.stringify({ text: 'x'.repeat(100_000) });
    const { webhook, claimOne } = await queue([{ body }, { status: 'retrying', due_at: after(700) }]);
    const due: DueQueue[] = [];
    for await (const page of port.listDue())
      due.push(...page.filter(({ webhookId }) => webhookId === webhook.id));
    expect(due.map(({ part, dueAt }) => [part, dueAt])).toEqual([
      ['initial', START],
      ['retry', START + 700],
    ]);
    const delivery = await claimOne();
    // The body is too large to be claimed with the delivery.
    expect([delivery.body, delivery.bytes]).toEqual([null, body.length]);
    expect((await port.readBody(delivery)).toString()).toBe(body);
  });
}
