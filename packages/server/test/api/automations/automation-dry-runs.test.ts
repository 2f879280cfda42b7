import { expect, it } from 'vitest';
import { unique } from '../support/workspace.ts';
import { useAutomations } from './use-automations.ts';

const hub = useAutomations();
const { call, callsTo, create, newestRun, publish, runsOf } = hub;

it('a dry run shows every verdict and every rendered action, and runs none', async () => {
  const type = unique('dry');
  const step = call({
    id: 'board',
    payload: { number: '{{ event.payload.number }}' },
    headers: { authorization: 'Bearer x' },
  });
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    conditions: { field: 'event.payload.merged', op: 'eq', value: true },
    concurrency_key: 'pr-{{ event.payload.number }}',
    actions: [
      step,
      { type: 'wait', seconds: 60, if: { field: 'event.payload.number', op: 'gt', value: 100 } },
      { type: 'create_event', event_type: 'merged', payload: { text: '{{ event.payload.merged }}' } },
    ],
  });
  const params = { id: hub.workspace.workspaceId, automationId };
  const event = { type, payload: { number: 7, merged: false } };
  const result = await hub.workspace.api.call('automations.test', { params, body: { event } });
  expect(result).toMatchObject({
    event_id: null,
    matched: false,
    refused_by: 'conditions',
    conditions: [{ found: 'false', matched: false }],
    concurrency_key: 'pr-7',
    steps: [
      {
        action_id: 'board',
        runs: true,
        request: { payload: { number: 7 }, headers: { authorization: '[redacted]' } },
      },
      {
        action_id: 'a2',
        runs: false,
        conditions: [{ found: '7', matched: false }],
        request: { seconds: 60 },
      },
      { action_id: 'a3', runs: true, request: { type: 'merged', payload: { text: false } } },
    ],
  });
  const past = await publish(type, { number: 8, merged: true });
  await newestRun(automationId, 'succeeded');
  const calls = callsTo(step).length;
  const again = await hub.workspace.api.call('automations.test', {
    params,
    body: { event_id: past.event_id },
  });
  expect(again).toMatchObject({ event_id: past.event_id, matched: true, refused_by: null });
  expect(callsTo(step)).toHaveLength(calls);
  expect(await runsOf(automationId)).toHaveLength(1);
});

it('a dry run shows the earlier outputs of steps, and says where none is known yet', async () => {
  const type = unique('chain');
  const actions = [
    { ...call(), id: 'first' },
    call({
      id: 'second',
      payload: { status: '{{ steps.first.output.status }}' },
      if: { field: 'steps.first.output.status', op: 'eq', value: 200 },
    }),
  ];
  const automationId = await create({ trigger: { event: 'event.created', types: [type] }, actions });
  const params = { id: hub.workspace.workspaceId, automationId };
  const dry = (body: object) => hub.workspace.api.call('automations.test', { params, body });
  expect(await dry({ event: { type, payload: {} } })).toMatchObject({
    results_of: null,
    steps: [
      {},
      {
        runs: true,
        conditions: [{ found: null, note: 'not known before a run has succeeded' }],
        request: { payload: { status: null } },
      },
    ],
  });
  const event = await publish(type);
  const run = await newestRun(automationId, 'succeeded');
  expect(await dry({ event_id: event.event_id })).toMatchObject({
    results_of: run.id,
    steps: [
      {},
      { runs: true, conditions: [{ found: '200', matched: true }], request: { payload: { status: 200 } } },
    ],
  });
});

it.each<[object, object, object]>([
  [
    { event: 'user.invited' },
    { field: 'data.role', op: 'eq', value: 'member' },
    { matched: true, event_id: null, conditions: [{ found: '"member"' }] },
  ],
  [
    { event: 'schedule', cron: '0 9 * * *' },
    { field: 'data.scheduled_at', op: 'exists' },
    { matched: true, event_id: null },
  ],
  [
    { event: 'manual' },
    { field: 'event.type', op: 'eq', value: 'never' },
    { matched: true, event_id: expect.stringMatching(/^evt_/) as string },
  ],
])('a dry run of %j needs no event that starts it', async (trigger, conditions, result) => {
  await publish(unique('any'));
  const actions = [{ type: 'wait', seconds: 1 }];
  const automationId = await create({ enabled: false, trigger, conditions, actions });
  const params = { id: hub.workspace.workspaceId, automationId };
  expect(await hub.workspace.api.call('automations.test', { params, body: {} })).toMatchObject(result);
});

it('a template that begins with thousands of spaces is rendered like any other', async () => {
  const spaces = ' '.repeat(8_000);
  const type = unique('spaces');
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [
      call({
        payload: { path: `{{${spaces}event.payload.number }}`, loud: `{{${spaces}event.type | upcase }}` },
      }),
    ],
  });
  const params = { id: hub.workspace.workspaceId, automationId };
  const result = await hub.workspace.api.call('automations.test', {
    params,
    body: { event: { type, payload: { number: 7 } } },
  });
  expect(result.steps).toMatchObject([{ request: { payload: { path: 7, loud: type.toUpperCase() } } }]);
});

it('a dry run tries changes without saving them, and refuses what a save would', async () => {
  const automationId = await create({
    actions: [{ type: 'wait', seconds: 1 }],
    conditions: { field: 'event.type', op: 'eq', value: 'never' },
  });
  const params = { id: hub.workspace.workspaceId, automationId };
  const event = { type: 'build', payload: { status: 'red' } };
  const changes = {
    trigger: { event: 'event.created', types: ['build'] },
    conditions: null,
    actions: [
      { type: 'create_event', event_type: 'alarm', payload: { status: '{{ event.payload.status }}' } },
    ],
  };
  expect(
    await hub.workspace.api.call('automations.test', { params, body: { event, changes } }),
  ).toMatchObject({
    matched: true,
    conditions: null,
    steps: [{ request: { payload: { status: 'red' } } }],
  });
  expect(await hub.workspace.api.call('automations.test', { params, body: { event } })).toMatchObject({
    refused_by: 'types',
    steps: [{ type: 'wait' }],
  });
  const broken = { ...changes.actions[0], payload: { a: '{{ open' } };
  const refusal = await hub.workspace.api.refused('automations.test', 400, {
    params,
    body: { event, changes: { actions: [broken] } },
  });
  expect(refusal.details).toMatchObject([{ field: 'actions[0].payload.a' }]);
});
