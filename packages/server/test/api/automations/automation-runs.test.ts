import { sign } from '@hubline/webhooks';
import { LIMITS } from '@hubline/contract';
import { describe, expect, it } from 'vitest';
import { findRun, insertRun } from '../../../src/db/automations/runs.ts';
import { createIds } from '../../../src/ids.ts';
import { openStore } from '../../delivery/support.ts';
import { unique } from '../support/workspace.ts';
import { until } from '../support/until.ts';
import { atRest, useAutomations } from './use-automations.ts';

const hub = useAutomations();
const { call, callsTo, create, here, newestRun, pass, publish, runOf, runsOf, setStatus } = hub;

describe('an event', () => {
  it('that meets the trigger and the conditions starts one run, whose steps run in order', async () => {
    const type = unique('deploy');
    const first = call({
      id: 'first',
      payload: { n: '{{ event.payload.n }}', text: 'n is {{ event.payload.n }}' },
    });
    const second = call({
      payload: { status: '{{ steps.first.output.status }}', by: '{{ automation.name }}' },
      if: { field: 'steps.first.status', op: 'eq', value: 'succeeded' },
    });
    const automationId = await create({
      name: 'Board',
      trigger: { event: 'event.created', types: [type], sources: ['api'] },
      conditions: { field: 'event.payload.n', op: 'gt', value: 3 },
      actions: [first, second],
    });
    await publish(type, { n: 1 });
    const event = await publish(type, { n: 7 });
    const run = await newestRun(automationId, 'succeeded');
    expect(run).toMatchObject({
      event_id: event.event_id,
      trigger: 'event.created',
      automation_name: 'Board',
    });
    expect(run.steps.map(({ action_id, status: state, attempt }) => [action_id, state, attempt])).toEqual([
      ['first', 'succeeded', 1],
      ['a2', 'succeeded', 1],
    ]);
    expect(JSON.parse(callsTo(first)[0]?.body ?? '')).toEqual({ n: 7, text: 'n is 7' });
    expect(JSON.parse(callsTo(second)[0]?.body ?? '')).toEqual({ status: 200, by: 'Board' });
    expect(await runsOf(automationId)).toHaveLength(1);
  });

  it('passes its numbers on as they were written: to URLs, new events, the run and the dry run', async () => {
    const type = unique('deploy');
    const numbers = '{"n":9007199254740993,"m":12345678901234567890,"dec":1.10}';
    const step = call({
      id: 'call',
      payload: {
        id: '{{ event.payload.n }}',
        whole: '{{ event.payload }}',
        text: 'id {{ event.payload.m }} for {{ event.payload.dec }}, {{ event.payload | json }}',
      },
    });
    const copy = { type: 'create_event', event_type: `${type}.copy`, payload: { of: '{{ event.payload }}' } };
    const automationId = await create({
      trigger: { event: 'event.created', types: [type] },
      actions: [step, copy],
    });
    const params = { id: hub.workspace.workspaceId, automationId };
    const event = `{"type":"${type}","payload":${numbers}}`;
    const dry = await hub.workspace.api.send('automations.test', { params, text: `{"event":${event}}` });
    expect(dry.text).toContain(`"whole":${numbers}`);
    await hub.workspace.api.send('events.publish', { ...here(), text: event });
    const run = await newestRun(automationId, 'succeeded');
    const text = JSON.stringify(`id 12345678901234567890 for 1.10, ${numbers}`);
    expect(callsTo(step)[0]?.body).toBe(`{"id":9007199254740993,"whole":${numbers},"text":${text}}`);
    const shown = await hub.workspace.api.send('automations.getRun', {
      params: { ...params, runId: run.id },
    });
    expect(shown.text).toContain(`"whole":${numbers}`);
    const copies = await hub.workspace.api.send('events.list', {
      ...here(),
      query: { type: `${type}.copy` },
    });
    expect(copies.text).toContain(`"payload":{"of":${numbers}}`);
  });

  it('of another source starts nothing', async () => {
    const type = unique('deploy');
    const automationId = await create({
      trigger: { event: 'event.created', types: [type], sources: ['github'] },
      actions: [{ type: 'wait', seconds: 1 }],
    });
    await publish(type);
    expect(await runsOf(automationId)).toEqual([]);
  });

  it('starts nothing while the automation is disabled, and a run once it is enabled', async () => {
    const type = unique('deploy');
    const automationId = await create({
      enabled: false,
      trigger: { event: 'event.created', types: [type] },
      actions: [call()],
    });
    await publish(type);
    const params = { id: hub.workspace.workspaceId, automationId };
    await hub.workspace.api.call('automations.update', { params, body: { enabled: true } });
    const event = await publish(type);
    expect(await newestRun(automationId, 'succeeded')).toMatchObject({ event_id: event.event_id });
    expect(await runsOf(automationId)).toHaveLength(1);
  });
});

it('a call is signed like a delivery and has a key that is the same on every attempt', async () => {
  const type = unique('signed');
  const step = call({ headers: { 'X-Team': 'ops' } });
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [step],
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });
  setStatus(step, 503);
  await publish(type, { secret: 'x' });
  await until('the first attempt', () => callsTo(step).length === 1);
  const waiting = await newestRun(automationId, 'waiting');
  expect(waiting.steps).toMatchObject([{ status: 'retrying', attempt: 1, error: 'responded with 503' }]);
  setStatus(step, 200);
  await pass(5_000);
  const run = await newestRun(automationId, 'succeeded');
  expect(run.steps).toMatchObject([{ status: 'succeeded', attempt: 2, response: { status: 200 } }]);
  const [first, second] = callsTo(step);
  expect(first?.headers['idempotency-key']).toBe(`${run.id}.a1`);
  expect(second?.headers['idempotency-key']).toBe(`${run.id}.a1`);
  expect(second?.headers['x-team']).toBe('ops');
  expect(second?.headers['x-service-signature']).toBe(
    await sign(second?.body ?? '', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  );
  expect(second?.headers['webhook-id']).toBe(`${run.id}.a1`);
  const shown = await hub.workspace.api.call('automations.get', {
    params: { id: hub.workspace.workspaceId, automationId },
  });
  expect(shown).toMatchObject({ signed: true });
  expect(JSON.stringify(shown)).not.toContain('MfKQ9r8G');
});

it('a call that gets a response is not repeated, however long the response is', async () => {
  const type = unique('verbose');
  const step = { type: 'call_webhook', url: `${hub.receiver.url}/${unique('long')}` };
  const automationId = await create({ trigger: { event: 'event.created', types: [type] }, actions: [step] });
  await publish(type);
  const run = await newestRun(automationId, 'succeeded');
  expect(run.steps).toMatchObject([{ attempt: 1, response: { status: 200 } }]);
  expect(callsTo(step)).toHaveLength(1);
});

describe('a step that fails', () => {
  it('ends the run, and a retry continues at that step and nowhere else', async () => {
    const type = unique('fails');
    const [first, second, third] = [call(), call({ retries: 0 }), call()];
    const automationId = await create({
      trigger: { event: 'event.created', types: [type] },
      actions: [first, second, third],
    });
    setStatus(second, 500);
    await publish(type);
    const ended = await newestRun(automationId, 'failed');
    expect(ended.error).toBe('a2: responded with 500');
    setStatus(second, 200);
    const params = { id: hub.workspace.workspaceId, automationId, runId: ended.id };
    expect(await hub.workspace.api.call('automations.retryRun', { params })).toMatchObject({
      status: 'queued',
    });
    await newestRun(automationId, 'succeeded');
    expect([first, second, third].map((step) => callsTo(step).length)).toEqual([1, 2, 1]);
    await hub.workspace.api.refused('automations.retryRun', 422, { params });
  });

  it('lets the next steps run with on_error: continue, whose conditions can test the failure', async () => {
    const type = unique('goes-on');
    const [first, second] = [
      call({ id: 'first', on_error: 'continue' }),
      { type: 'create_event', event_type: unique('failed'), payload: { error: '{{ steps.first.error }}' } },
    ];
    const automationId = await create({
      trigger: { event: 'event.created', types: [type] },
      actions: [
        first,
        { ...second, if: { field: 'steps.first.status', op: 'eq', value: 'failed' } },
        { ...second, if: { field: 'steps.first.status', op: 'eq', value: 'succeeded' } },
      ],
    });
    setStatus(first, 404);
    await publish(type);
    const run = await newestRun(automationId, 'succeeded');
    expect(run.steps.map((step) => step.status)).toEqual(['failed', 'succeeded', 'skipped']);
    const eventId = String(run.steps[1]?.response?.['event_id']);
    const event = await hub.workspace.api.call('events.get', {
      params: { id: hub.workspace.workspaceId, eventId },
    });
    expect(event).toMatchObject({ source: 'automation', payload: { error: 'responded with 404' } });
  });

  it('with a template that cannot be rendered fails once, without a request', async () => {
    const type = unique('bomb');
    const automationId = await create({
      trigger: { event: 'event.created', types: [type] },
      actions: [
        {
          type: 'create_event',
          event_type: 'x',
          payload: { x: '{% for i in (1..100000000) %}{% endfor %}' },
        },
      ],
    });
    await publish(type);
    const run = await newestRun(automationId, 'failed');
    expect(run.steps).toMatchObject([{ status: 'failed', attempt: 1, request: null }]);
    expect(run.error).toMatch(/^a1: line 1, column 1: renders too much/);
  });
});

it('a run continues after the time of its wait, and not before', async () => {
  const type = unique('wait');
  const step = call();
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 3_600 }, step],
  });
  await publish(type);
  const waiting = await newestRun(automationId, 'waiting');
  expect(Date.parse(waiting.resume_at ?? '') - Date.parse(waiting.started_at ?? '')).toBeGreaterThanOrEqual(
    3_600_000,
  );
  await pass(3_599_000 - 60_000);
  expect(callsTo(step)).toEqual([]);
  await pass(120_000);
  await newestRun(automationId, 'succeeded');
  expect(callsTo(step)).toHaveLength(1);
});

it('a run that is cancelled does nothing more, and webhooks are told of its end', async () => {
  const type = unique('cancel');
  const step = call();
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 60 }, step],
  });
  const { id: webhookId } = await hub.workspace.api.call('webhooks.create', {
    body: {
      url: `${hub.receiver.url}/${unique('completed')}`,
      events: ['automation.completed'],
      workspace_id: hub.workspace.workspaceId,
      secret: 's3cret',
      filters: { resource_ids: [automationId] },
    },
  });
  const event = await publish(type);
  const { id: runId } = await newestRun(automationId, 'waiting');
  const params = { id: hub.workspace.workspaceId, automationId, runId };
  expect(await hub.workspace.api.call('automations.cancelRun', { params })).toMatchObject({
    status: 'cancelled',
  });
  await hub.workspace.api.refused('automations.cancelRun', 422, { params });
  await pass(120_000);
  const { data } = await hub.workspace.api.call('deliveries.listForWebhook', { params: { webhookId } });
  const detail = await hub.workspace.api.call('deliveries.get', {
    params: { deliveryId: data[0]?.id ?? '' },
  });
  expect(JSON.parse(detail.request_body ?? '')).toMatchObject({
    type: 'automation.completed',
    data: {
      automation_id: automationId,
      automation_name: 'A',
      run_id: runId,
      status: 'cancelled',
      event_id: event.event_id,
    },
  });
  expect(callsTo(step)).toEqual([]);
});

it('a run that was cancelled during a wait continues at once when it is retried', async () => {
  const type = unique('again');
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 86_400 }],
  });
  await publish(type);
  const { id: runId } = await newestRun(automationId, 'waiting');
  const params = { id: hub.workspace.workspaceId, automationId, runId };
  await hub.workspace.api.call('automations.cancelRun', { params });
  await pass(60_000);
  await hub.workspace.api.call('automations.retryRun', { params });
  await newestRun(automationId, 'waiting');
  await pass(86_401_000);
  await newestRun(automationId, 'succeeded');
});

it('an automation that starts itself is stopped after five runs', async () => {
  const type = unique('loop');
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'create_event', event_type: type, payload: {} }],
  });
  await publish(type);
  await until('the guard', async () => (await runsOf(automationId, { status: 'skipped' })).length === 1);
  const runs = await runsOf(automationId);
  expect(runs).toHaveLength(6);
  expect(runs[0]).toMatchObject({ status: 'skipped', error: expect.stringMatching(/^loop: 5/) });
});

it('a throttle skips excess runs, and says so', async () => {
  const type = unique('throttle');
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 1 }],
    throttle: { max_runs: 2, per_seconds: 600 },
  });
  for (let n = 0; n < 4; n += 1) await publish(type);
  expect((await runsOf(automationId, { status: 'skipped' })).map(({ error }) => error)).toEqual([
    'throttled: 2 runs in 600 seconds',
    'throttled: 2 runs in 600 seconds',
  ]);
  await pass(601_000);
  await publish(type);
  expect(await runsOf(automationId, { status: 'skipped' })).toHaveLength(2);
});

it.each(['publish', 'publishBatch'] as const)(
  'a throttle counts events of the same moment: events.%s',
  async (way) => {
    const type = unique('throttle');
    const automationId = await create({
      trigger: { event: 'event.created', types: [type] },
      actions: [{ type: 'wait', seconds: 1 }],
      throttle: { max_runs: 2, per_seconds: 600 },
    });
    const events = Array.from({ length: 10 }, () => ({ type, payload: {} }));
    if (way === 'publishBatch')
      await hub.workspace.api.call('events.publishBatch', { ...here(), body: { events } });
    else await Promise.all(events.map(() => publish(type)));
    expect(await runsOf(automationId, { status: 'skipped' })).toHaveLength(8);
  },
);

it('runs with the same concurrency key go one after the other', async () => {
  const type = unique('key');
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 600 }],
    concurrency_key: '{{ event.payload.branch }}',
  });
  await publish(type, { branch: 'main' });
  await publish(type, { branch: 'main' });
  await publish(type, { branch: 'next' });
  const states = async () => (await runsOf(automationId)).map((run) => run.status).toReversed();
  await until(
    'two of them',
    async () => (await states()).filter((state) => state === 'waiting').length === 2,
  );
  expect(await states()).toEqual(['waiting', 'queued', 'waiting']);
  await pass(601_000);
  await until(
    'the third, and the end of the others',
    async () => (await states()).join() === 'succeeded,waiting,succeeded',
  );
});

it('of the runs that wait for others with their concurrency key, only the next asks for its turn again soon', async () => {
  const type = unique('key');
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 6_000 }],
    concurrency_key: 'one',
  });
  for (let index = 0; index < 5; index += 1) await publish(type);
  await until('the first', async () => (await runsOf(automationId)).at(-1)?.status === 'waiting');
  const ids = (await runsOf(automationId)).map(({ id }) => id).toReversed();
  const { read } = openStore(hub.workspace);
  const due = async (ms: number) => {
    const jobs = read.selectFrom('jobs').select('key').where('key', 'in', ids);
    const found = await jobs.where('due_at', '<=', hub.now() + ms).execute();
    return found.map(({ key }) => ids.indexOf(key));
  };
  for (let times = 0; times < 2; times += 1) {
    await until('each to have asked', async () => (await due(0)).length === 0);
    await atRest(hub.workspace);
    expect(await due(60_000)).toEqual([1]);
    await pass(31_000);
  }
});

it('a list of runs with a filter ends its page after the rows that a request may read, and goes on there', async () => {
  const type = unique('rare');
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 600_000 }],
  });
  const { event_id } = await publish(type);
  const { id } = await newestRun(automationId, 'waiting');
  const store = openStore(hub.workspace);
  const known = await findRun(store.read, hub.workspace.workspaceId, id);
  if (!known) throw new Error('The run is gone.');
  const { seq: _, ...row } = known;
  const ids = createIds(() => new Date());
  await store.write(async (tx) => {
    for (let index = 0; index < LIMITS.searchedEvents; index += 1)
      await insertRun(tx, {
        ...row,
        id: ids('run'),
        once_key: null,
        event_id: null,
        status: 'skipped',
        completed_at: row.created_at,
      });
  });
  const params = { id: hub.workspace.workspaceId, automationId };
  for (const filter of [{ status: 'waiting' }, { event_id }]) {
    const query = { ...filter, limit: '1' };
    const first = await hub.workspace.api.call('automations.listRuns', { params, query });
    expect(first).toMatchObject({ data: [], pagination: { has_more: true } });
    const cursor = first.pagination.next_cursor ?? '';
    const { data } = await hub.workspace.api.call('automations.listRuns', {
      params,
      query: { ...query, cursor },
    });
    expect(data.map((run) => run.id)).toEqual([id]);
  }
});

it('a run that is retried waits for a later one with its concurrency key, and goes on after that', async () => {
  const type = unique('key');
  const step = call({ retries: 0 });
  setStatus(step, 400);
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [step, { type: 'wait', seconds: 600 }],
    concurrency_key: 'one',
  });
  await publish(type);
  const failed = await newestRun(automationId, 'failed');
  setStatus(step, 200);
  await publish(type);
  await newestRun(automationId, 'waiting');
  const params = { id: hub.workspace.workspaceId, automationId, runId: failed.id };
  await hub.workspace.api.call('automations.retryRun', { params });
  await pass(30_000);
  await atRest(hub.workspace);
  const states = async () => (await runsOf(automationId)).map((run) => run.status).toReversed();
  expect(await states()).toEqual(['queued', 'waiting']);
  await pass(600_000);
  await until('its turn', async () => (await states()).join() === 'waiting,succeeded');
});

it('a schedule starts a run at its time, once, and waits for the next', async () => {
  const automationId = await create({
    trigger: { event: 'schedule', cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
    actions: [{ type: 'create_event', event_type: 'report', payload: { at: '{{ data.scheduled_at }}' } }],
  });
  const params = { id: hub.workspace.workspaceId, automationId };
  const { next_run_at: at } = await hub.workspace.api.call('automations.get', { params });
  expect(new Date(at ?? '').getUTCDay()).toBe(1);
  await pass(Date.parse(at ?? '') - hub.now() + 1_000);
  const run = await newestRun(automationId, 'succeeded');
  expect(run).toMatchObject({ trigger: 'schedule', steps: [{ request: { payload: { at } } }] });
  const { next_run_at: next } = await hub.workspace.api.call('automations.get', { params });
  expect(Date.parse(next ?? '')).toBeGreaterThan(Date.parse(at ?? ''));
  expect(await runsOf(automationId)).toHaveLength(1);
});

it('other triggers and people start runs, too', async () => {
  const step = call({ payload: { who: '{{ data.email }}', trigger: '{{ trigger }}' } });
  const automationId = await create({
    trigger: { event: 'user.invited' },
    conditions: { field: 'data.role', op: 'eq', value: 'viewer' },
    actions: [step],
  });
  const email = `${unique('v')}@example.com`;
  await hub.workspace.api.call('members.invite', { ...here(), body: { email, role: 'viewer' } });
  await newestRun(automationId, 'succeeded');
  expect(JSON.parse(callsTo(step)[0]?.body ?? '')).toEqual({ who: email, trigger: 'user.invited' });

  const params = { id: hub.workspace.workspaceId, automationId };
  const { event_id } = await publish(unique('any'));
  const started = await hub.workspace.api.call('automations.run', { params, body: { event_id } });
  expect(started).toMatchObject({ trigger: 'manual', status: 'queued', event_id });
  await until('the run', async () => (await runOf(automationId, started.id)).status === 'succeeded');
});
