import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { newWorkspace, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;
const SECRET = 'a secret that only the sender knows';

/** The used and the allowed bytes of each budget, as `/metrics` shows them. */
async function budgetsOf(workspace: TestWorkspace): Promise<Map<string, { used: number; limit: number }>> {
  const text = await (await fetch(`${workspace.server.url}/metrics`)).text();
  const figures = (name: string) =>
    new Map(
      [...text.matchAll(new RegExp(`^hubline_budget_${name}_bytes\\{budget="(\\w+)"\\} (\\S+)$`, 'gm'))].map(
        ([, budget = '', bytes]) => [budget, Number(bytes)],
      ),
    );
  const limits = figures('limit');
  return new Map(
    [...figures('used')].map(([budget, used]) => [budget, { used, limit: limits.get(budget) ?? 0 }]),
  );
}

/** Sends a request and never reads the response. */
function askAndIgnore(workspace: TestWorkspace, path: string): void {
  const { hostname, port } = new URL(workspace.server.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).pause();
  socket.write(
    `GET /v1/workspaces/${workspace.workspaceId}${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${workspace.api.key}\r\n\r\n`,
  );
}

it('large calls, streams and pages that nobody reads, all at once, stay within the budgets, and others are served', async () => {
  const root = await startWorkspace({ stallMs: 4_000 });
  onTestFinished(() => root.stop());
  const workspace = await newWorkspace(root);
  const neighbor = await newWorkspace(root);
  const { ingest } = await workspace.api.call('integrations.connect', {
    body: {
      provider: 'custom',
      workspace_id: workspace.workspaceId,
      credentials: { verification: 'hmac', secret: SECRET, header: 'x-signature' },
    },
  });
  const filler = `[${'{"a":1,"b":[1,2,3]},'.repeat(350_000)}{}]`;
  const send = async (id: number): Promise<number> => {
    const body = `{"id": ${id}, "items": ${filler}}`;
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    const headers = { 'Content-Type': 'application/json', 'X-Signature': signature };
    const response = await fetch(ingest.url, { method: 'POST', headers, body });
    await response.text();
    return response.status;
  };
  for (const id of [1, 2, 3]) expect(await send(id)).toBe(202);

  for (let each = 0; each < 100; each++) askAndIgnore(workspace, '/events/stream?since=2020-01-01T00:00:00Z');
  for (let each = 0; each < 8; each++) askAndIgnore(workspace, '/events?limit=100');
  const attack = { ended: false };
  const calls = Promise.all(Array.from({ length: 12 }, (_, index) => send(10 + index))).finally(
    () => (attack.ended = true),
  );
  const seen = new Map<string, number>();
  while (!attack.ended) {
    for (const [budget, { used, limit }] of await budgetsOf(root)) {
      expect(used, budget).toBeLessThanOrEqual(limit);
      seen.set(budget, Math.max(seen.get(budget) ?? 0, used));
    }
    await neighbor.api.call('events.publish', {
      params: { id: neighbor.workspaceId },
      body: { type: 'calm', payload: {} },
    });
  }
  const statuses = await calls;
  expect(statuses).toContain(202);
  expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
  // Otherwise the attack has proven nothing.
  for (const budget of ['bodies', 'responses', 'streams'])
    expect(seen.get(budget), budget).toBeGreaterThan(6 * MIB);
  await until('everything to be given back', async () =>
    [...(await budgetsOf(root)).values()].every(({ used }) => used === 0),
  );
});

it('an export of large entries takes little memory, and gives it back when nobody reads it', async () => {
  const root = await startWorkspace({ stallMs: 1_000 });
  onTestFinished(() => root.stop());
  const { api, workspaceId } = root;
  const { id } = await api.call('webhooks.create', {
    body: {
      url: 'https://app.example.com/hook',
      events: ['*'],
      workspace_id: workspaceId,
      secret: 'a secret of the receiver',
    },
  });
  const changes = 150;
  for (let change = 0; change < changes; change++) {
    const names = Array.from({ length: 100 }, (_, index) => `${change} ${index} `.padEnd(200, '-'));
    const filters = { event_types: names, sources: names, resource_ids: names };
    await api.call('webhooks.update', { params: { webhookId: id }, body: { filters } });
  }
  const used = async () => (await budgetsOf(root)).get('streams')?.used ?? 0;
  askAndIgnore(root, '/audit-log?format=csv');
  await until('an export under way', async () => (await used()) > 0);
  expect(await used()).toBeLessThan(4 * MIB);
  await until('an export that is cut off', async () => (await used()) === 0);
  const { text } = await api.send('auditLog.list', { params: { id: workspaceId }, query: { format: 'csv' } });
  expect(text.match(/"webhook\.updated"/g)).toHaveLength(changes);
});
