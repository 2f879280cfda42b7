import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseServerConfig } from '../../../src/config/config.ts';
import { openStorage } from '../../../src/start/storage/open-storage.ts';
import { newKey, newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;
const released = Promise.withResolvers<void>();
// The calls that are made at once to a receiver that has not responded yet.
const AT_FIRST = 4;
beforeAll(async () => {
  root = await startWorkspace();
  // It responds only after the deletion, so that deliveries wait.
  receiver = await startReceiver(() => released.promise.then(() => ({ status: 200 })));
});
afterAll(async () => {
  await root.stop();
  await receiver.stop();
});

describe('a deleted workspace with many rows', () => {
  it('is gone for everybody at once, although a job removes its rows', async () => {
    const workspace = await newWorkspace(root);
    const { api, workspaceId } = workspace;
    const params = { id: workspaceId };
    const { slug } = await api.call('workspaces.get', { params });
    const { key } = await newKey(workspace);
    const { ingest, integration_id: integrationId } = await api.call('integrations.connect', {
      body: { provider: 'custom', workspace_id: workspaceId, credentials: { verification: 'none' } },
    });
    const { id: webhookId } = await api.call('webhooks.create', {
      body: { url: receiver.url, events: ['*'], workspace_id: workspaceId, secret: 's3cret' },
    });
    const events = Array.from({ length: 1_000 }, (_, n) => ({ type: 'deploy', payload: { n } }));
    await api.call('events.publishBatch', { params, body: { events } });
    const { data } = await api.call('deliveries.list', { params });
    await until('the first calls have come', () => receiver.calls.length === AT_FIRST);
    await api.call('workspaces.delete', { params });
    released.resolve();

    const refused = [
      api.send('workspaces.get', { params }),
      api.send('events.list', { params }),
      api.send('webhooks.get', { params: { webhookId } }),
      api.send('integrations.get', { params: { integrationId } }),
      api.send('deliveries.get', { params: { deliveryId: data[0]?.id ?? '' } }),
      api.send('events.publish', { params, body: { type: 'late', payload: {} } }),
    ];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(refused.map(() => 404));
    expect((await api.as(key).send('workspaces.list', {})).status).toBe(401);
    expect((await fetch(ingest.url, { method: 'POST', body: '{}' })).status).toBe(404);
    const { data: listed } = await api.call('workspaces.list', {});
    expect(listed.map(({ id }) => id)).not.toContain(workspaceId);
    const again = await api.call('workspaces.create', { body: { name: 'Again', slug } });
    expect(again.slug).toBe(slug);

    const config = parseServerConfig({ ...root.server.storage, logLevel: 'silent' }, {});
    const { store } = await openStorage(config, new Date());
    await until('its rows are gone', async () => {
      const rows = await store.read
        .selectFrom('workspaces')
        .select('id')
        .where('id', '=', workspaceId)
        .execute();
      return rows.length === 0;
    });
    expect(await store.read.selectFrom('deliveries').select('seq').limit(1).execute()).toEqual([]);
    await store.close();
    // The responses made room for more calls, and none was made.
    expect(receiver.calls.length).toBe(AT_FIRST);
  });
});
