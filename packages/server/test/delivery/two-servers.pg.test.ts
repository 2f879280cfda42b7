import { idBytes } from '../../src/db/core/columns.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parseServerConfig } from '../../src/config.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import { Api } from '../api/support/api.ts';
import { newWorkspace, type Place, startPlace } from '../api/support/place.ts';
import type { ReceivedCall } from '../api/support/receiver.ts';
import { until } from '../api/support/until.ts';
import { deliveriesOf, holding, newWebhook, openStore, receiver, subscribe } from './place.ts';

let place: Place & { stop(): Promise<void> };
beforeAll(async () => {
  place = await startPlace();
});
afterAll(() => place.stop());

/** Another server on the same database. */
async function startAnother(): Promise<RunningServer> {
  const flags = { ...place.server.storage, port: 0, allowHttpLocalhost: true, rateLimit: 10_000_000 };
  const server = await startServer(parseServerConfig({ ...flags, logLevel: 'silent' }, {}));
  onTestFinished(() => server.stop());
  return server;
}

/** A place as seen through that server. */
const through = (server: RunningServer, there: Place): Place => ({
  ...there,
  api: new Api(server.baseUrl, place.server.apiKey),
});

const publishMany = ({ api, workspaceId }: Place, count: number) =>
  api.call('events.publishBatch', {
    params: { id: workspaceId },
    body: { events: Array.from({ length: count }, () => ({ type: 'push', payload: {} })) },
  });
const idsOf = (calls: readonly ReceivedCall[]) => new Set(calls.map(({ headers }) => headers['webhook-id']));

describe('two servers on one database', () => {
  it('deliver once what each of them has stored, for the same webhooks', async () => {
    const other = await startAnother();
    const witness = await receiver();
    const workspace = await newWorkspace(place);
    for (let index = 0; index < 30; index += 1) await newWebhook(workspace, `${witness.url}/${index}`);
    await Promise.all([publishMany(workspace, 20), publishMany(through(other, workspace), 20)]);
    await until('all arrive', () => idsOf(witness.calls).size === 1_200);
    await until('all are recorded', async () =>
      (await deliveriesOf(workspace)).every(({ status }) => status === 'delivered'),
    );
    expect(witness.calls).toHaveLength(1_200);
  });

  it('hand over what waits in the prefetch buffer when one of them stops', async () => {
    const first = await startAnother();
    const slow = await holding();
    const there = await subscribe(place, slow.url);
    await publishMany(through(first, there), 20);
    await until('the first attempts', () => slow.waiting() > 0);
    const store = openStore(place);
    const leased = () =>
      store.read
        .selectFrom('deliveries')
        .select('lease_owner')
        .where('webhook_id', '=', idBytes(there.webhookId))
        .where('lease_owner', 'is not', null)
        .execute();
    expect(await leased()).toHaveLength(20);
    const stopped = first.stop();
    await until('the others are given back', async () => (await leased()).length === 4);
    // It still waits for its attempts.
    await startAnother();
    await until('the next takes the others', () => slow.calls.length > 4);
    await until('all arrive', () => {
      slow.answer(200);
      return idsOf(slow.calls).size === 20;
    });
    slow.answer(200);
    await stopped;
    await until('all are recorded', async () =>
      (await deliveriesOf(there)).every(({ status }) => status === 'delivered'),
    );
    expect(slow.calls).toHaveLength(20);
  });
});
