import { expect, it, onTestFinished } from 'vitest';
import { parseServerConfig } from '../../../src/config/config.ts';
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
