import { afterAll, beforeAll, expect, it } from 'vitest';
import { newStranger, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;
const { promise: released, resolve: release } = Promise.withResolvers<void>();

beforeAll(async () => {
  receiver = await startReceiver(async ({ url }) => {
    if (url === '/hangs') await released;
    return { status: 200 };
  });
  workspace = await startWorkspace();
});
afterAll(async () => {
  release();
  await workspace.stop();
  await receiver.stop();
});

async function automate({ api, workspaceId }: TestWorkspace, path: string) {
  const { id: automationId } = await api.call('automations.create', {
    params: { id: workspaceId },
    body: {
      name: 'A',
      trigger: { event: 'event.created', types: ['x'] },
      actions: [{ type: 'call_webhook', url: `${receiver.url}${path}`, retries: 0 }],
    },
  });
  return { id: workspaceId, automationId };
}

it('receivers that hang keep only the runs of their own workspace waiting', async () => {
  const other = await newStranger(workspace);
  const hanging = await automate(workspace, '/hangs');
  const working = await automate(other, '/works');
  const publish = ({ api, workspaceId }: TestWorkspace, count: number) =>
    api.call('events.publishBatch', {
      params: { id: workspaceId },
      body: { events: Array.from({ length: count }, () => ({ type: 'x', payload: {} })) },
    });
  await publish(workspace, 100);
  await until('calls that hang', () => receiver.calls.filter(({ url }) => url === '/hangs').length >= 8);
  await publish(other, 20);
  await until('the others', async () => {
    const { data } = await other.api.call('automations.listRuns', {
      params: working,
      query: { limit: '100' },
    });
    return data.length === 20 && data.every(({ status }) => status === 'succeeded');
  });
  const { data } = await workspace.api.call('automations.listRuns', {
    params: hanging,
    query: { status: 'succeeded' },
  });
  expect(data).toEqual([]);
  expect(receiver.calls.filter(({ url }) => url === '/hangs').length).toBeLessThanOrEqual(24);
});

it('an automation whose conditions are too expensive has a run that says so, and the others run', async () => {
  const conditions = { field: 'event.payload.l[*]', op: 'matches', value: '(?i)a[ab]{60}\\bc' };
  const types = ['costly'];
  // The hanging runs belong to the other workspace.
  const { api, workspaceId } = await newStranger(workspace);
  const params = { id: workspaceId };
  const make = (more: object) =>
    api.call('automations.create', {
      params,
      body: { name: 'A', trigger: { event: 'event.created', types }, ...more },
    });
  const action = { type: 'create_event', event_type: 'never', payload: {} };
  const costly = await make({ conditions, actions: [action] });
  const plain = await make({ actions: [{ ...action, id: 'one', if: conditions }, action] });
  const payload = { l: Array.from({ length: 480 }, () => 'abaabbbabaab'.repeat(170)) };
  await api.call('events.publish', { params, body: { type: 'costly', payload } });

  const runsOf = async (automationId: string) => {
    const { data } = await api.call('automations.listRuns', { params: { ...params, automationId } });
    return data;
  };
  const reason = expect.stringMatching(/^conditions: too expensive to evaluate/) as string;
  expect(await runsOf(costly.id)).toMatchObject([{ status: 'skipped', error: reason }]);
  await until('the other', async () => (await runsOf(plain.id))[0]?.status === 'succeeded');
  const runId = (await runsOf(plain.id))[0]?.id ?? '';
  const { steps } = await api.call('automations.getRun', {
    params: { ...params, automationId: plain.id, runId },
  });
  expect(steps).toMatchObject([
    { status: 'skipped', error: expect.stringMatching(/^if: too expensive to evaluate/) as string },
    { status: 'succeeded', error: null },
  ]);
});

it('templates that take too long to render are errors of their steps, and the steps share the time', async () => {
  const params = { id: workspace.workspaceId };
  const w = 'abcdefghij'.repeat(50_000);
  const { event_id } = await workspace.api.call('events.publish', {
    params,
    body: { type: 'big', payload: { w } },
  });
  const loop = '{% for i in (1..900000) %}{{ event.payload.w | size }}{% endfor %}';
  const { id: automationId } = await workspace.api.call('automations.create', {
    params,
    body: {
      name: 'A',
      trigger: { event: 'manual' },
      actions: Array.from({ length: 20 }, () => ({
        type: 'create_event',
        event_type: 'never',
        payload: {
          sorted: '{{ event.payload.w | slice: 0, 90000 | split: "" | sort_natural | size }}',
          loop,
        },
      })).with(0, { type: 'create_event', event_type: 'never', payload: { sorted: 'x', loop } }),
    },
  });
  const { steps } = await workspace.api.call('automations.test', {
    params: { ...params, automationId },
    body: { event_id },
  });
  expect(steps[0]?.error).toMatch(/takes longer than 100 ms to render/);
  expect(steps[1]?.error).toMatch(/sort_natural takes lists of at most 10000 items/);
});

it('a preview with fifty costly blocks gets a response, which names what could not be rendered', async () => {
  const params = { id: workspace.workspaceId };
  const T = '{% for i in (1..900000) %}{{ event.payload.w | size }}{% endfor %}';
  const { id: templateId } = await workspace.api.call('notificationTemplates.create', {
    params,
    body: { name: 'T', body: { text: 'x' } },
  });
  const block = { type: 'section', text: { type: 'mrkdwn', text: T } };
  const rendered = await workspace.api.call('notificationTemplates.preview', {
    params: { ...params, templateId },
    body: {
      event: { type: 'big', source: 'api', payload: { w: 'x' } },
      body: { text: T, html: T, markdown: T, slack_blocks: Array.from({ length: 50 }, () => block) },
    },
  });
  expect(rendered.text).not.toBe('');
  expect(rendered.problems.map(({ field }) => field)).toEqual([
    'body.text',
    'body.markdown',
    'body.html',
    'body.slack_blocks',
  ]);
});

it('an automation that publishes four events for each of its own publishes a hundred at most, and says why it ends', async () => {
  const { api, workspaceId } = await newStranger(workspace);
  const params = { id: workspaceId };
  const { id: automationId } = await api.call('automations.create', {
    params,
    body: {
      name: 'A',
      trigger: { event: 'event.created', types: ['fan'] },
      actions: Array.from({ length: 4 }, () => ({ type: 'create_event', event_type: 'fan', payload: {} })),
    },
  });
  await api.call('events.publish', { params, body: { type: 'fan', payload: {} } });
  const runs = async () => {
    const { data } = await api.call('automations.listRuns', {
      params: { ...params, automationId },
      query: { limit: '100' },
    });
    return data;
  };
  await until('all runs', async () => {
    const all = await runs();
    return all.length > 20 && all.every(({ status }) => status === 'succeeded' || status === 'failed');
  });
  const all = await runs();
  expect(all.map(({ error }) => error).find((error) => error !== null)).toContain(
    'publish at most 100 events',
  );
  // Each of the first four gets 25 of the 100: itself and 24 more. Each of its own four gets 6, and each of theirs 1.
  const { data } = await api.call('events.list', { params, query: { type: 'fan', limit: '100' } });
  expect(data).toHaveLength(1 + 4 + 16 + 64);
});
