import { afterAll, beforeAll, expect, it } from 'vitest';
import { newStranger, type Place, startPlace } from '../support/place.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';

let place: Place & { stop(): Promise<void> };
let receiver: Receiver;
const { promise: released, resolve: release } = Promise.withResolvers<void>();

beforeAll(async () => {
  receiver = await startReceiver(async ({ url }) => {
    if (url === '/hangs') await released;
    return { status: 200 };
  });
  place = await startPlace();
});
afterAll(async () => {
  release();
  await place.stop();
  await receiver.stop();
});

async function automate({ api, workspaceId }: Place, path: string) {
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
  const other = await newStranger(place);
  const hanging = await automate(place, '/hangs');
  const working = await automate(other, '/works');
  const publish = ({ api, workspaceId }: Place, count: number) =>
    api.call('events.publishBatch', {
      params: { id: workspaceId },
      body: { events: Array.from({ length: count }, () => ({ type: 'x', payload: {} })) },
    });
  await publish(place, 100);
  await until('calls that hang', () => receiver.calls.filter(({ url }) => url === '/hangs').length >= 8);
  await publish(other, 20);
  await until('the others', async () => {
    const { data } = await other.api.call('automations.listRuns', {
      params: working,
      query: { limit: '100' },
    });
    return data.length === 20 && data.every(({ status }) => status === 'succeeded');
  });
  const { data } = await place.api.call('automations.listRuns', {
    params: hanging,
    query: { status: 'succeeded' },
  });
  expect(data).toEqual([]);
  expect(receiver.calls.filter(({ url }) => url === '/hangs').length).toBeLessThanOrEqual(24);
});

it('an automation whose conditions take too much work has a run that says so, and the others run', async () => {
  const conditions = { field: 'event.payload.l[*]', op: 'matches', value: '(?i)a[ab]{60}\\bc' };
  const types = ['costly'];
  const params = { id: place.workspaceId };
  const make = (more: object) =>
    place.api.call('automations.create', {
      params,
      body: { name: 'A', trigger: { event: 'event.created', types }, ...more },
    });
  const wait = { type: 'create_event', event_type: 'never', payload: {} };
  const costly = await make({ conditions, actions: [wait] });
  const plain = await make({ actions: [{ ...wait, id: 'one', if: conditions }, wait] });
  const payload = { l: Array.from({ length: 480 }, () => 'abaabbbabaab'.repeat(170)) };
  await place.api.call('events.publish', { params, body: { type: 'costly', payload } });

  const runsOf = async (automationId: string) => {
    const { data } = await place.api.call('automations.listRuns', { params: { ...params, automationId } });
    return data;
  };
  const reason = expect.stringMatching(/^conditions: not evaluated: .*too much work/) as string;
  expect(await runsOf(costly.id)).toMatchObject([{ status: 'skipped', error: reason }]);
  await until('the other', async () => (await runsOf(plain.id))[0]?.status === 'succeeded');
  const runId = (await runsOf(plain.id))[0]?.id ?? '';
  const { steps } = await place.api.call('automations.getRun', {
    params: { ...params, automationId: plain.id, runId },
  });
  expect(steps).toMatchObject([
    { status: 'skipped', error: expect.stringMatching(/^if: not evaluated/) as string },
    { status: 'succeeded', error: null },
  ]);
});
