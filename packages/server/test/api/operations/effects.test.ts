import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStore } from '../../delivery/support.ts';
import { type FakeGithub, startFakeGithub } from '../support/stand-ins/fake-github.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

// The effects of a request after its commit (email, wake-ups, calls to providers) can fail. The committed change
// remains.

let github: FakeGithub;
let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  github = await startFakeGithub();
  root = await startWorkspace({ env: { HUBLINE_GITHUB_API_URL: github.url } });
});
afterAll(async () => {
  await root.stop();
  await github.stop();
});

/** A workspace with a GitHub integration and an unreadable webhook, as after a damaged disk. */
async function damaged(): Promise<TestWorkspace & { integrationId: string }> {
  const workspace = await newWorkspace(root);
  const { integration_id: integrationId } = await workspace.api.call('integrations.connect', {
    body: {
      provider: 'github',
      workspace_id: workspace.workspaceId,
      credentials: { token: 'ghp_works', repository: 'octo/web' },
    },
  });
  await openStore(workspace).write((tx) =>
    tx.updateTable('integrations').set({ hook: '{"id":' }).where('id', '=', integrationId).execute(),
  );
  return { ...workspace, integrationId };
}

it('disconnecting succeeds although the webhook at the provider cannot be removed', async () => {
  const { api, workspaceId, integrationId } = await damaged();
  const params = { id: workspaceId, integrationId };
  expect(await api.send('integrations.disconnect', { params })).toMatchObject({ status: 204, text: '' });
  expect((await api.send('integrations.get', { params: { integrationId } })).status).toBe(404);
});

it('deleting a workspace succeeds although a webhook cannot be removed, and still ends its streams', async () => {
  const { api, workspaceId } = await damaged();
  const stream = await fetch(`${api.baseUrl}/workspaces/${workspaceId}/events/stream`, {
    headers: { Authorization: `Bearer ${api.key}` },
  });
  expect(stream.status).toBe(200);
  const ended = stream.text();
  expect((await api.send('workspaces.delete', { params: { id: workspaceId } })).status).toBe(204);
  // The stream ends long before the next heartbeat, at which it would notice anyway.
  expect(await ended).toBe(': connected\nretry: 1000\n\n');
});
