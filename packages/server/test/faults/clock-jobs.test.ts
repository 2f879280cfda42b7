import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseServerConfig } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { listJobs } from '../../src/start/operator-jobs.ts';
import { Api } from '../api/support/api.ts';
import { until } from '../api/support/until.ts';
import { TestClock } from '../delivery/test-clock.ts';

const DAY_MS = 24 * 60 * 60_000;

it('a start with the right clock brings back schedules, waits and digests that a clock 40 days ahead stored', async () => {
  const time = new TestClock();
  const data = await mkdtemp(join(tmpdir(), 'hubline-clock-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const config = parseServerConfig({ data, port: 0, logLevel: 'silent', senders: 0, httpThread: 'off' }, {});
  const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
  const params = { id: owner.workspace_id ?? '' };
  let automationId = '';
  const options = { clock: time.clock, timer: time.timer, monotonic: time.monotonic };
  const dueAt = async (kind: string) =>
    (await listJobs(config, { kind })).map(({ due_at }) => Date.parse(due_at ?? ''));

  time.set(40 * DAY_MS);
  {
    await using server = await startServer(config, options);
    const api = new Api(server.baseUrl, owner.api_key ?? '');
    const wait = { type: 'wait', seconds: 10 } as const;
    const trigger = { event: 'schedule', cron: '* * * * *', timezone: 'UTC' } as const;
    const tick = { name: 'Tick', trigger, actions: [wait], enabled: true };
    await api.call('automations.create', { params, body: tick });
    const pausing = {
      name: 'Pause',
      trigger: { event: 'event.created' } as const,
      actions: [wait],
      enabled: true,
    };
    automationId = (await api.call('automations.create', { params, body: pausing })).id;
    const destinations = [{ kind: 'in_app' as const, roles: ['owner' as const] }];
    const digest = { window_seconds: 60 };
    const rule = { name: 'Rule', notify_on: ['event.created' as const], destinations, digest };
    await api.call('notificationRules.create', { params, body: rule });
    await api.call('events.publish', { params, body: { type: 'push', payload: {} } });
    for (const kind of ['automation_schedule', 'automation_run', 'notification_digest'])
      await until(kind, async () => (await dueAt(kind)).some((at) => at > time.clock().getTime()));
  }

  time.set(-40 * DAY_MS);
  await using server = await startServer(config, options);
  const api = new Api(server.baseUrl, owner.api_key ?? '');
  await until('the digest and the run', async () => {
    const { data: inbox } = await api.call('notifications.list', {});
    const { data: runs } = await api.call('automations.listRuns', { params: { ...params, automationId } });
    return inbox.length === 1 && runs[0]?.status === 'succeeded';
  });
  // The schedule did not run early, and waits for the next minute.
  const now = time.clock().getTime();
  await until('the schedule', async () => {
    const [due = 0, ...others] = await dueAt('automation_schedule');
    return others.length === 0 && due > now && due <= now + 60_000;
  });
  expect(await dueAt('notification_digest')).toEqual([]);
});
