import { randomBytes } from 'node:crypto';
import { openStore } from '../../delivery/support.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let good: Receiver;
let gone: Receiver;

beforeAll(async () => {
  root = await startWorkspace();
  good = await startReceiver();
  gone = await startReceiver(() => ({ status: 410 }));
});
afterAll(async () => {
  await root.stop();
  await Promise.all([good.stop(), gone.stop()]);
});

const publish = (workspace: TestWorkspace, type: string, more: object = {}) =>
  workspace.api.call('events.publish', {
    params: { id: workspace.workspaceId },
    body: { type, payload: {}, ...more },
  });

const subscribe = (workspace: TestWorkspace, url: string, type: string) =>
  workspace.api.call('webhooks.create', {
    body: {
      url,
      events: ['event.created'],
      workspace_id: workspace.workspaceId,
      secret: 's',
      filters: { event_types: [type] },
    },
  });

async function listed(workspace: TestWorkspace, query: Record<string, string>) {
  const { data } = await workspace.api.call('events.list', { params: { id: workspace.workspaceId }, query });
  return data;
}

const types = async (workspace: TestWorkspace, query: Record<string, string>) =>
  (await listed(workspace, query)).map(({ type }) => type);

describe('a list of events', () => {
  it('says with include=deliveries how many of each event are in which state, and narrows by state', async () => {
    const workspace = await newWorkspace(root);
    await subscribe(workspace, good.url, 'a');
    await subscribe(workspace, good.url, 'a');
    await subscribe(workspace, gone.url, 'b');
    for (const type of ['a', 'b', 'c']) await publish(workspace, type);
    const include = { include: 'deliveries' };
    const counts = await until('the end of all deliveries', async () => {
      const data = (await listed(workspace, include)).map(({ deliveries }) => deliveries);
      return JSON.stringify(data).includes('pending') ? undefined : data;
    });
    // A webhook that answers 410 is disabled at once, and its deliveries are held.
    expect(counts).toEqual([{}, { held: 1 }, { delivered: 2 }]);
    expect(await types(workspace, { delivery_status: 'delivered' })).toEqual(['a']);
    expect(await types(workspace, { delivery_status: 'held' })).toEqual(['b']);
    expect(await types(workspace, { delivery_status: 'retrying' })).toEqual([]);
    expect(await types(workspace, { delivery_status: 'held', type: 'a' })).toEqual([]);
    expect((await listed(workspace, {}))[0]).not.toHaveProperty('deliveries');
  });

  it('narrows by integration', async () => {
    const workspace = await newWorkspace(root);
    const { integration_id: id } = await workspace.api.call('integrations.connect', {
      body: { provider: 'custom', workspace_id: workspace.workspaceId, credentials: {} },
    });
    await publish(workspace, 'mine', { integration_id: id });
    await publish(workspace, 'other');
    expect(await types(workspace, { integration_id: id })).toEqual(['mine']);
    const all = await workspace.api.call('events.listAll', { query: { integration_id: id } });
    expect(all.data.map(({ type }) => type)).toEqual(['mine']);
  });

  it('knows a disconnected integration by its events, whatever else the filter asks for', async () => {
    const workspace = await newWorkspace(root);
    const params = { id: workspace.workspaceId };
    const connect = async () => {
      const body = { provider: 'custom', workspace_id: params.id, credentials: {} };
      return (await workspace.api.call('integrations.connect', { body })).integration_id;
    };
    const disconnect = (integrationId: string) =>
      workspace.api.call('integrations.disconnect', { params: { ...params, integrationId } });
    const without = await connect();
    await disconnect(without);
    const published = await connect();
    await publish(workspace, 'mine', { integration_id: published });
    await disconnect(published);
    expect(await types(workspace, { integration_id: published })).toEqual(['mine']);
    expect(await types(workspace, { integration_id: published, type: 'other' })).toEqual([]);
    const all = { query: { integration_id: published, until: '2000-01-01T00:00:00Z' } };
    expect((await workspace.api.call('events.listAll', all)).data).toEqual([]);
    await workspace.api.refused('events.list', 404, { params, query: { integration_id: without } });
  });

  it.each([
    ['integration_id', 'int_nonsense', 404],
    ['delivery_status', 'lost', 400],
    ['include', 'everything', 400],
  ])('refuses %s=%s', async (name, value, status) => {
    const refusal = await root.api.refused('events.list', status, {
      params: { id: root.workspaceId },
      query: { [name]: value },
    });
    if (status === 400) expect(refusal.details?.[0]?.field).toBe(name);
  });

  it('searches a part of a long history at a time, and continues where it stopped', async () => {
    const workspace = await newWorkspace(root);
    const { integration_id: id } = await workspace.api.call('integrations.connect', {
      body: { provider: 'custom', workspace_id: workspace.workspaceId, credentials: {} },
    });
    await publish(workspace, 'needle', { integration_id: id });
    await publish(workspace, 'hay', {});
    await openStore(workspace).write(async (tx) => {
      const { seq: _, ...row } = await tx
        .selectFrom('events')
        .selectAll()
        .where('type', '=', 'hay')
        .executeTakeFirstOrThrow();
      for (let part = 0; part < 12; part++) {
        const hay = Array.from({ length: 500 }, () => ({ ...row, id: randomBytes(16) }));
        await tx.insertInto('events').values(hay).execute();
      }
    });
    const query = { integration_id: id, limit: '1' };
    for (const name of ['events.list', 'events.listAll'] as const) {
      const input = name === 'events.list' ? { params: { id: workspace.workspaceId } } : {};
      const first = await workspace.api.call(name, { ...input, query });
      expect([first.data, first.pagination.has_more]).toEqual([[], true]);
      const cursor = first.pagination.next_cursor ?? '';
      const second = await workspace.api.call(name, { ...input, query: { ...query, cursor } });
      expect(second.data.map(({ type }) => type)).toEqual(['needle']);
      expect(second.pagination).toEqual({ next_cursor: null, has_more: false });
    }
    // A filter with an index needs only one page.
    expect(await types(workspace, { type: 'needle' })).toEqual(['needle']);
  });
});
