import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { parseServerConfig, type ServerConfig } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';
import { Api } from '../api/support/api.ts';
import { type Receiver, startReceiver } from '../api/support/stand-ins/receiver.ts';
import { until } from '../api/support/until.ts';

const EVENTS = 1_000;

let data: string;
let config: ServerConfig;
let receiver: Receiver;
let gate: { promise: Promise<void>; resolve(): void };

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'hubline-recovery-'));
  const flags = {
    data,
    port: 0,
    allowHttpLocalhost: true,
    logLevel: 'silent',
    synchronous: 'NORMAL',
  } as const;
  config = parseServerConfig(flags, {});
  gate = Promise.withResolvers<void>();
  gate.resolve();
  receiver = await startReceiver(async () => {
    await gate.promise;
    return { status: 200 };
  });
});
afterEach(async () => {
  await receiver.stop();
  await rm(data, { recursive: true, force: true });
});

it('a recovery does not flood a slow webhook, and continues after a restart until everything was sent once more', async () => {
  const owner = await bootstrap(config, { email: 'ana@example.com', name: 'Acme', slug: 'acme' });
  const params = { id: owner.workspace_id ?? '' };
  const first = await startServer(config);
  const api = new Api(first.baseUrl, owner.api_key);
  const { id: webhookId } = await api.call('webhooks.create', {
    body: { url: receiver.url, events: ['event.created'], workspace_id: params.id, secret: 's3cret' },
  });
  const events = Array.from({ length: EVENTS }, (_, n) => ({ type: 'deploy', payload: { n } }));
  await api.call('events.publishBatch', { params, body: { events } });
  await until('the deliveries', () => receiver.calls.length === EVENTS);
  await until('their records', async () => {
    const { data } = await api.call('deliveries.list', { params, query: { status: 'pending' } });
    return data.length === 0;
  });

  gate = Promise.withResolvers<void>();
  const body = { since: '2020-01-01T00:00:00Z', statuses: ['delivered'] };
  const { id: recoveryId } = await api.call('webhooks.recover', { params: { webhookId }, body });
  const before = await until('a beginning', async () => {
    const recovery = await api.call('recoveries.get', { params: { recoveryId } });
    return recovery.done >= 300 && recovery;
  });
  expect(before).toMatchObject({ status: 'running', matched: EVENTS });
  // The recovery waits for the webhook, however often its turn comes in the meantime.
  for (let reads = 0; reads < 50; reads += 1) {
    const { done } = await api.call('recoveries.get', { params: { recoveryId } });
    expect(done).toBeLessThan(EVENTS / 2);
  }
  const stopped = first.stop();
  gate.resolve();
  await stopped;
  expect(receiver.calls.length).toBeLessThan(2 * EVENTS);

  const second = await startServer(config);
  const again = new Api(second.baseUrl, owner.api_key);
  const after = await until('the end', async () => {
    const recovery = await again.call('recoveries.get', { params: { recoveryId } });
    return recovery.completed_at !== null && recovery;
  });
  expect(after).toMatchObject({ status: 'done', matched: EVENTS, done: EVENTS });
  await until('every delivery a second time', () => {
    const ids = receiver.calls.map((call) => call.headers['x-service-delivery']);
    return ids.length === 2 * EVENTS && new Set(ids).size === EVENTS;
  });
  await second.stop();
});

it('a recovery is cancelled when its webhook is deleted', async () => {
  const owner = await bootstrap(config, { email: 'ana@example.com', name: 'Acme', slug: 'acme' });
  const params = { id: owner.workspace_id ?? '' };
  await using server = await startServer(config);
  const api = new Api(server.baseUrl, owner.api_key);
  const { id: webhookId } = await api.call('webhooks.create', {
    body: { url: receiver.url, events: ['event.created'], workspace_id: params.id, secret: 's3cret' },
  });
  const events = Array.from({ length: EVENTS }, (_, n) => ({ type: 'deploy', payload: { n } }));
  await api.call('events.publishBatch', { params, body: { events } });
  await until('the records', async () => {
    const { data } = await api.call('deliveries.list', { params, query: { status: 'pending' } });
    return data.length === 0;
  });
  gate = Promise.withResolvers<void>();
  const body = { since: '2020-01-01T00:00:00Z', statuses: ['delivered'] };
  const { id: recoveryId } = await api.call('webhooks.recover', { params: { webhookId }, body });
  await until('a beginning', async () => {
    const recovery = await api.call('recoveries.get', { params: { recoveryId } });
    return recovery.done >= 300;
  });
  await api.call('webhooks.delete', { params: { webhookId } });
  const recovery = await api.call('recoveries.get', { params: { recoveryId } });
  expect(recovery).toMatchObject({ status: 'cancelled' });
  expect(recovery.completed_at).not.toBeNull();
  gate.resolve();
});

it('a recovery of all webhooks sends everything to those that respond while another hangs, and continues there after a restart', async () => {
  const owner = await bootstrap(config, { email: 'ana@example.com', name: 'Acme', slug: 'acme' });
  const params = { id: owner.workspace_id ?? '' };
  const healthy = await startReceiver();
  const first = await startServer(config);
  const api = new Api(first.baseUrl, owner.api_key);
  for (const { url } of [receiver, healthy])
    await api.call('webhooks.create', {
      body: { url, events: ['event.created'], workspace_id: params.id, secret: 's3cret' },
    });
  const events = Array.from({ length: EVENTS }, (_, n) => ({ type: 'deploy', payload: { n } }));
  await api.call('events.publishBatch', { params, body: { events } });
  await until('the records', async () => {
    const { data } = await api.call('deliveries.list', { params, query: { status: 'pending' } });
    return data.length === 0;
  });
  gate = Promise.withResolvers<void>();
  const body = { statuses: ['delivered'] };
  const { id: recoveryId } = await api.call('deliveries.retryAll', { params, body });
  await until('everything a second time where it is taken', () => healthy.calls.length === 2 * EVENTS);
  const before = await api.call('recoveries.get', { params: { recoveryId } });
  expect(before).toMatchObject({ status: 'running', matched: 2 * EVENTS });
  expect(before.done).toBeLessThan(1.5 * EVENTS);
  const stopped = first.stop();
  gate.resolve();
  await stopped;

  await using second = await startServer(config);
  const again = new Api(second.baseUrl, owner.api_key);
  const after = await until('the end', async () => {
    const recovery = await again.call('recoveries.get', { params: { recoveryId } });
    return recovery.completed_at !== null && recovery;
  });
  expect(after).toMatchObject({ status: 'done', matched: 2 * EVENTS, done: 2 * EVENTS });
  await until('every delivery a second time', () => {
    const ids = receiver.calls.map((call) => call.headers['x-service-delivery']);
    return ids.length === 2 * EVENTS && new Set(ids).size === EVENTS;
  });
  expect(healthy.calls).toHaveLength(2 * EVENTS);
  await healthy.stop();
});
