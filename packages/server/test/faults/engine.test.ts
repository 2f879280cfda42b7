import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deps } from '../../src/context.ts';
import { listAttempts } from '../../src/db/webhooks/attempts.ts';
import { insertDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { openSqlite } from '../../src/db/sqlite/sqlite-store.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';
import type { Store } from '../../src/db/core/store.ts';
import { findWebhookById, insertWebhook } from '../../src/db/webhooks/webhooks.ts';
import { DeliveryEngine } from '../../src/delivery/engine.ts';
import { StorageUnavailable } from '../../src/domain/faults/storage-unavailable.ts';
import { createBudgets } from '../../src/limits/byte-budget.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { createDeliveryStore } from '../../src/services/delivery-store/create-delivery-store.ts';
import { endpointOf, leasedDelivery } from '../../src/services/delivery-store/leased-delivery.ts';
import { SenderPool } from '../../src/delivery/senders/sender-pool.ts';
import type { Resolve } from '../../src/outbound/http-client.ts';
import { webhookSecretContext } from '../../src/services/webhooks/secret.ts';
import { createVault } from '../../src/secrets/vault.ts';
import { type Receiver, startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { SENDER_MODES } from '../delivery/sender-modes.ts';
import { TestClock } from '../delivery/test-clock.ts';
import { deliveryOf, deliveryRow, ids, newWorkspace, webhookRow } from '../storage/storage.ts';
import { idlePorts } from '../idle-ports.ts';

// Faults on this side cannot be caused through the API. These tests use the engine itself, with a database that fails
// on demand and names that resolve on demand.

let folder: string;
let store: Store;
let receiver: Receiver;
let time: TestClock;
let engine: DeliveryEngine;
let failWrites: () => boolean;
/** The webhooks of all claims. */
let claimed: string[];
/** The error of the next record. */
let recordBug: Error | null;
/** The error of the code that opens secrets. */
let bug: Error | null;
/** Runs between a commit and its response. */
let afterWrite: () => Promise<void>;
let resolve: Resolve;
const vault = createVault(Buffer.alloc(32, 7));
const silent = () => {};
const warned: string[] = [];
const log = {
  debug: silent,
  info: silent,
  warn: (_: object, message: string) => void warned.push(message),
  error: silent,
};
const mail = { sends: false, send: () => Promise.resolve(), close: silent };
const stats = { count: silent };
const budgets = createBudgets(160);
const metrics = createMetrics({
  budgets: { ...budgets },
  queue: () => Promise.reject(new Error('nobody asks')),
  jobs: () => Promise.reject(new Error('nobody asks')),
  senders: () => [],
  httpThreadMs: () => 0,
  backups: () => null,
  certificate: () => null,
  walFile: null,
});

afterAll(() => metrics.close());

async function prepare(senders: number): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'hubline-engine-'));
  store = openSqlite(join(folder, 'hubline.db'), { synchronous: 'NORMAL' });
  await migrate(store, new Date());
  receiver = await startReceiver();
  time = new TestClock();
  failWrites = () => false;
  claimed = [];
  recordBug = null;
  bug = null;
  afterWrite = () => Promise.resolve();
  resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const failing: Store = {
    dialect: store.dialect,
    shared: store.shared,
    peers: null,
    get read() {
      return store.read;
    },
    async write(unit) {
      if (failWrites()) throw new StorageUnavailable({ cause: new Error('a test') });
      const result = await store.write(unit);
      await afterWrite();
      return result;
    },
    close: () => store.close(),
  };
  const port = createDeliveryStore({
    store: failing,
    clock: time.clock,
    ids,
    vault: {
      ...vault,
      open(sealed, associatedData) {
        if (bug) throw bug;
        return vault.open(sealed, associatedData);
      },
    },
    log,
    mail,
    metrics,
    stats,
    ...idlePorts,
  } as Partial<Deps> as Deps);
  engine = new DeliveryEngine(
    { clock: time.clock, log, budgets },
    {
      store: {
        ...port,
        claim(owner, requests) {
          claimed.push(...requests.map(({ webhookId }) => webhookId));
          return port.claim(owner, requests);
        },
        async record(ended) {
          const error = recordBug;
          recordBug = null;
          if (error) throw error;
          return port.record(ended);
        },
      },
      sender: new SenderPool({
        threads: senders,
        log,
        userAgent: 'Hubline/test',
        allowHttpLocalhost: true,
        resolve: (name) => resolve(name),
      }),
      owner: () => 'me',
      timer: time.timer,
      monotonic: time.monotonic,
    },
  );
}
afterEach(async () => {
  await engine.stop();
  await receiver.stop();
  await store.close();
  await rm(folder, { recursive: true });
});

/** A webhook to the receiver, under a name that has to be resolved. */
async function addWebhook(secret = 'a secret'): Promise<{ workspaceId: string; webhookId: string }> {
  const workspaceId = await newWorkspace(store);
  const webhook = webhookRow(workspaceId);
  await store.write((tx) =>
    insertWebhook(tx, {
      ...webhook,
      url: receiver.url.replace('127.0.0.1', 'localhost'),
      secret: secret === '' ? 'damaged' : vault.seal(secret, webhookSecretContext(webhook.id, 'secret')),
    }),
  );
  return { workspaceId, webhookId: webhook.id };
}

async function addDelivery(at: { workspaceId: string; webhookId: string }): Promise<string> {
  const now = time.clock().toISOString();
  const row = deliveryRow(at, { due_at: now, next_attempt_at: now });
  await store.write((tx) => insertDeliveries(tx, [row]));
  return row.id;
}

const find = (id: string) => deliveryOf(store.read, id);
const delivered = (id: string) =>
  until('the delivery', async () => {
    const row = await find(id);
    return row.status === 'delivered' && row;
  });

it('a clock that becomes the one of the database before the start has not jumped; a later jump is reported', async () => {
  await prepare(0);
  time.set(-5_000);
  warned.length = 0;
  const id = await addDelivery(await addWebhook());
  await engine.start();
  await delivered(id);
  expect(warned).toEqual([]);
  time.set(-5_000);
  engine.sweep();
  await until('the report', () => warned.length > 0);
  expect(warned).toEqual(['the system clock jumped; adjusting due times']);
});

describe.each(SENDER_MODES)('%s, a fault on this side', (_, senders) => {
  beforeEach(() => prepare(senders));

  it('does not count against the receiver, and the delivery is attempted again soon', async () => {
    resolve = () => Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
    const id = await addDelivery(await addWebhook());
    await engine.start();
    const returned = await until('the delivery comes back', async () => {
      const row = await find(id);
      return row.lease_owner === null && row.lease_token === 1 && row;
    });
    expect(returned).toMatchObject({ status: 'pending', attempt_count: 0, interruptions: 0 });
    expect(await listAttempts(store.read, await find(id))).toEqual([]);
    resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    time.advance(5_001);
    expect(await delivered(id)).toMatchObject({ attempt_count: 1, lease_token: 2 });
  });

  it('by a bug in an attempt is tried again, with the permits of that attempt', async () => {
    bug = new TypeError('a bug');
    const at = await addWebhook();
    // As many as may run at once: none can begin while these hold their permits.
    const all = await Promise.all([1, 2, 3, 4].map(() => addDelivery(at)));
    await engine.start();
    for (const id of all)
      await until('the delivery comes back', async () => {
        const row = await find(id);
        return row.lease_owner === null && row.lease_token === 1;
      });
    bug = null;
    time.advance(5_001);
    for (const id of all) expect(await delivered(id)).toMatchObject({ attempt_count: 1, lease_token: 2 });
  });

  it('with the secret of one webhook does not stop the others', async () => {
    const damaged = await addDelivery(await addWebhook(''));
    const healthy = [];
    for (let count = 0; count < 5; count += 1) healthy.push(await addDelivery(await addWebhook()));
    await engine.start();
    for (const id of healthy) await delivered(id);
    // The delivery had no lease at first either, so the test waits until it is held.
    const held = await until('the damaged one is held', async () => {
      const row = await find(damaged);
      return row.status === 'held' && row;
    });
    expect(held).toMatchObject({ lease_owner: null, attempt_count: 0 });
    expect(receiver.calls).toHaveLength(5);
  });

  it('with the database at the time of the record costs no second call', async () => {
    let failures = 0;
    // Fails only after the receiver has been called: the next write is then the record.
    failWrites = () => receiver.calls.length > 0 && (failures += 1) <= 1;
    const id = await addDelivery(await addWebhook());
    await engine.start();
    expect(await delivered(id)).toMatchObject({ attempt_count: 1 });
    expect([failures > 1, receiver.calls.length]).toEqual([true, 1]);
    expect(await listAttempts(store.read, await find(id))).toHaveLength(1);
  });

  it('with the database at the time of the claim is over when the database is back', async () => {
    const at = await addWebhook();
    await engine.start();
    const id = await addDelivery(at);
    let failures = 0;
    failWrites = () => (failures += 1) <= 2;
    engine.wake([at]);
    await until('a first failure', () => failures === 1);
    await until('the engine has tried again', () => {
      time.advance(1_000);
      return failures > 2;
    });
    await delivered(id);
    expect(receiver.calls).toHaveLength(1);
  });
});

describe('a lease', () => {
  beforeEach(() => prepare(0));

  type Place = { workspaceId: string; webhookId: string };
  /** Stores a delivery as its publisher does: leased by this process, which has it after the commit. */
  async function publish(at: Place): Promise<string> {
    const { lease } = engine.prefetch();
    const leased = { due_at: lease.until, lease_owner: lease.owner, lease_token: 1 };
    const row = deliveryRow(at, { ...leased, next_attempt_at: time.clock().toISOString() });
    const [seq = 0] = await store.write((tx) => insertDeliveries(tx, [row]));
    const webhook = (await findWebhookById(store.read, at.webhookId)) ?? expect.fail('It is gone.');
    engine.offer([leasedDelivery({ ...row, seq }, endpointOf(webhook), { body: '{}', bytes: 2 })], lease);
    return row.id;
  }
  async function wake(at: Place): Promise<string> {
    const id = await addDelivery(at);
    engine.wake([at]);
    return id;
  }

  it.each<[what: string, add: (at: Place) => Promise<string>, claims: number]>([
    ['with which a delivery was stored', publish, 0],
    ['with which a delivery was claimed', wake, 1],
  ])('causes no claim when it would have ended: one %s', async (_what, add, claims) => {
    const at = await addWebhook();
    const other = await addWebhook();
    await engine.start();
    await delivered(await add(at));
    time.advance(60_001);
    // By then, the first webhook would have been claimed from, too.
    await delivered(await wake(other));
    expect(claimed.filter((id) => id === at.webhookId)).toHaveLength(claims);
  });

  it.each<[what: string, add: (at: Place) => Promise<string>]>([
    ['stored', publish],
    ['claimed', wake],
  ])(
    'ends by itself, and a sweep finds its delivery: one that was %s and cannot be recorded',
    async (_what, add) => {
      const at = await addWebhook();
      await engine.start();
      recordBug = new TypeError('a bug');
      const id = await add(at);
      await until('the call', () => receiver.calls.length === 1);
      await until('the failure', () => recordBug === null);
      const again = await until('the next attempt', async () => {
        time.advance(5_000);
        const row = await find(id);
        return row.status === 'delivered' && row;
      });
      expect([again.attempt_count, receiver.calls.length]).toEqual([1, 2]);
    },
  );
});

describe('a claim that finds nothing', () => {
  // No call is made before the claim ends, so the number of senders does not matter.
  beforeEach(() => prepare(0));

  it.each(Array.from({ length: 16 }, (_, steps) => steps))(
    'does not lose a wake-up that comes %d steps later',
    async (steps) => {
      const at = await addWebhook();
      await engine.start();
      const { promise: added, resolve: signal } = Promise.withResolvers<string>();
      afterWrite = async () => {
        afterWrite = () => Promise.resolve();
        signal(await addDelivery(at));
        void later(steps, () => engine.wake([at]));
      };
      engine.wake([at]);
      // The clock stands still: only the second wake-up can begin the delivery.
      await delivered(await added);
    },
  );
});

async function later(steps: number, run: () => void): Promise<void> {
  for (let step = 0; step < steps; step += 1) await Promise.resolve();
  run();
}
