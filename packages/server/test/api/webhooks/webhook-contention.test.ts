import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;

beforeAll(async () => {
  let calls = 0;
  receiver = await startReceiver(() => ({ status: (calls += 1) % 3 === 0 ? 500 : 200 }));
  workspace = await startWorkspace();
});
afterAll(async () => {
  await workspace.stop();
  await receiver.stop();
});

// On PostgreSQL, units of work that lock the same rows in different orders deadlock, and one of them fails.
it('a webhook can be changed and deleted while it is busy', async () => {
  for (let round = 0; round < 8; round += 1) {
    const ids = await Promise.all(
      [null, { per_second: 100 }, null, { per_second: 50 }].map(async (rate_limit) => {
        const body = {
          url: receiver.url,
          events: ['*'],
          workspace_id: workspace.workspaceId,
          secret: 's3cret',
        };
        return (await workspace.api.call('webhooks.create', { body: { ...body, rate_limit } })).id;
      }),
    );
    const params = { id: workspace.workspaceId };
    const events = Array.from({ length: 100 }, () => ({ type: 'deploy', payload: {} }));
    await workspace.api.call('events.publishBatch', { params, body: { events } });
    const before = receiver.calls.length;
    await until('many calls', () => receiver.calls.length > before + 20 * round);
    const [first = '', second = '', ...others] = ids;
    const busy = [
      workspace.api.send('webhooks.update', { params: { webhookId: first }, body: { status: 'disabled' } }),
      workspace.api.send('webhooks.enable', { params: { webhookId: first } }),
      workspace.api.send('webhooks.update', { params: { webhookId: second }, body: { status: 'disabled' } }),
      workspace.api.send('deliveries.retryAll', { params, body: { statuses: ['delivered', 'retrying'] } }),
      ...others.map((webhookId) => workspace.api.send('webhooks.delete', { params: { webhookId } })),
    ];
    const responses = (await Promise.all(busy)).concat(
      await Promise.all(
        [first, second].map((webhookId) => workspace.api.send('webhooks.delete', { params: { webhookId } })),
      ),
    );
    expect(responses.filter(({ status }) => status >= 400).map(({ text }) => text)).toEqual([]);
  }
});

it('a webhook is enabled, disabled and deleted with hundreds of open deliveries, and each of them follows', async () => {
  const { api, workspaceId } = workspace;
  const { id: webhookId } = await api.call('webhooks.create', {
    body: { url: receiver.url, events: ['*'], workspace_id: workspaceId, secret: 's3cret' },
  });
  const setStatus = (status: 'active' | 'disabled') =>
    api.call('webhooks.update', { params: { webhookId }, body: { status } });
  const publish = () => {
    const events = Array.from({ length: 700 }, () => ({ type: 'deploy', payload: {} }));
    return api.call('events.publishBatch', { params: { id: workspaceId }, body: { events } });
  };
  const withStatus = async (status: 'held' | 'pending' | 'cancelled') =>
    (
      await api.call('deliveries.list', {
        params: { id: workspaceId },
        query: { webhook_id: webhookId, status, limit: '1' },
      })
    ).data.length > 0;
  await setStatus('disabled');
  await publish();
  const before = receiver.calls.length;

  await setStatus('active');
  await until('no delivery to be held', async () => !(await withStatus('held')));
  await until('a call for each', () => receiver.calls.length >= before + 700);

  await setStatus('disabled');
  await publish();
  // Some deliveries still follow the first change when the next one comes.
  await setStatus('active');
  await setStatus('disabled');
  await until('all open deliveries are held', async () => !(await withStatus('pending')));
  await api.call('webhooks.delete', { params: { webhookId } });
  await until('all held deliveries are cancelled', async () => !(await withStatus('held')));
  expect(await withStatus('cancelled')).toBe(true);
  expect(await withStatus('pending')).toBe(false);
});
