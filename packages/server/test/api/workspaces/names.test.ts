import { afterAll, beforeAll, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
beforeAll(async () => {
  root = await startWorkspace();
  workspace = await newWorkspace(root);
});
afterAll(() => root.stop());

const newest = async () =>
  (
    await workspace.api.call('auditLog.list', {
      params: { id: workspace.workspaceId },
      query: { limit: '1' },
    })
  ).data[0];

it('a webhook has a name, which can be changed and removed, and is in the audit log', async () => {
  const body = {
    url: 'https://example.com/a',
    events: ['*'],
    workspace_id: workspace.workspaceId,
    secret: 'sixteen letters.',
  };
  const { id, name } = await workspace.api.call('webhooks.create', { body: { ...body, name: 'Billing' } });
  expect(name).toBe('Billing');
  const params = { webhookId: id };
  expect((await workspace.api.call('webhooks.update', { params, body: { name: 'Invoices' } })).name).toBe(
    'Invoices',
  );
  expect(await newest()).toMatchObject({
    targets: [{ id, name: 'Invoices' }],
    changes: [{ field: 'name', from: 'Billing', to: 'Invoices' }],
  });
  expect((await workspace.api.call('webhooks.update', { params, body: { description: 'x' } })).name).toBe(
    'Invoices',
  );
  expect((await workspace.api.call('webhooks.update', { params, body: { name: null } })).name).toBeNull();
  expect((await workspace.api.call('webhooks.create', { body })).name).toBeNull();
  await workspace.api.refused('webhooks.update', 400, { params, body: { name: '' } });
});

it('an integration has a name, which changes independently of its settings', async () => {
  const connect = { provider: 'custom', workspace_id: workspace.workspaceId, credentials: {} };
  const { integration_id: id, name } = await workspace.api.call('integrations.connect', {
    body: { ...connect, name: 'Alerts', config: { channel: '#ops' } },
  });
  expect(name).toBe('Alerts');
  const params = { integrationId: id };
  const renamed = await workspace.api.call('integrations.update', { params, body: { name: 'Pages' } });
  expect(renamed).toMatchObject({ name: 'Pages', config: { channel: '#ops' } });
  expect(await newest()).toMatchObject({
    targets: [{ id, name: 'Pages' }],
    changes: [{ field: 'name', from: 'Alerts', to: 'Pages' }],
  });
  const changed = await workspace.api.call('integrations.update', { params, body: { config: {} } });
  expect(changed).toMatchObject({ name: 'Pages', config: {} });
  const { data } = await workspace.api.call('integrations.list', { params: { id: workspace.workspaceId } });
  expect(data.map((each) => each.name)).toEqual(['Pages']);
  const created = await workspace.api.call('integrations.create', {
    body: { type: 'custom', workspace_id: workspace.workspaceId, config: {} },
  });
  expect(created.name).toBeNull();
});
