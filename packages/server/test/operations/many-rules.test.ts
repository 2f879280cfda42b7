import SQLite from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';

// Inserts the rows directly: ten thousand requests would take a minute.
let workspace: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace.stop());

it('a workspace has at most ten thousand rules; an event skips those that are not about it, and finds the one that is', async () => {
  const { api, workspaceId } = workspace;
  const params = { id: workspaceId };
  const rule = (types: string[]) => ({
    name: 'R',
    notify_on: ['event.created'],
    types,
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
  });
  await api.call('notificationRules.create', { params, body: rule(['rare']) });
  const db = new SQLite(join(workspace.server.data, 'hubline.db'));
  const columns = (db.pragma('table_info(notification_rules)') as { name: string }[]).map(({ name }) => name);
  const copied = columns.map((name) => (name === 'id' ? "'nrl_' || printf('%026d', i)" : name));
  db.exec(`
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 9998)
    insert into notification_rules (${columns.join()}) select ${copied.join()} from notification_rules, n`);
  db.close();
  await api.call('notificationRules.create', { params, body: rule(['frequent']) });
  const refused = await api.refused('notificationRules.create', 422, { params, body: rule(['x']) });
  expect(refused.message).toContain('10000 notification rules');

  const events = Array.from({ length: 100 }, () => ({ type: 'frequent', payload: {} }));
  await api.call('events.publishBatch', { params, body: { events } });
  await until('the notifications', async () => {
    const { unread } = await api.call('notifications.unread', {});
    return unread === 100;
  });
});
