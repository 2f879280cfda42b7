import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { newStranger, newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let api: Api;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  root = await startWorkspace();
  workspace = await newWorkspace(root);
  ({ api } = workspace);
});
afterAll(async () => {
  await root.stop();
  await receiver.stop();
});

const bodyOf = (changes: object = {}) => ({
  url: `${receiver.url}/hook`,
  events: ['*'],
  workspace_id: workspace.workspaceId,
  secret: 'a shared secret',
  ...changes,
});
const create = (changes?: object) => api.call('webhooks.create', { body: bodyOf(changes) });
const at = (webhookId: string) => ({ params: { webhookId } });

describe('a webhook', () => {
  it('is registered as active, and its secret is never returned', async () => {
    const made = await create({
      events: ['event.created', 'user.invited', 'event.created'],
      description: 'Ops',
    });
    expect(made).toMatchObject({
      events: ['event.created', 'user.invited'],
      status: 'active',
      filters: null,
      description: 'Ops',
      url: `${receiver.url}/hook`,
    });
    expect(await api.call('webhooks.get', at(made.id))).toEqual(made);
    for (const response of [
      await api.send('webhooks.get', at(made.id)),
      await api.send('webhooks.list', { query: { workspace_id: workspace.workspaceId } }),
      await api.send('auditLog.list', { params: { id: workspace.workspaceId } }),
    ])
      expect(response.text).not.toContain('a shared secret');
  });

  it.each<[object, string]>([
    [{ url: undefined }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'not a url' }, 'url'],
    [{ url: '/hook' }, 'url'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ url: 'http://example.com/hook' }, 'url'],
    [{ url: 'https://me:secret@example.com' }, 'url'],
    [{ url: 'https://example.com/#part' }, 'url'],
    [{ url: 'https://exa\tmple.com' }, 'url'],
    [{ url: `https://example.com/${'x'.repeat(2_048)}` }, 'url'],
    [{ url: 7 }, 'url'],
    [{ events: undefined }, 'events'],
    [{ events: [] }, 'events'],
    [{ events: '*' }, 'events'],
    [{ events: ['pull_request'] }, 'events[0]'],
    [{ events: ['*', ''] }, 'events[1]'],
    [{ secret: undefined }, 'secret'],
    [{ secret: '' }, 'secret'],
    [{ secret: '   ' }, 'secret'],
    [{ secret: '"quoted"' }, 'secret'],
    [{ secret: 'new\nline' }, 'secret'],
    [{ secret: 'x'.repeat(256) }, 'secret'],
    [{ secret: 'nul\u0000' }, 'secret'],
    [{ workspace_id: undefined }, 'workspace_id'],
    [{ workspace_id: null }, 'workspace_id'],
    [{ workspace_id: 5 }, 'workspace_id'],
    [{ filters: { event_types: [] } }, 'filters.event_types'],
    [{ filters: { sources: 'github' } }, 'filters.sources'],
    [{ filters: { resource_ids: [''] } }, 'filters.resource_ids[0]'],
    [{ filters: [] }, 'filters'],
    [{ description: 'x'.repeat(501) }, 'description'],
    [{ description: 'a\u0000b' }, 'description'],
  ])('is refused with 400 for a mistake, which is named: %j', async (changes, field) => {
    const { details, message } = await api.refused('webhooks.create', 400, { body: bodyOf(changes) });
    expect(details?.[0]?.field).toBe(field);
    expect(message).not.toMatch(/quoted|new\nline/);
  });

  it('is refused with the names of all triggers for a misspelled one', async () => {
    const body = bodyOf({ events: ['event.create'] });
    const { details } = await api.refused('webhooks.create', 400, { body });
    expect(details?.[0]?.issue).toMatch(/^must be one of \*, event\.created, .*user\.invited.*; to narrow /);
  });

  it.each([
    'https://127.0.0.2:22/',
    'https://10.0.0.1/',
    'https://169.254.169.254/',
    'https://[fd00::1]/',
    'https://example.com:6379/',
    'https://metadata.google.internal/',
  ])('is refused with 422 for a target that must not be called: %s', async (url) => {
    const { details } = await api.refused('webhooks.create', 422, { body: bodyOf({ url }) });
    expect(details?.[0]?.field).toBe('url');
    const { id } = await create();
    await api.refused('webhooks.update', 422, { ...at(id), body: { url } });
  });

  it('is refused with 404 in a workspace of others, and nothing is stored', async () => {
    const stranger = await newStranger(root);
    for (const workspace_id of [stranger.workspaceId, 'ws_00000000000000000000000000', 'nonsense', ''])
      await api.refused('webhooks.create', 404, { body: bodyOf({ workspace_id }) });
    const { data } = await stranger.api.call('webhooks.list', {
      query: { workspace_id: stranger.workspaceId },
    });
    expect(data).toEqual([]);
  });

  it('is changed field by field', async () => {
    const made = await create();
    const filters = { event_types: ['push'], sources: ['github'], resource_ids: ['octo/repo'] };
    const changed = await api.call('webhooks.update', {
      ...at(made.id),
      body: { events: ['event.created', '*'], filters, description: null, url: 'https://example.com/x%20y' },
    });
    expect(changed).toMatchObject({
      events: ['*'],
      filters,
      url: 'https://example.com/x%20y',
      status: 'active',
    });
    expect(await api.call('webhooks.update', { ...at(made.id), body: { filters: null } })).toMatchObject({
      filters: null,
      events: ['*'],
    });
    // Fields that belong to the server, and secrets, do not change this way.
    const { details } = await api.refused('webhooks.update', 400, {
      ...at(made.id),
      body: {
        url: 'https://example.com/other',
        secret: 'other',
        workspace_id: root.workspaceId,
        id: 'whk_00000000000000000000000000',
        created_at: 'x',
      },
    });
    expect(details?.map(({ field }) => field)).toEqual(['secret', 'workspace_id', 'id', 'created_at']);
    expect(await api.call('webhooks.get', at(made.id))).toMatchObject({ url: 'https://example.com/x%20y' });
    await api.refused('webhooks.update', 400, { ...at(made.id), body: { status: 'paused' } });
    await api.refused('webhooks.update', 400, { ...at(made.id), body: { events: [] } });
    await api.refused('webhooks.update', 400, { ...at(made.id), body: { url: null } });
  });

  it('shows its URL as it was written, while the normalized URL is checked and called', async () => {
    await using other = await startReceiver();
    const { port } = new URL(other.url);
    const written = `http://LocalHost:${port}/a/../h%6fok?b=%7e`;
    const { id } = await create({ url: written, events: ['automation.completed'] });
    expect(await api.call('webhooks.get', at(id))).toMatchObject({ url: written });
    await api.call('webhooks.test', at(id));
    await until('the call', () => other.calls.length === 1);
    expect(other.calls[0]?.url).toBe('/h%6fok?b=%7e');
    const moved = `http://127.1:${port}/./x`;
    await api.call('webhooks.update', { ...at(id), body: { url: moved } });
    const { data } = await api.call('webhooks.list', {
      query: { workspace_id: workspace.workspaceId, limit: '100' },
    });
    expect(data.find((webhook) => webhook.id === id)?.url).toBe(moved);
    await api.refused('webhooks.create', 422, { body: bodyOf({ url: 'https://0xa.1/' }) });
  });

  it('that is deleted is gone, while its deliveries stay readable', async () => {
    const own = await newWorkspace(root);
    const { id } = await create({ workspace_id: own.workspaceId, events: ['event.created'] });
    await api.call('webhooks.update', { ...at(id), body: { status: 'disabled' } });
    await api.call('events.publish', { params: { id: own.workspaceId }, body: { type: 't', payload: {} } });
    await api.call('webhooks.delete', at(id));
    await api.refused('webhooks.get', 404, at(id));
    await api.refused('webhooks.delete', 404, at(id));
    const { data } = await api.call('deliveries.list', { params: { id: own.workspaceId } });
    expect(data).toMatchObject([{ webhook_id: id, status: 'cancelled', next_attempt_at: null }]);
    await api.refused('deliveries.retry', 422, { params: { deliveryId: data[0]?.id ?? '' } });
  });

  it('that is disabled has its deliveries held, and sent when it is enabled', async () => {
    const own = await newWorkspace(root);
    const { id } = await create({ workspace_id: own.workspaceId, events: ['event.created'] });
    await api.call('webhooks.update', { ...at(id), body: { status: 'disabled' } });
    const { event_id } = await api.call('events.publish', {
      params: { id: own.workspaceId },
      body: { type: 't', payload: {} },
    });
    const query = { event_id };
    const list = async () =>
      (await api.call('deliveries.list', { params: { id: own.workspaceId }, query })).data[0];
    expect(await list()).toMatchObject({ status: 'held', attempt_count: 0, next_attempt_at: null });
    await api.refused('webhooks.test', 422, at(id));
    await api.refused('deliveries.retry', 422, { params: { deliveryId: (await list())?.id ?? '' } });
    expect(await api.call('webhooks.enable', at(id))).toMatchObject({ status: 'active' });
    expect(await api.call('webhooks.enable', at(id))).toMatchObject({ status: 'active' });
    await until('the delivery', async () => (await list())?.status === 'delivered');
  });
});

describe('a rotated secret', () => {
  it('is generated and shown once, or taken from the caller and not shown', async () => {
    const { id } = await create();
    const generated = await api.call('webhooks.rotateSecret', { ...at(id), body: {} });
    expect(generated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(generated.previous_valid_until).toBeNull();
    const given = await api.call('webhooks.rotateSecret', {
      ...at(id),
      body: { secret: 'chosen by hand', overlap_seconds: 3_600 },
    });
    expect(given.secret).toBeUndefined();
    expect(Date.parse(given.previous_valid_until ?? '')).toBeGreaterThan(Date.now());
    for (const body of [
      { secret: '' },
      { secret: ' x' },
      { overlap_seconds: -1 },
      { overlap_seconds: 604_801 },
      { overlap_seconds: '1' },
    ])
      await api.refused('webhooks.rotateSecret', 400, { ...at(id), body });
  });
});

describe('a second rotation', () => {
  it('does not end the overlap of the first, unless it has none itself', async () => {
    const { id } = await create();
    const rotate = (overlap_seconds: number) => ({
      ...at(id),
      body: { secret: `secret ${overlap_seconds}`, overlap_seconds },
    });
    const { previous_valid_until: end } = await api.call('webhooks.rotateSecret', rotate(3_600));
    const refused = await api.refused('webhooks.rotateSecret', 409, rotate(60));
    expect(refused.details).toEqual([
      { field: 'overlap_seconds', issue: expect.stringContaining(String(end)) as string },
    ]);
    const signatures = async () => {
      const { id: delivery } = await api.call('webhooks.test', { ...at(id), body: {} });
      const call = await until('the call', () =>
        receiver.calls.find(({ headers }) => headers['webhook-id'] === delivery),
      );
      return String(call.headers['webhook-signature']).split(' ').length;
    };
    expect(await signatures()).toBe(2);
    expect(await api.call('webhooks.rotateSecret', rotate(0))).toMatchObject({ previous_valid_until: null });
    expect(await signatures()).toBe(1);
    await api.call('webhooks.rotateSecret', rotate(60));
  });
});

describe('a test call', () => {
  it.each(['event.created', 'automation.completed', 'integration.connected', 'user.invited'])(
    'simulates %s, whatever the webhook is subscribed to',
    async (event_type) => {
      const { id } = await create({ events: ['user.invited'], filters: { sources: ['nowhere'] } });
      const delivery = await api.call('webhooks.test', { ...at(id), body: { event_type } });
      expect(delivery).toMatchObject({ webhook_id: id, event_type, trigger: 'test', event_id: null });
      const detail = await until('the test call', async () => {
        const read = await api.call('deliveries.get', { params: { deliveryId: delivery.id } });
        return read.status === 'delivered' && read;
      });
      expect(detail.attempts).toMatchObject([
        { attempt: 1, trigger: 'test', response_status: 200, error: null },
      ]);
      const call = receiver.calls.find(({ headers }) => headers['webhook-id'] === delivery.id);
      expect(call?.body).toBe(detail.request_body);
      expect(JSON.parse(detail.request_body ?? '')).toMatchObject({
        id: delivery.id,
        type: event_type,
        workspace_id: workspace.workspaceId,
      });
    },
  );

  it('sends an event that somebody edited, to this webhook alone, as if it was published', async () => {
    const { id } = await create({ filters: { sources: ['nowhere'] } });
    await create();
    const payload = '{"build": 12345678901234567890, "price": 1.10}';
    const { id: delivery } = await api.call('webhooks.test', {
      ...at(id),
      text: `{"event": {"type": "deploy", "source": "ci", "payload": ${payload}}}`,
    });
    const sent = () => receiver.calls.filter(({ body }) => body.includes(payload));
    await until('the call', () => sent().length > 0);
    const [call, ...others] = sent();
    expect(others).toEqual([]);
    expect(call?.body).toContain(`"payload":${payload}`);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      id: delivery,
      type: 'event.created',
      data: {
        integration_id: null,
        integration_type: 'api',
        event_source: 'ci',
        event_id: expect.stringMatching(/^evt_/),
        event_type: 'deploy',
      },
    });
    const stored = { params: { id: workspace.workspaceId }, query: { type: 'deploy', source: 'ci' } };
    expect((await api.call('events.list', stored)).data).toEqual([]);
    await api.refused('webhooks.test', 400, {
      ...at(id),
      body: { event_type: 'user.invited', event: { type: 'deploy', payload: {} } },
    });
  });

  it('simulates event.created by default, and nothing that does not exist', async () => {
    const { id } = await create();
    expect(await api.call('webhooks.test', at(id))).toMatchObject({ event_type: 'event.created' });
    await api.refused('webhooks.test', 400, { ...at(id), body: { event_type: 'push' } });
  });
});

describe('a subscription', () => {
  it('gets the triggers that it names, and no others', async () => {
    const own = await newWorkspace(root);
    const subscribe = (changes: object) => create({ workspace_id: own.workspaceId, ...changes });
    const all = await subscribe({});
    const invited = await subscribe({ events: ['user.invited'] });
    const pushes = await subscribe({ events: ['event.created'], filters: { event_types: ['push', 'tag'] } });
    const fromCi = await subscribe({ filters: { sources: ['ci'], event_types: ['push'] } });
    const id = own.workspaceId;
    const publish = (type: string, source: string) =>
      api.call('events.publish', { params: { id }, body: { type, source, payload: {} } });
    await publish('push', 'ci');
    await publish('push', 'api');
    await publish('deploy', 'ci');
    await api.call('members.invite', { params: { id }, body: { email: 'somebody@example.com' } });
    const { integration_id } = await api.call('integrations.connect', {
      body: { provider: 'custom', workspace_id: id, credentials: {} },
    });
    const { data } = await api.call('deliveries.list', { params: { id }, query: { limit: '100' } });
    const of = (webhook: { id: string }) =>
      data
        .filter(({ webhook_id }) => webhook_id === webhook.id)
        .map(({ event_type }) => event_type)
        .sort();
    expect(of(all)).toEqual([
      'event.created',
      'event.created',
      'event.created',
      'integration.connected',
      'user.invited',
    ]);
    expect(of(invited)).toEqual(['user.invited']);
    expect(of(pushes)).toEqual(['event.created', 'event.created']);
    expect(of(fromCi)).toEqual(['event.created']);

    // A disconnect removes the webhooks that are limited to that integration.
    const about = (resource_ids: string[]) => subscribe({ filters: { resource_ids } });
    const [alone, amongOthers] = [await about([integration_id]), await about([integration_id, 'octo/repo'])];
    await api.call('integrations.disconnect', { params: { id, integrationId: integration_id } });
    await api.refused('webhooks.get', 404, at(alone.id));
    await api.call('webhooks.get', at(amongOthers.id));
  });
});
