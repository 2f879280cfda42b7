import { beforeAll, describe, expect, it } from 'vitest';
import { STATUS } from '../../../src/db/core/columns/codes.ts';
import { idBytes } from '../../../src/db/core/columns/columns.ts';
import { listAttempts } from '../../../src/db/webhooks/attempts.ts';
import {
  type DeliveryRow,
  insertDeliveries,
  requestManualAttempt,
} from '../../../src/db/webhooks/deliveries.ts';
import {
  claimDeliveries,
  expireLeases,
  interruptLease,
  type Lease,
  releaseLease,
  releaseUnbegun,
  recordResults,
} from '../../../src/db/webhooks/queue/delivery-leases.ts';
import { moveSchedule } from '../../../src/db/webhooks/queue/schedule.ts';
import { listDueQueues, nextDueAt } from '../../../src/db/webhooks/queue/due-queues.ts';
import {
  cancelDeliveries,
  holdDeliveries,
  releaseHeldDeliveries,
} from '../../../src/db/webhooks/open-deliveries.ts';
import type { QueuePart } from '../../../src/domain/deliveries/queue-part.ts';
import { isoTime } from '../../../src/domain/time.ts';
import type { Tx } from '../../../src/db/core/schema.ts';
import type { Store } from '../../../src/db/core/store.ts';
import {
  after,
  attemptRow,
  deliveryOf,
  deliveryRow,
  ids,
  newWorkspace,
  NOW,
  openMigrated,
  type TestStorage,
} from '../storage.ts';

const LEASE_MS = 60_000;

interface ClaimOptions {
  at?: number;
  limit?: number;
  owner?: string;
  part?: QueuePart;
}

const DELIVERED = {
  status: 'delivered',
  attempt_count: 1,
  scheduled_count: 1,
  next_attempt_at: null,
  manual: 0,
  due_at: null,
  interruptions: 0,
  completed_at: NOW,
} as const;

const recordOne = async (tx: Tx, { seq, lease_token }: Lease) =>
  (await recordResults(tx, [{ seq, lease_token, ...DELIVERED, attempt: attemptRow() }])).has(seq);

export function testQueue(create: () => Promise<TestStorage>): void {
  let store: Store;
  beforeAll(async () => {
    const opened = await openMigrated(create);
    store = opened.store;
    return opened.close;
  });

  /** The time at which the next delivery of a webhook is due, for an owner that asks. */
  const nextDue = (webhookId: string, { at = 0, owner = 'me', part = 'initial' }: ClaimOptions = {}) =>
    nextDueAt(store.read, { webhookId, part, owner, now: after(at) });

  const workspaceOf = new Map<string, string>();

  /** A webhook with these deliveries. */
  async function queue(
    ...deliveries: Partial<DeliveryRow>[]
  ): Promise<{ webhookId: string; rows: string[] }> {
    const at = { workspaceId: await newWorkspace(store), webhookId: ids('webhook') };
    workspaceOf.set(at.webhookId, at.workspaceId);
    const rows = deliveries.map((values) => deliveryRow(at, values));
    await store.write((tx) => insertDeliveries(tx, rows));
    return { webhookId: at.webhookId, rows: rows.map((row) => row.id) };
  }
  const claim = (
    webhookId: string,
    { at = 0, limit = 10, owner = 'me', part = 'initial' }: ClaimOptions = {},
  ) =>
    store.write((tx) =>
      claimDeliveries(tx, {
        workspaceId: workspaceOf.get(webhookId) ?? '',
        webhookId,
        part,
        owner,
        now: after(at),
        leaseUntil: after(at + LEASE_MS),
        limit,
      }),
    );
  const find = (id: string | undefined) => deliveryOf(store.read, id ?? '');
  const requestAgain = (id: string | undefined, at = NOW) =>
    store.write(async (tx) => requestManualAttempt(tx, await deliveryOf(tx, id ?? ''), at));
  const onlyOne = async (webhookId: string, options?: Parameters<typeof claim>[1]): Promise<DeliveryRow> => {
    const [row, ...others] = await claim(webhookId, options);
    if (!row || others.length > 0) throw new Error('expected one delivery');
    return row;
  };

  describe('leases', () => {
    it('what is due, the longest due first, and nothing before its time', async () => {
      const { webhookId, rows } = await queue(
        { due_at: after(-10) },
        { due_at: after(-30) },
        { due_at: after(1) },
        { due_at: after(-20) },
        { due_at: null, status: 'held' },
      );
      const claimed = await claim(webhookId, { limit: 2 });
      expect(claimed.map((row) => row.id)).toEqual([rows[1], rows[3]]);
      expect(claimed.map((row) => [row.lease_owner, row.lease_token, row.due_at, row.interruptions])).toEqual(
        Array.from({ length: 2 }, () => ['me', 1, after(LEASE_MS), 0]),
      );
      expect((await claim(webhookId)).map((row) => row.id)).toEqual([rows[0]]);
      expect(await claim(webhookId)).toEqual([]);
      expect((await claim(webhookId, { at: 1 })).map((row) => row.id)).toEqual([rows[2]]);
    });

    it('new deliveries and retries from two parts, neither of which waits for the other', async () => {
      const { webhookId, rows } = await queue(
        { due_at: after(-50), status: 'retrying' },
        { due_at: after(-10) },
        { due_at: after(-40), status: 'delivered', manual: 1 },
        { due_at: after(-20) },
      );
      const idsOf = (claimed: DeliveryRow[]) => claimed.map((row) => row.id);
      expect(idsOf(await claim(webhookId, { limit: 1 }))).toEqual([rows[3]]);
      expect(idsOf(await claim(webhookId, { part: 'retry' }))).toEqual([rows[0], rows[2]]);
      expect(await claim(webhookId, { part: 'retry' })).toEqual([]);
      expect(idsOf(await claim(webhookId))).toEqual([rows[1]]);
    });

    it('never the same delivery to two who ask at once', async () => {
      const { webhookId, rows } = await queue(...Array.from({ length: 60 }, () => ({})));
      const shares = await Promise.all(
        Array.from({ length: 20 }, (_, index) => claim(webhookId, { limit: 5, owner: `worker ${index}` })),
      );
      for (const share of shares) expect(share.length).toBeLessThanOrEqual(5);
      const first = shares.flat().map((row) => row.id);
      expect(new Set(first).size).toBe(first.length);
      // The unit that had to step aside finds the rest.
      const rest = await claim(webhookId, { limit: 100 });
      expect([...first, ...rest.map((row) => row.id)].toSorted()).toEqual(rows.toSorted());
    });

    it('again what a dead owner left, once the lease is over, and counts the interruption', async () => {
      const { webhookId } = await queue({});
      const first = await onlyOne(webhookId);
      expect(await claim(webhookId, { at: LEASE_MS - 1 })).toEqual([]);
      const second = await onlyOne(webhookId, { at: LEASE_MS, owner: 'you' });
      expect(second).toMatchObject({ id: first.id, lease_owner: 'you', lease_token: 2, interruptions: 1 });
      expect(await onlyOne(webhookId, { at: 2 * LEASE_MS })).toMatchObject({ interruptions: 2 });
    });

    it('what was leased and given back unbegun, as due as it was', async () => {
      const mine = { lease_owner: 'me', lease_token: 1, due_at: after(LEASE_MS) };
      const { webhookId, rows } = await queue(
        { ...mine, next_attempt_at: after(-5) },
        // Stored before the clock was set back.
        { ...mine, next_attempt_at: after(500_000) },
        { ...mine, lease_token: 2 },
        { ...mine, lease_owner: 'you' },
        { ...mine, lease_token: 3, next_attempt_at: after(-4) },
      );
      const tokens = [1, 1, 1, 1, 3];
      const before = await Promise.all(rows.map(find));
      const leases = before.map(({ seq }, index) => ({ seq, token: tokens[index] ?? 0 }));
      await store.write((tx) => releaseUnbegun(tx, { owner: 'me', now: after(0) }, leases));
      const found = await Promise.all(rows.map(find));
      expect(found.map(({ lease_owner, due_at }) => [lease_owner, due_at])).toEqual([
        [null, after(-5)],
        [null, after(0)],
        ['me', after(LEASE_MS)],
        ['you', after(LEASE_MS)],
        [null, after(-4)],
      ]);
      expect(await claim(webhookId)).toMatchObject([
        { interruptions: 0 },
        { interruptions: 0 },
        { interruptions: 0 },
      ]);
    });

    it('at once what a dead owner left, when the process knows that it is alone', async () => {
      const { webhookId } = await queue({});
      await claim(webhookId);
      expect(await store.write((tx) => expireLeases(tx, after(5)))).toBeGreaterThan(0);
      expect(await onlyOne(webhookId, { at: 5 })).toMatchObject({ lease_token: 2, interruptions: 1 });
    });

    it('at once what was cut off in the middle, and counts the interruption', async () => {
      const { webhookId } = await queue({});
      const lost = await onlyOne(webhookId);
      await store.write((tx) => interruptLease(tx, lost, after(5)));
      const lease = await onlyOne(webhookId, { at: 5 });
      expect(lease).toMatchObject({ lease_token: 2, interruptions: 1 });
      // A process that has lost the lease cannot make the delivery due anymore.
      await store.write((tx) => interruptLease(tx, lost, after(6)));
      expect(await claim(webhookId, { at: 6 })).toEqual([]);
    });

    it('what has come back unbegun, without counting an interruption', async () => {
      const { webhookId } = await queue({});
      const lease = await onlyOne(webhookId);
      await store.write((tx) => releaseLease(tx, lease, after(7)));
      expect(await nextDue(webhookId)).toBe(after(7));
      expect(await onlyOne(webhookId, { at: 7 })).toMatchObject({ lease_token: 2, interruptions: 0 });
    });
  });

  it('moves what waits and what the dead have left with a clock that is set back, and keeps its own leases', async () => {
    const { rows } = await queue(
      { due_at: after(70_000), next_attempt_at: after(70_000), status: 'retrying' },
      { due_at: after(-1), next_attempt_at: after(-1) },
      { due_at: after(50_000), next_attempt_at: after(-9), lease_owner: 'dead', lease_token: 1 },
      { due_at: after(50_000), next_attempt_at: after(70_000), lease_owner: 'me', lease_token: 1 },
    );
    await store.write((tx) => moveSchedule(tx, { owner: 'me', after: after(0), ms: -50_000 }));
    const found = await Promise.all(rows.map(find));
    expect(found.map(({ due_at, next_attempt_at }) => [due_at, next_attempt_at])).toEqual([
      [after(20_000), after(20_000)],
      [after(-1), after(-1)],
      [after(0), after(-9)],
      [after(50_000), after(20_000)],
    ]);
  });

  describe('is due next', () => {
    const lease = (values: Partial<DeliveryRow>) => ({ due_at: after(60_000), lease_token: 1, ...values });
    it.each<[what: string, rows: Partial<DeliveryRow>[], due: string | null]>([
      ['never, while its owner has all of it', [lease({ lease_owner: 'me' })], null],
      [
        'when what waits behind a lease of the owner is',
        [lease({ lease_owner: 'me' }), { due_at: after(90_000) }],
        after(90_000),
      ],
      ['before a lease of the owner ends', [lease({ lease_owner: 'me' }), { due_at: after(7) }], after(7)],
      ['when the lease of another owner ends', [lease({ lease_owner: 'other' })], after(60_000)],
      ['when a lease of the owner has ended', [lease({ lease_owner: 'me', due_at: NOW })], NOW],
    ])('%s', async (_what, rows, due) => {
      const { webhookId } = await queue(...rows);
      expect(await nextDue(webhookId)).toBe(due);
    });
  });

  describe('takes a result', () => {
    it('once, from the one who holds the lease', async () => {
      const { webhookId, rows } = await queue({});
      const lease = await onlyOne(webhookId);
      const recordLease = () => store.write((tx) => recordOne(tx, lease));
      expect(await recordLease()).toBe(true);
      expect(await recordLease()).toBe(false);
      expect(await find(rows[0])).toMatchObject({
        ...DELIVERED,
        lease_owner: null,
        lease_token: 1,
        last_at: NOW,
        last_status: 200,
        last_error_kind: null,
        last_duration_ms: 12,
      });
      expect(await nextDue(webhookId)).toBeNull();
    });

    it('of many at once, each by its own lease', async () => {
      const { webhookId, rows } = await queue({}, {}, {}, {});
      const leases = await claim(webhookId);
      const lost = leases[1]?.seq ?? 0;
      await store.write((tx) => releaseLease(tx, { seq: lost, lease_token: 1 }, NOW));
      const results = leases.map(({ seq, lease_token }, index) => ({
        seq,
        lease_token,
        ...DELIVERED,
        attempt: { ...attemptRow(), response_body: `{"é": "${index}", NULL, '\\'` },
      }));
      const held = await store.write((tx) => recordResults(tx, results));
      expect(held).toEqual(new Set(leases.flatMap(({ seq }) => (seq === lost ? [] : [seq]))));
      const states = await Promise.all(rows.map(find));
      expect(states.map(({ status }) => status)).toEqual(['delivered', 'pending', 'delivered', 'delivered']);
      const last = leases[3]?.seq ?? 0;
      expect(await listAttempts(store.read, { seq: last })).toEqual([{ ...results[3]?.attempt, attempt: 1 }]);
      expect(await listAttempts(store.read, { seq: lost })).toEqual([]);
    });

    it.each(['before', 'after'])(
      'of the lease that is held, with one of a lost lease %s it',
      async (place) => {
        const { webhookId, rows } = await queue({});
        const lost = await onlyOne(webhookId);
        const held = await onlyOne(webhookId, { at: LEASE_MS });
        const late = { seq: lost.seq, lease_token: lost.lease_token, ...DELIVERED, attempt: attemptRow() };
        const current = {
          ...late,
          lease_token: held.lease_token,
          status: 'failed' as const,
          attempt: { ...attemptRow(), response_status: 500 },
        };
        const results = place === 'before' ? [late, current] : [current, late];
        await store.write((tx) => recordResults(tx, results));
        expect(await find(rows[0])).toMatchObject({ status: 'failed', last_status: 500 });
      },
    );

    it('never from one whose lease somebody else has', async () => {
      const { webhookId, rows } = await queue({});
      const late = await onlyOne(webhookId);
      const current = await onlyOne(webhookId, { at: LEASE_MS });
      expect(await store.write((tx) => recordOne(tx, late))).toBe(false);
      await store.write((tx) => releaseLease(tx, late, NOW));
      expect(await find(rows[0])).toMatchObject({ status: 'pending', due_at: after(2 * LEASE_MS) });
      expect(await store.write((tx) => recordOne(tx, current))).toBe(true);
    });

    it('never for a delivery that was cancelled in the meantime, which nothing brings back', async () => {
      const { webhookId, rows } = await queue({});
      const lease = await onlyOne(webhookId);
      await store.write((tx) => cancelDeliveries(tx, { id: webhookId }, NOW));
      expect(await store.write((tx) => recordOne(tx, lease))).toBe(false);
      await store.write((tx) => releaseLease(tx, lease, NOW));
      expect(await find(rows[0])).toMatchObject({ status: 'cancelled', due_at: null, completed_at: NOW });
      expect(await claim(webhookId, { at: 2 * LEASE_MS })).toEqual([]);
    });
  });

  it('knows which webhooks have something to do, and when first', async () => {
    const webhookWith = async (...deliveries: Partial<DeliveryRow>[]) =>
      (await queue(...deliveries)).webhookId;
    const soon = await webhookWith({ due_at: after(50) }, { due_at: after(20) });
    const late = await webhookWith({ due_at: after(900) }, { due_at: null, status: 'delivered' });
    const never = await webhookWith({ due_at: null, status: 'held' }, { due_at: null, status: 'failed' });
    const retried = await webhookWith({ due_at: after(30), status: 'retrying' }, { due_at: after(40) });
    const waiting = async (part: QueuePart) => {
      const found = new Map<string, string>();
      for await (const page of listDueQueues(store.read))
        for (const one of page) if (one.part === part) found.set(one.webhookId, isoTime(one.dueAt));
      return found;
    };
    const initial = await waiting('initial');
    const retry = await waiting('retry');
    expect([soon, retried].map((webhook) => [initial.get(webhook), retry.get(webhook)])).toEqual([
      [after(20), undefined],
      [after(40), after(30)],
    ]);
    expect([soon, late, never].map((webhook) => initial.get(webhook))).toEqual([
      after(20),
      after(900),
      undefined,
    ]);
    expect(await nextDue(soon)).toBe(after(20));
    expect(await nextDue(never)).toBeNull();
  });

  it.each([
    ['initial', 'pending'],
    ['retry', 'retrying'],
  ] as const)('yields to the event loop while it finds very many webhooks: %s', async (part, status) => {
    const workspaceId = await newWorkspace(store);
    const webhooks = Array.from({ length: 600 }, () => ids('webhook'));
    const rows = webhooks.map((webhookId) => deliveryRow({ workspaceId, webhookId }, { status }));
    await store.write((tx) => insertDeliveries(tx, rows));
    let turns = 0;
    let turning = setImmediate(function turn() {
      turns += 1;
      turning = setImmediate(turn);
    });
    const found: string[] = [];
    const sizes: number[] = [];
    const turnsBefore = new Set<number>();
    for await (const page of listDueQueues(store.read)) {
      sizes.push(page.length);
      turnsBefore.add(turns);
      for (const one of page) if (one.part === part) found.push(one.webhookId);
    }
    clearImmediate(turning);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256);
    // No two pages come in the same turn.
    expect(turnsBefore.size).toBe(sizes.length);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(webhooks));
    await store.write(async (tx) => {
      for (const id of webhooks) await cancelDeliveries(tx, { id }, NOW);
    });
  });

  describe('of a webhook that is disabled', () => {
    const RETRYING = {
      status: 'retrying',
      attempt_count: 2,
      scheduled_count: 2,
      due_at: after(25_000),
      next_attempt_at: after(25_000),
    } as const;

    it('is held and released: what waits, and what a dead process had', async () => {
      const { webhookId, rows } = await queue({}, RETRYING, {
        lease_owner: 'dead',
        lease_token: 4,
        due_at: after(-1),
        interruptions: 1,
      });
      await store.write((tx) => holdDeliveries(tx, { id: webhookId }, NOW));
      for (const id of rows)
        expect(await find(id)).toMatchObject({ status: 'held', due_at: null, lease_owner: null });
      await store.write((tx) => releaseHeldDeliveries(tx, { id: webhookId }, after(9)));
      const states = await Promise.all(rows.map(find));
      expect(states.map((row) => row.status)).toEqual(['pending', 'retrying', 'pending']);
      for (const row of states)
        expect(row).toMatchObject({ due_at: after(9), next_attempt_at: after(9), manual: 0 });
      expect(await claim(webhookId, { at: 9 })).toHaveLength(2);
      expect(await claim(webhookId, { at: 9, part: 'retry' })).toHaveLength(1);
    });

    it('leaves what is under way to end by its own result', async () => {
      const { webhookId, rows } = await queue({});
      const lease = await onlyOne(webhookId);
      await store.write((tx) => holdDeliveries(tx, { id: webhookId }, NOW));
      expect(await find(rows[0])).toMatchObject({ status: 'pending', lease_owner: 'me' });
      expect(await store.write((tx) => recordOne(tx, lease))).toBe(true);
    });

    it('leaves what is done as it was', async () => {
      const { webhookId, rows } = await queue(
        { ...DELIVERED },
        { ...DELIVERED, status: 'failed', scheduled_count: 5 },
      );
      const before = await Promise.all(rows.map(find));
      await store.write((tx) => holdDeliveries(tx, { id: webhookId }, NOW));
      await store.write((tx) => releaseHeldDeliveries(tx, { id: webhookId }, NOW));
      expect(await Promise.all(rows.map(find))).toEqual(before);
    });

    it('keeps a request for one more attempt, without a schedule after it', async () => {
      const { webhookId, rows } = await queue({ ...DELIVERED, status: 'failed', scheduled_count: 5 });
      await requestAgain(rows[0]);
      await store.write((tx) => holdDeliveries(tx, { id: webhookId }, NOW));
      await store.write((tx) => releaseHeldDeliveries(tx, { id: webhookId }, after(9)));
      expect(await find(rows[0])).toMatchObject({
        status: 'retrying',
        manual: 1,
        due_at: after(9),
        next_attempt_at: null,
      });
    });

    it('leaves a delivered delivery delivered, even one that was to be retried', async () => {
      const { webhookId, rows } = await queue({ ...DELIVERED });
      await requestAgain(rows[0]);
      await store.write((tx) => holdDeliveries(tx, { id: webhookId }, NOW));
      expect(await find(rows[0])).toMatchObject({ ...DELIVERED });
      expect(await nextDue(webhookId)).toBeNull();
    });
  });

  describe('of a webhook that is deleted', () => {
    it('is cancelled as far as it is open; the history stays', async () => {
      const failed = { ...DELIVERED, status: 'failed' } as const;
      const { webhookId, rows } = await queue({}, { status: 'held', due_at: null }, DELIVERED, failed);
      await store.write((tx) => cancelDeliveries(tx, { id: webhookId }, after(3)));
      const states = await Promise.all(rows.map(find));
      expect(states.map((row) => [row.status, row.completed_at])).toEqual([
        ['cancelled', after(3)],
        ['cancelled', after(3)],
        ['delivered', NOW],
        ['failed', NOW],
      ]);
    });

    it('forgets the retry of a delivered delivery', async () => {
      const { webhookId, rows } = await queue({ ...DELIVERED });
      await requestAgain(rows[0]);
      await store.write((tx) => cancelDeliveries(tx, { id: webhookId }, after(3)));
      expect(await find(rows[0])).toMatchObject({ ...DELIVERED });
      expect(await claim(webhookId, { at: 10 })).toEqual([]);
    });
  });

  describe('of a webhook with very many', () => {
    const MANY = 1_100;
    const CHANGES = {
      'is cancelled': { step: cancelDeliveries, from: {}, to: 'cancelled' },
      'is held': { step: holdDeliveries, from: {}, to: 'held' },
      'is released': { step: releaseHeldDeliveries, from: { status: 'held', due_at: null }, to: 'pending' },
    } as const;

    it.each(Object.entries(CHANGES))(
      '%s in steps: none keeps the others waiting',
      async (_, { step, from, to }) => {
        const { webhookId } = await queue(...Array.from({ length: MANY }, () => from));
        const changed: number[] = [];
        for (let isLast = false; !isLast;) {
          isLast = await store.write((tx) => step(tx, { id: webhookId }, NOW));
          const rows = await store.read
            .selectFrom('deliveries')
            .select('seq')
            .where('webhook_id', '=', idBytes(webhookId))
            .where('status', '=', STATUS.of[to])
            .execute();
          changed.push(rows.length);
        }
        expect(changed).toEqual([500, 1_000, MANY]);
      },
    );
  });

  describe('takes a request for one more attempt', () => {
    it('and makes it due now, open again unless it was delivered', async () => {
      const { webhookId, rows } = await queue({ ...DELIVERED, status: 'failed' }, { ...DELIVERED });
      for (const id of rows) await requestAgain(id, after(4));
      expect(await find(rows[0])).toMatchObject({ status: 'retrying', completed_at: null, manual: 1 });
      expect(await find(rows[1])).toMatchObject({ status: 'delivered', completed_at: NOW, manual: 1 });
      expect(await claim(webhookId, { at: 4, part: 'retry' })).toHaveLength(2);
    });

    it('but not while somebody has the delivery', async () => {
      const { webhookId } = await queue({});
      const row = await onlyOne(webhookId);
      expect(await store.write((tx) => requestManualAttempt(tx, row, NOW))).toBeNull();
      expect(await find(row.id)).toMatchObject(row);
    });
  });
}
