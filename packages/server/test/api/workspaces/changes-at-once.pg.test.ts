import { afterAll, beforeAll, expect, it } from 'vitest';
import { findIntegration, updateIntegration } from '../../../src/db/integrations/integrations.ts';
import { lockWorkspace, updateWorkspace } from '../../../src/db/workspaces/workspaces.ts';
import { changing } from '../../peers/changing.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { startWorkspace, type TestWorkspace, unique } from '../support/workspace.ts';

// Each change leaves the parts alone that it does not name.

let workspace: TestWorkspace & { stop(): Promise<void> };
let github: Receiver;
beforeAll(async () => {
  github = await startReceiver(({ method, url }) =>
    url === '/user'
      ? { status: 200, body: { login: 'octocat' } }
      : { status: method === 'POST' ? 201 : 204, body: { id: 7 } },
  );
  workspace = await startWorkspace({ env: { HUBLINE_GITHUB_API_URL: github.url } });
});
afterAll(async () => {
  await workspace.stop();
  await github.stop();
});

async function connect(provider: string, credentials: object): Promise<string> {
  const { integration_id } = await workspace.api.call('integrations.connect', {
    body: { provider, workspace_id: workspace.workspaceId, credentials },
  });
  return integration_id;
}

/** Changes the row of an integration in another process, as an update or a reconnect does. */
const changingRow = (integrationId: string, changes: Parameters<typeof updateIntegration>[2]) =>
  changing(workspace, async (tx) => {
    const { workspaceId } = workspace;
    await lockWorkspace(tx, workspaceId);
    const row = await findIntegration(tx, workspaceId, integrationId);
    if (row) await updateIntegration(tx, row, changes);
  });

it('of a workspace, two changes at the same time are both stored', async () => {
  const { api, workspaceId: id } = workspace;
  const renaming = await changing(workspace, async (tx) => {
    await lockWorkspace(tx, id);
    await updateWorkspace(tx, id, { name: 'Renamed' });
  });
  const slug = unique('moved');
  const sent = api.call('workspaces.update', { params: { id }, body: { slug } });
  await until('the request', renaming.isWaitedFor);
  await renaming.commit();
  expect(await sent).toMatchObject({ name: 'Renamed', slug });
});

it('of an integration, two changes at the same time are both stored', async () => {
  const integrationId = await connect('custom', {});
  const renaming = await changingRow(integrationId, { name: 'Renamed' });
  const config = { channel: '#ops' };
  const sent = workspace.api.call('integrations.update', { params: { integrationId }, body: { config } });
  await until('the request', renaming.isWaitedFor);
  await renaming.commit();
  expect(await sent).toMatchObject({ name: 'Renamed', config });
});

it('a webhook that a reconnect stores during a disconnect is removed at its provider', async () => {
  const integrationId = await connect('github', { token: 'ghp_good', repository: 'octo/web' });
  const reconnecting = await changingRow(integrationId, { hook: '{"path":"/repos/octo/web/hooks/8"}' });
  const sent = workspace.api.call('integrations.disconnect', {
    params: { id: workspace.workspaceId, integrationId },
  });
  await until('the request', reconnecting.isWaitedFor);
  await reconnecting.commit();
  await sent;
  const removed = () => github.calls.filter(({ method }) => method === 'DELETE').map(({ url }) => url);
  await until('the removal', () => removed().length > 0);
  expect(removed()).toEqual(['/repos/octo/web/hooks/8']);
});
