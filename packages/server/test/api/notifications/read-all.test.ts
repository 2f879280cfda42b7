import { expect, it, onTestFinished } from 'vitest';
import { parseServerConfig } from '../../../src/config/config.ts';
import type { Deps } from '../../../src/context.ts';
import { enqueue } from '../../../src/jobs/enqueue.ts';
import { notificationDigestJob } from '../../../src/services/notifications/messages/notification-digest-job.ts';
import { openStorage } from '../../../src/start/storage/open-storage.ts';
import { startWorkspace } from '../support/workspace.ts';
import { until } from '../support/until.ts';

it('very many notifications are marked as read in steps: some at once, the others soon', async () => {
  const { api, server, workspaceId, stop } = await startWorkspace();
  onTestFinished(stop);
  const config = parseServerConfig({ ...server.storage, logLevel: 'silent' }, {});
  const { store } = await openStorage(config, new Date());
  onTestFinished(() => store.close());
  const { user_id } = await store.read.selectFrom('members').select('user_id').executeTakeFirstOrThrow();
  const rows = Array.from({ length: 1_200 }, (_, n) => ({
    id: `ntf_${n}`,
    user_id,
    workspace_id: workspaceId,
    rule_id: null,
    trigger: 'event.created' as const,
    event_id: null,
    resource_id: null,
    severity: 'none' as const,
    title: 'x',
    text: 'x',
    read_at: null,
    created_at: Date.now(),
  }));
  await store.write((tx) => tx.insertInto('notifications').values(rows).execute());
  const unread = async () => (await api.call('notifications.unread', {})).unread;
  await until('the notifications', async () => (await unread()) === rows.length);
  expect((await api.call('notifications.readAll', { body: {} })).unread).toBe(700);
  await until('all are read', async () => (await unread()) === 0);
});

it('a digest of very many messages ends them in steps, and is sent once', async () => {
  let deps: Deps | undefined;
  const left: number[] = [];
  const countLeft = async () => {
    const rows = await deps?.store.read
      .selectFrom('notification_messages')
      .select('seq')
      .where('status', '=', 'collecting')
      .execute();
    return rows?.length ?? 0;
  };
  const { api, workspaceId, userId, stop } = await startWorkspace({
    companion(own) {
      deps = own;
      const { write } = own.store;
      own.store.write = async (unit, options) => {
        const result = await write.call(own.store, unit, options);
        left.push(await countLeft());
        return result as never;
      };
      return { stop: () => Promise.resolve() };
    },
  });
  onTestFinished(stop);
  const params = { id: workspaceId };
  const { id: rule } = await api.call('notificationRules.create', {
    params,
    body: {
      name: 'Weekly',
      notify_on: ['event.created'],
      destinations: [{ kind: 'in_app', user_ids: [userId] }],
      digest: { window_seconds: 604_800 },
    },
  });
  const now = Date.now();
  const rows = Array.from({ length: 1_700 }, (_, n) => ({
    id: `msg_${n}`,
    workspace_id: workspaceId,
    rule,
    occurrence: `evt_${String(n).padStart(5, '0')}`,
    trigger: 'event.created' as const,
    event_id: null,
    kind: 'in_app' as const,
    destination: JSON.stringify({ kind: 'in_app', user_id: userId }),
    recipient: 'owner@example.com',
    content: JSON.stringify({ subject: 'x', text: `x ${n}` }),
    status: 'collecting' as const,
    reason: null,
    attempts: 0,
    digest_key: '',
    dedupe_key: null,
    next_attempt_at: now,
    created_at: now,
    completed_at: null,
  }));
  const payload = { workspace_id: workspaceId, rule, digest_key: '', until: now };
  await deps?.store.write(async (tx) => {
    for (let start = 0; start < rows.length; start += 500)
      await tx
        .insertInto('notification_messages')
        .values(rows.slice(start, start + 500))
        .execute();
    const job = { kind: notificationDigestJob, key: 'weekly', payload };
    await enqueue(tx, { vault: (deps as Deps).vault, now: new Date(now) }, job);
  });
  deps?.jobs.wake();
  await until('the end of the digest', async () => (await countLeft()) === 0);
  const { data } = await api.call('notifications.list', {});
  expect(data.map(({ title }) => title)).toEqual(['Weekly: 1700 notifications']);
  const ends = left.slice(left.indexOf(rows.length));
  expect(Math.max(...ends.map((count, index) => (ends[index - 1] ?? count) - count))).toBeLessThanOrEqual(
    500,
  );
});
