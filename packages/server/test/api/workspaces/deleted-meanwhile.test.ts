import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReadResponse } from '../support/api.ts';
import { newWorkspace, type TestWorkspace, startWorkspace, unique } from '../support/workspace.ts';

let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  root = await startWorkspace();
});
afterAll(() => root.stop());

/** Writes that are under way while their workspace is deleted. */
function writesIn({ api, workspaceId }: TestWorkspace): Promise<ReadResponse>[] {
  const params = { id: workspaceId };
  return [
    api.send('events.publish', { params, body: { type: 'push', payload: {} } }),
    api.send('events.publishBatch', { params, body: { events: [{ type: 'push', payload: {} }] } }),
    api.send('members.invite', { params, body: { email: `${unique('late')}@example.com` } }),
    api.send('apiKeys.create', { params, body: { name: 'late' } }),
    api.send('integrations.connect', {
      body: { provider: 'custom', workspace_id: workspaceId, credentials: {} },
    }),
    api.send('webhooks.create', {
      body: { url: 'http://localhost:65535', events: ['*'], workspace_id: workspaceId, secret: 's3cret' },
    }),
    api.send('deliveries.retryAll', { params, body: {} }),
    api.send('workspaces.update', { params, body: { name: 'Late' } }),
  ];
}

it('a write into a workspace that is deleted in the meantime is done before the deletion, or gets 404', async () => {
  for (let round = 0; round < 3; round += 1) {
    const workspace = await newWorkspace(root);
    const state = { isDeleted: false };
    const deleting = workspace.api.send('workspaces.delete', { params: { id: workspace.workspaceId } });
    void deleting.then(() => (state.isDeleted = true));
    const responses: ReadResponse[] = [];
    while (!state.isDeleted) responses.push(...(await Promise.all(writesIn(workspace))));
    expect((await deleting).status).toBe(204);
    for (const { status, text } of responses) expect(`${status} ${text}`).toMatch(/^(?:20[012]|404) /);
    const late = await Promise.all(writesIn(workspace));
    expect(late.map(({ status }) => status)).toEqual(late.map(() => 404));
  }
});
