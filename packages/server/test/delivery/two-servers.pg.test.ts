import { idBytes } from '../../src/db/core/columns/columns.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../api/support/api.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import type { ReceivedCall } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';
import { startAnother, through } from '../peers/two-processes.ts';
import { deliveriesOf, holding, newWebhook, openStore, publish, receiver, subscribe } from './support.ts';

let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  root = await startWorkspace();
});
afterAll(() => root.stop());

// The concurrency limit of a webhook that has not been called yet.
const LIMIT = 4;

const publishMany = ({ api, workspaceId }: TestWorkspace, count: number) =>
  api.call('events.publishBatch', {
    params: { id: workspaceId },
    body: { events: Array.from({ length: count }, () => ({ type: 'push', payload: {} })) },
  });
const idsOf = (calls: readonly ReceivedCall[]) => new Set(calls.map(({ headers }) => headers['webhook-id']));

describe('two servers on one database', () => {
  it('send each delivery once, whichever of them has stored it, for the same webhooks', async () => {
    const other = await startAnother(root);
    const witness = await receiver();
    const workspace = await newWorkspace(root);
    for (let index = 0; index < 30; index += 1) await newWebhook(workspace, `${witness.url}/${index}`);
    await Promise.all([publishMany(workspace, 20), publishMany(through(other, workspace), 20)]);
    await until('all arrive', () => idsOf(witness.calls).size === 1_200);
    await until('all are recorded', async () =>
      (await deliveriesOf(workspace)).every(({ status }) => status === 'delivered'),
    );
    expect(witness.calls).toHaveLength(1_200);
  });

  it('hand over what waits in the prefetch buffer when one of them stops', async () => {
    const first = await startAnother(root);
    const slow = await holding();
    const there = await subscribe(root, slow.url);
    await publishMany(through(first, there), 20);
    await until('the first attempts', () => slow.waiting() > 0);
    const store = openStore(root);
    const leased = () =>
      store.read
        .selectFrom('deliveries')
        .select('lease_owner')
        .where('webhook_id', '=', idBytes(there.webhookId))
        .where('lease_owner', 'is not', null)
        .execute();
    const owners = (await leased()).map(({ lease_owner: owner }) => owner);
    expect(owners).toEqual(Array(20).fill(owners[0]));
    const stopped = first.stop();
    // Other servers may take the deliveries at once.
    await until('the others are given back', async () => {
      const left = await leased();
      return left.filter(({ lease_owner: owner }) => owner === owners[0]).length === LIMIT;
    });
    // The first server still waits for its attempts.
    await startAnother(root);
    await until('the next takes the others', () => slow.calls.length > LIMIT);
    await until('all arrive', () => {
      slow.respond(200);
      return idsOf(slow.calls).size === 20;
    });
    slow.respond(200);
    await stopped;
    await until('all are recorded', async () =>
      (await deliveriesOf(there)).every(({ status }) => status === 'delivered'),
    );
    expect(slow.calls).toHaveLength(20);
  });

  it('refuse on one a key that was revoked on the other, in every request from a second later on', async () => {
    const other = await startAnother(root);
    const { workspaceId } = await newWorkspace(root);
    const { id, key } = await root.api.call('apiKeys.create', {
      params: { id: workspaceId },
      body: { name: 'stolen', scopes: ['*'] },
    });
    const theirs = new Api(other.baseUrl, key);
    const read = async () => (await theirs.send('workspaces.get', { params: { id: workspaceId } })).status;
    expect(await read()).toBe(200);
    await root.api.call('apiKeys.revoke', { params: { id: workspaceId, keyId: id } });
    const since = performance.now();
    for (;;) {
      const began = performance.now() - since;
      if ((await read()) === 401) break;
      expect(began).toBeLessThan(1_000);
    }
  });

  it('send the next event that is published on one to the webhooks as they were changed on the other', async () => {
    const other = await startAnother(root);
    const witness = await receiver();
    const there = await subscribe(root, `${witness.url}/0`);
    const elsewhere = through(other, there);
    const paths = () => witness.calls.map(({ url }) => url);
    const expected: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      await publish(elsewhere, { round });
      expected.push(`/${round}`);
      await until('it arrives', () => witness.calls.length === expected.length);
      await root.api.call('webhooks.update', {
        params: { webhookId: there.webhookId },
        body: { url: `${witness.url}/${round + 1}` },
      });
    }
    await root.api.call('webhooks.delete', { params: { webhookId: there.webhookId } });
    const last = await newWebhook(there, `${witness.url}/last`);
    await publish(elsewhere, { round: 'last' });
    await until('the last arrives', () => paths().includes('/last'));
    expect(paths()).toEqual([...expected, '/last']);
    expect((await deliveriesOf(there))[0]).toMatchObject({ webhook_id: last.id });
  });
});
