import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestWorkspace, startWorkspace } from '../api/support/workspace.ts';
import { until } from '../api/support/until.ts';
import {
  responding,
  deliver,
  deliveriesOf,
  holding,
  newWebhook,
  NOBODY,
  reaches,
  receiver,
  subscribe,
} from './support.ts';
import { TestClock } from './test-clock.ts';

// The clock stands still, so retries wait.
const time = new TestClock();
let root: TestWorkspace & { stop(): Promise<void> };
beforeAll(async () => {
  root = await startWorkspace({ clock: time.clock, timer: time.timer });
});
afterAll(() => root.stop());

describe('a delivery in a list', () => {
  it('shows its event, its URL, and how its last attempt ended', async () => {
    const { url } = await responding(503);
    const workspace = await subscribe(root, url);
    const { id } = await deliver(workspace);
    const { attempts } = await reaches(workspace, id, { status: 'retrying', attempts: 1 });
    const webhook = await workspace.api.call('webhooks.get', { params: { webhookId: workspace.webhookId } });
    const list = await workspace.api.call('deliveries.list', { params: { id: workspace.workspaceId } });
    expect(list.data).toEqual([
      expect.objectContaining({
        id,
        webhook_url: webhook.url,
        event_type: 'event.created',
        event_name: 'push',
        last_attempt: {
          at: attempts[0]?.started_at,
          response_status: 503,
          error_kind: null,
          duration_ms: attempts[0]?.duration_ms,
        },
      }),
    ]);
  });

  it('has no last attempt before the first has ended', async () => {
    const slow = await holding();
    const workspace = await subscribe(root, slow.url);
    expect(await deliver(workspace)).toMatchObject({ attempt_count: 0, last_attempt: null });
    slow.respond(200);
  });

  it('has no URL once its webhook is deleted', async () => {
    const { url } = await receiver();
    const workspace = await subscribe(root, url);
    const { id } = await deliver(workspace);
    await reaches(workspace, id, { status: 'delivered' });
    await workspace.api.call('webhooks.delete', { params: { webhookId: workspace.webhookId } });
    const [delivery] = await deliveriesOf(workspace);
    expect(delivery).toMatchObject({ webhook_url: null, event_name: 'push' });
  });

  it('is found by its event, and by the status, error and duration of its last attempt', async () => {
    const { url } = await responding(500);
    const workspace = await subscribe(root, url);
    const other = await newWebhook(workspace, NOBODY);
    await deliver(workspace);
    await until('both attempts', async () => {
      const all = await deliveriesOf(workspace);
      return all.length === 2 && all.every(({ attempt_count: count }) => count === 1);
    });
    const found = async (query: Record<string, string>) => {
      const params = { id: workspace.workspaceId };
      const { data } = await workspace.api.call('deliveries.list', { params, query });
      return data.map(({ webhook_id: webhook }) => webhook).toSorted();
    };
    const both = [workspace.webhookId, other.id].toSorted();
    expect(await found({ response_status: '500' })).toEqual([workspace.webhookId]);
    expect(await found({ response_status: '502' })).toEqual([]);
    expect(await found({ error_kind: 'connect' })).toEqual([other.id]);
    expect(await found({ event_name: 'push' })).toEqual(both);
    expect(await found({ event_name: 'issue' })).toEqual([]);
    expect(await found({ min_duration_ms: '0' })).toEqual(both);
    expect(await found({ min_duration_ms: '30000' })).toEqual([]);
  });

  it.each([
    'response_status=99',
    'response_status=2xx',
    'error_kind=slow',
    'min_duration_ms=-1',
    'min_duration_ms=1e2',
  ])('refuses the filter %s', async (filter) => {
    const [name = ''] = filter.split('=');
    const path = `/workspaces/${root.workspaceId}/deliveries?${filter}`;
    const { status, json } = await root.api.request('GET', path);
    expect(status).toBe(400);
    expect(json).toMatchObject({ error: { details: [{ field: name }] } });
  });
});

describe('a webhook', () => {
  it('shows its last failed attempt, even after a later success, and latencies of successes only', async () => {
    const { url } = await responding(500, 200);
    const workspace = await subscribe(root, url);
    const params = { webhookId: workspace.webhookId };
    expect(await workspace.api.call('webhooks.get', { params })).toMatchObject({ last_failed_attempt: null });

    const { id } = await deliver(workspace);
    const { attempts } = await reaches(workspace, id, { status: 'retrying', attempts: 1 });
    const failure = {
      at: attempts[0]?.started_at,
      response_status: 500,
      error_kind: null,
      duration_ms: attempts[0]?.duration_ms,
    };
    const stats = () => workspace.api.call('workspaces.stats', { params: { id: workspace.workspaceId } });
    // Attempts are counted after they are recorded.
    const counted = (attempts: number) =>
      until(`${attempts} attempts`, async () => {
        const found = await stats();
        return found.attempts.succeeded + found.attempts.failed === attempts && found;
      });
    const first = await counted(1);
    expect(await workspace.api.call('webhooks.get', { params })).toMatchObject({
      failing_since: expect.any(String),
      last_failed_attempt: failure,
    });
    expect(first).toMatchObject({
      attempts: { succeeded: 0, failed: 1 },
      latency: null,
      webhooks: [{ failed: 1, p50_ms: null, p95_ms: null }],
    });

    await workspace.api.call('deliveries.retry', { params: { deliveryId: id } });
    await reaches(workspace, id, { status: 'delivered' });
    const { data } = await workspace.api.call('webhooks.list', {
      query: { workspace_id: workspace.workspaceId },
    });
    expect(data).toEqual([expect.objectContaining({ failing_since: null, last_failed_attempt: failure })]);
    expect(await counted(2)).toMatchObject({ latency: { p50_ms: expect.any(Number) } });
  });
});
