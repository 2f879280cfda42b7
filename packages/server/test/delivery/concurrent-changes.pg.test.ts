import pg from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { idBytes } from '../../src/db/core/columns/columns.ts';
import { type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';
import {
  responding,
  deliver,
  deliveriesOf,
  fence,
  holding,
  newWebhook,
  NOBODY,
  publish,
  reaches,
  read,
  receiver,
  subscribe,
} from './support.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.stop());

/** Another transaction on the database, which the test stops in the middle of its work. */
async function otherTransaction() {
  const { databaseUrl } = workspace.server.storage as { databaseUrl: string };
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  const waiting = async () => {
    // Not pg_stat_activity: in a transaction it keeps to what it has shown first, and a connection that is opened later would be missed.
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
    );
    return rows.length > 0;
  };
  return { run: (sql: string, ...values: unknown[]) => client.query(sql, values), waiting };
}

const ENABLE = `update webhooks set status = 'active', disabled_reason = null, disabled_at = null where id = $1`;
const DISABLE = `update webhooks set status = 'disabled', disabled_reason = 'gone', disabled_at = $2 where id = $1`;
const NOW = '2026-01-01T00:00:00.000Z';

const setStatus = (webhookId: string, status: 'active' | 'disabled') =>
  workspace.api.call('webhooks.update', { params: { webhookId }, body: { status } });

it('an attempt that fails while its webhook is being enabled is retried, and not held forever', async () => {
  const slow = await holding();
  const there = await subscribe(workspace, slow.url);
  // A webhook that fails already is not written again by a further failure.
  await publish(there);
  await until('the first attempt', () => slow.waiting() === 1);
  slow.respond(500);
  const { webhookId } = there;
  await until('it is known to fail', async () => {
    const { failing_since } = await workspace.api.call('webhooks.get', { params: { webhookId } });
    return failing_since !== null;
  });
  const delivery = await deliver(there);
  await until('the second attempt', () => slow.waiting() === 1);
  await setStatus(webhookId, 'disabled');
  const enabling = await otherTransaction();
  await enabling.run(ENABLE, webhookId);
  // The transaction that enables has released the held deliveries, and is about to commit.
  slow.respond(500);
  const heldNow = async () => (await read(workspace, delivery.id)).status === 'held';
  await until('the result is recorded, or waits', async () => (await enabling.waiting()) || heldNow());
  await enabling.run('commit');
  await until('it is recorded', async () => (await read(workspace, delivery.id)).attempt_count === 1);
  expect(await read(workspace, delivery.id)).toMatchObject({ status: 'retrying' });
});

it('a webhook that an attempt disables while somebody renames it stays disabled', async () => {
  const slow = await holding();
  const { webhookId } = await subscribe(workspace, slow.url);
  const disabling = await otherTransaction();
  await disabling.run(DISABLE, webhookId, NOW);
  const renamed = workspace.api.call('webhooks.update', { params: { webhookId }, body: { name: 'Orders' } });
  await until('the new name waits', () => disabling.waiting());
  await disabling.run('commit');
  expect(await renamed).toMatchObject({ name: 'Orders', status: 'disabled', disabled_reason: 'gone' });
});

it('a delivery that arrives while somebody retries it stays delivered', async () => {
  const slow = await holding();
  const there = await subscribe(workspace, slow.url);
  const { id } = await deliver(there);
  await until('the first attempt', () => slow.waiting() === 1);
  slow.respond(500);
  await until('it waits for the second', async () => (await read(workspace, id)).status === 'retrying');
  const recording = await otherTransaction();
  await recording.run(
    'select seq from deliveries where webhook_id = $1 for update',
    idBytes(there.webhookId),
  );
  const retried = workspace.api.send('deliveries.retry', { params: { deliveryId: id } });
  await until('the retry waits', () => recording.waiting());
  await recording.run(
    'update deliveries set status = 2, due_at = null where webhook_id = $1',
    idBytes(there.webhookId),
  );
  await recording.run('commit');
  expect((await retried).status).toBe(409);
  expect(await deliveriesOf(there)).toMatchObject([{ status: 'delivered' }]);
});

it('a delivery that is recovered while its webhook is being enabled is sent, and not held forever', async () => {
  const witness = await receiver();
  const { webhookId, ...there } = await subscribe(workspace, witness.url);
  const { id } = await deliver(there);
  await reaches(workspace, id, { status: 'delivered' });
  await setStatus(webhookId, 'disabled');
  const failing = await otherTransaction();
  await failing.run('update deliveries set status = 3 where webhook_id = $1', idBytes(webhookId));
  await failing.run('commit');
  const enabling = await otherTransaction();
  await enabling.run(ENABLE, webhookId);
  const started = await workspace.api.call('deliveries.retryAll', {
    params: { id: there.workspaceId },
    body: {},
  });
  const recovery = () => workspace.api.call('recoveries.get', { params: { recoveryId: started.id } });
  const isOver = async () => (await recovery()).completed_at !== null;
  await until('the recovery waits, or is over', async () => (await enabling.waiting()) || isOver());
  expect(await recovery()).toMatchObject({ matched: 1 });
  await enabling.run('commit');
  await until('it is sent', () => witness.calls.length === 2);
});

it('the event that another webhook is disabled is sent to a webhook that is being enabled, and not held forever', async () => {
  const gone = await responding(410);
  const witness = await receiver();
  const there = await subscribe(workspace, gone.url);
  const { id } = await newWebhook(there, witness.url, { events: ['webhook.disabled'] });
  await setStatus(id, 'disabled');
  const enabling = await otherTransaction();
  await enabling.run(ENABLE, id);
  await publish(there);
  const isStored = async () => (await deliveriesOf(there)).some(({ webhook_id }) => webhook_id === id);
  await until('the event waits, or is stored', async () => (await enabling.waiting()) || isStored());
  await enabling.run('commit');
  await until('it is sent', () => witness.calls.length === 1);
});

it('an event for a disabled webhook locks none of its held deliveries', async () => {
  const { webhookId, ...there } = await subscribe(workspace, NOBODY);
  await setStatus(webhookId, 'disabled');
  await publish(there);
  await publish(there);
  await fence(workspace);
  const looking = await otherTransaction();
  const { rows } = await looking.run(
    `select xmax::text as locker from deliveries where webhook_id = $1`,
    idBytes(webhookId),
  );
  expect(rows).toEqual([{ locker: '0' }, { locker: '0' }]);
});
