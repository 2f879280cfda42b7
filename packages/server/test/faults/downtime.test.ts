import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@hubline/contract';
import { expect, it, onTestFinished } from 'vitest';
import { parseServerConfig } from '../../src/config/config.ts';
import { type RunningServer, startServer } from '../../src/server.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { Api } from '../api/support/api.ts';
import { until } from '../api/support/until.ts';
import { responding, SECRET } from '../delivery/support.ts';
import { TestClock } from '../delivery/test-clock.ts';

const MINUTE_MS = 60_000;

it('the time in which no server ran is not time in which a webhook failed', async () => {
  const time = new TestClock();
  const data = await mkdtemp(join(tmpdir(), 'hubline-downtime-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const flags = {
    data,
    port: 0,
    logLevel: 'silent',
    allowHttpLocalhost: true,
    senders: 0,
    httpThread: 'off',
  } as const;
  const config = parseServerConfig(flags, {});
  const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
  const workspaceId = owner.workspace_id ?? '';
  const start = () =>
    startServer(config, { clock: time.clock, timer: time.timer, monotonic: time.monotonic });
  const broken = await responding(500);
  let webhookId = '';
  /** Publishes an event, waits for its first attempt, and returns what has become of the webhook. */
  const failAgain = async ({ baseUrl }: RunningServer) => {
    const api = new Api(baseUrl, owner.api_key);
    const params = { id: workspaceId };
    const webhook = { workspace_id: workspaceId, url: broken.url, events: ['event.created'], secret: SECRET };
    webhookId ||= (await api.call('webhooks.create', { body: webhook })).id;
    const calls = broken.calls.length;
    await api.call('events.publish', { params, body: { type: 'push', payload: {} } });
    await until('the attempt', () => broken.calls.length > calls);
    return until('its result', async () => {
      const { data: deliveries } = await api.call('deliveries.list', { params });
      if (deliveries[0]?.attempt_count === 0) return false;
      const { status, failing_since } = await api.call('webhooks.get', { params: { webhookId } });
      const { data: inbox } = await api.call('notifications.list', {});
      return {
        status,
        failingMs: time.clock().getTime() - Date.parse(failing_since ?? ''),
        told: inbox.length,
      };
    });
  };

  {
    await using server = await start();
    expect(await failAgain(server)).toMatchObject({ status: 'active', failingMs: 0, told: 0 });
  }
  for (let again = 0; again < 2; again += 1) {
    time.set(LIMITS.failingMaxMs);
    await using server = await start();
    expect(await failAgain(server)).toMatchObject({ status: 'active', failingMs: 0, told: 0 });
  }
  // A restart, and the time in which a server runs, count.
  time.set(MINUTE_MS);
  await using server = await start();
  expect(await failAgain(server)).toMatchObject({ status: 'active', failingMs: MINUTE_MS });
  time.advance(LIMITS.failingMaxMs);
  expect(await failAgain(server)).toMatchObject({ status: 'disabled' });
});
