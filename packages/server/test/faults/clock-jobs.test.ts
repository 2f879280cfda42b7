import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseServerConfig } from '../../src/config/config.ts';
import { startServer } from '../../src/server.ts';
import { bootstrap } from '../../src/start/bootstrap.ts';
import { listJobs, retryJob } from '../../src/start/operator-jobs.ts';
import { withStorage } from '../../src/start/storage/with-storage.ts';
import { Api } from '../api/support/api.ts';
import { until } from '../api/support/until.ts';
import { startWorkspace } from '../api/support/workspace.ts';
import { TestClock } from '../delivery/test-clock.ts';

const DAY_MS = 24 * 60 * 60_000;

it.each([40, 2])(
  'a start with the right clock brings back schedules, waits and digests that a clock %i days ahead stored',
  async (days) => {
    const time = new TestClock();
    const data = await mkdtemp(join(tmpdir(), 'hubline-clock-'));
    onTestFinished(() => rm(data, { recursive: true }));
    const config = parseServerConfig(
      { data, port: 0, logLevel: 'silent', senders: 0, httpThread: 'off' },
      {},
    );
    const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
    const params = { id: owner.workspace_id ?? '' };
    let automationId = '';
    const options = { clock: time.clock, timer: time.timer, monotonic: time.monotonic };
    const dueAt = async (kind: string) =>
      (await listJobs(config, { kind })).map(({ due_at }) => Date.parse(due_at ?? ''));

    time.set(days * DAY_MS);
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

    time.set(-days * DAY_MS);
    await using server = await startServer(config, options);
    const api = new Api(server.baseUrl, owner.api_key ?? '');
    // Both wait as long as they would have waited.
    time.advance(60_000);
    await until('the digest and the run', async () => {
      const { data: inbox } = await api.call('notifications.list', {});
      const { data: runs } = await api.call('automations.listRuns', { params: { ...params, automationId } });
      return inbox.length === 1 && runs[0]?.status === 'succeeded';
    });
    // The schedule waits for the next minute.
    const now = time.clock().getTime();
    await until('the schedule', async () => {
      const [due = 0, ...others] = await dueAt('automation_schedule');
      return others.length === 0 && due > now && due <= now + 60_000;
    });
    expect(await dueAt('notification_digest')).toEqual([]);
  },
);

it('an automation that waits for two hours goes on after them, even if the clock is set back by one', async () => {
  const time = new TestClock();
  const workspace = await startWorkspace({
    clock: time.clock,
    timer: time.timer,
    monotonic: time.monotonic,
  });
  onTestFinished(() => workspace.stop());
  const { api, workspaceId } = workspace;
  const params = { id: workspaceId };
  const pausing = {
    name: 'Pause',
    trigger: { event: 'event.created' } as const,
    actions: [{ type: 'wait', seconds: 7_200 } as const],
    enabled: true,
  };
  const { id: automationId } = await api.call('automations.create', { params, body: pausing });
  await api.call('events.publish', { params, body: { type: 'push', payload: {} } });
  const resumesIn = async () => {
    const { data } = await api.call('automations.listRuns', { params: { ...params, automationId } });
    return Date.parse(data[0]?.resume_at ?? '') - time.clock().getTime();
  };
  await until('the wait', async () => (await resumesIn()) === 7_200_000);
  time.set(-3_600_000);
  time.advance(30_000);
  await until('the jobs have moved', async () => (await resumesIn()) === 7_170_000);
  time.advance(7_170_000);
  await until('the end of the run', async () => {
    const { data } = await api.call('automations.listRuns', { params: { ...params, automationId } });
    return data[0]?.status === 'succeeded';
  });
});

it('a start with the right clock leaves a schedule alone', async () => {
  const data = await mkdtemp(join(tmpdir(), 'hubline-clock-'));
  onTestFinished(() => rm(data, { recursive: true }));
  const config = parseServerConfig({ data, port: 0, logLevel: 'silent', senders: 0, httpThread: 'off' }, {});
  const owner = await bootstrap(config, { email: 'owner@example.com', name: 'Acme', slug: 'acme' });
  const yearly = {
    name: 'Yearly',
    trigger: { event: 'schedule', cron: '0 9 1 1 *', timezone: 'UTC' } as const,
    actions: [{ type: 'wait', seconds: 10 } as const],
    enabled: true,
  };
  {
    await using server = await startServer(config);
    const api = new Api(server.baseUrl, owner.api_key ?? '');
    await api.call('automations.create', { params: { id: owner.workspace_id ?? '' }, body: yearly });
  }
  await using _ = await startServer(config);
  const alive = async () => (await listJobs(config, { kind: 'note_alive' }))[0];
  const before = await alive();
  await retryJob(config, String(before?.id));
  await until('a poll', async () => String((await alive())?.due_at) > String(before?.due_at));
  const leases = await withStorage(config, ({ store }) =>
    store.read.selectFrom('jobs').select('lease_token').where('kind', '=', 'automation_schedule').execute(),
  );
  expect(leases).toEqual([{ lease_token: 0 }]);
});
