import { afterAll, beforeAll, expect, it } from 'vitest';
import { cancelRecoveries } from '../../../src/db/webhooks/recoveries.ts';
import { deleteWebhook } from '../../../src/db/webhooks/webhooks.ts';
import { changing } from '../../peers/changing.ts';
import { until } from '../support/until.ts';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';

let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  root = await startWorkspace();
});
afterAll(() => root.stop());

it.each(['webhooks.recover', 'deliveries.retryAll'] as const)(
  '%s of a webhook that another process is deleting finds no webhook',
  async (name) => {
    const workspace = await newWorkspace(root);
    const { workspaceId: id } = workspace;
    const { id: webhookId } = await workspace.api.call('webhooks.create', {
      body: { url: 'http://localhost:65535', events: ['*'], workspace_id: id, secret: 's3cret' },
    });
    const deleting = await changing(workspace, async (tx) => {
      const webhook = { id: webhookId, workspace_id: id };
      await deleteWebhook(tx, webhook);
      await cancelRecoveries(tx, webhook, new Date().toISOString());
    });
    const input =
      name === 'webhooks.recover'
        ? { params: { webhookId }, body: { since: '2000-01-01T00:00:00Z' } }
        : { params: { id }, body: { webhook_id: webhookId } };
    let isOver = false;
    const sent = workspace.api.send(name, input).finally(() => (isOver = true));
    await until('the request waits or is over', async () => isOver || deleting.isWaitedFor());
    await deleting.commit();
    const { status, text } = await sent;
    expect(`${status} ${text}`).toMatch(/^404 /);
  },
);
