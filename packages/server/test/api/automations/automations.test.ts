import { sign } from '@hubline/webhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everybodyKnows, join, type Joined, type Place, startPlace, unique } from '../support/place.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

let place: Place & { stop(): Promise<void> };
let receiver: Receiver;
/** URLs that answer with something else than 200. */
const answers = new Map<string, number>();
let ahead = 0;
const timers = new Set<() => void>();

beforeAll(async () => {
  receiver = await startReceiver(({ url }) => ({
    status: answers.get(url) ?? 200,
    ...(url.includes('long') && { text: 'x'.repeat(2_000_000) }),
  }));
  place = await startPlace({
    clock: () => new Date(Date.now() + ahead),
    timer: (run, ms) => {
      // Soon is soon; the rest waits for `pass`.
      if (ms <= 1_000) {
        const timeout = setTimeout(run, ms);
        return () => clearTimeout(timeout);
      }
      timers.add(run);
      return () => void timers.delete(run);
    },
  });
});
afterAll(async () => {
  await place.stop();
  await receiver.stop();
});

/** Decides what a step's URL answers. */
const answer = (step: { url: string }, status: number) => answers.set(new URL(step.url).pathname, status);

/** Lets time pass. */
function pass(ms: number): void {
  ahead += ms;
  const due = [...timers];
  timers.clear();
  for (const run of due) run();
}

const here = () => ({ params: { id: place.workspaceId } });
const call = (more: object = {}) => ({
  type: 'call_webhook',
  url: `${receiver.url}/${unique('step')}`,
  ...more,
});

async function create(body: object): Promise<string> {
  const { id } = await place.api.call('automations.create', {
    ...here(),
    body: { name: 'A', trigger: { event: 'event.created', types: [unique('never')] }, ...body },
  });
  return id;
}

const publish = (type: string, payload: object = {}) =>
  place.api.call('events.publish', { ...here(), body: { type, payload } });

const runsOf = async (automationId: string, query: Record<string, string> = {}) => {
  const params = { id: place.workspaceId, automationId };
  return (await place.api.call('automations.listRuns', { params, query })).data;
};

const runOf = (automationId: string, runId: string) =>
  place.api.call('automations.getRun', { params: { id: place.workspaceId, automationId, runId } });

async function firstRun(automationId: string, wanted: string) {
  let found;
  await until(`a run that ${wanted}`, async () => {
    [found] = await runsOf(automationId);
    return found?.status === wanted;
  });
  return runOf(automationId, (found as unknown as { id: string }).id);
}

const callsTo = (step: { url: string }) => receiver.calls.filter(({ url }) => step.url.endsWith(url));

describe('an event', () => {
  it('that meets trigger and conditions starts one run, whose steps run in their order', async () => {
    const type = unique('deploy');
    const first = call({
      id: 'first',
      payload: { n: '{{ event.payload.n }}', text: 'n is {{ event.payload.n }}' },
    });
    const second = call({
      payload: { answer: '{{ steps.first.output.status }}', by: '{{ automation.name }}' },
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
    const run = await firstRun(automationId, 'succeeded');
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
    expect(JSON.parse(callsTo(second)[0]?.body ?? '')).toEqual({ answer: 200, by: 'Board' });
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
    const params = { id: place.workspaceId, automationId };
    const event = `{"type":"${type}","payload":${numbers}}`;
    const dry = await place.api.send('automations.test', { params, text: `{"event":${event}}` });
    expect(dry.text).toContain(`"whole":${numbers}`);
    await place.api.send('events.publish', { ...here(), text: event });
    const run = await firstRun(automationId, 'succeeded');
    const text = JSON.stringify(`id 12345678901234567890 for 1.10, ${numbers}`);
    expect(callsTo(step)[0]?.body).toBe(`{"id":9007199254740993,"whole":${numbers},"text":${text}}`);
    const shown = await place.api.send('automations.getRun', { params: { ...params, runId: run.id } });
    expect(shown.text).toContain(`"whole":${numbers}`);
    const copies = await place.api.send('events.list', { ...here(), query: { type: `${type}.copy` } });
    expect(copies.text).toContain(`"payload":{"of":${numbers}}`);
  });

  it('of another source or integration starts nothing', async () => {
    const type = unique('deploy');
    const automationId = await create({
      trigger: { event: 'event.created', types: [type], sources: ['github'] },
      actions: [{ type: 'wait', seconds: 1 }],
    });
    await publish(type);
    expect(await runsOf(automationId)).toEqual([]);
  });

  it('starts nothing while the automation is disabled, and again once it is enabled', async () => {
    const type = unique('deploy');
    const automationId = await create({
      enabled: false,
      trigger: { event: 'event.created', types: [type] },
      actions: [call()],
    });
    await publish(type);
    const params = { id: place.workspaceId, automationId };
    await place.api.call('automations.update', { params, body: { enabled: true } });
    const event = await publish(type);
    expect(await firstRun(automationId, 'succeeded')).toMatchObject({ event_id: event.event_id });
    expect(await runsOf(automationId)).toHaveLength(1);
  });
});

it('a call is signed like a delivery and has a key that is the same on every try', async () => {
  const type = unique('signed');
  const step = call({ headers: { 'X-Team': 'ops' } });
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [step],
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  });
  answer(step, 503);
  await publish(type, { secret: 'x' });
  await until('the first try', () => callsTo(step).length === 1);
  const waiting = await firstRun(automationId, 'waiting');
  expect(waiting.steps).toMatchObject([{ status: 'retrying', attempt: 1, error: 'answered 503' }]);
  answer(step, 200);
  pass(5_000);
  const run = await firstRun(automationId, 'succeeded');
  expect(run.steps).toMatchObject([{ status: 'succeeded', attempt: 2, response: { status: 200 } }]);
  const [first, second] = callsTo(step);
  expect(first?.headers['idempotency-key']).toBe(`${run.id}.a1`);
  expect(second?.headers['idempotency-key']).toBe(`${run.id}.a1`);
  expect(second?.headers['x-team']).toBe('ops');
  expect(second?.headers['x-service-signature']).toBe(
    await sign(second?.body ?? '', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  );
  expect(second?.headers['webhook-id']).toBe(`${run.id}.a1`);
  const shown = await place.api.call('automations.get', { params: { id: place.workspaceId, automationId } });
  expect(shown).toMatchObject({ signed: true });
  expect(JSON.stringify(shown)).not.toContain('MfKQ9r8G');
});

it('a call that was answered is done, however long the answer is', async () => {
  const type = unique('verbose');
  const step = { type: 'call_webhook', url: `${receiver.url}/${unique('long')}` };
  const automationId = await create({ trigger: { event: 'event.created', types: [type] }, actions: [step] });
  await publish(type);
  const run = await firstRun(automationId, 'succeeded');
  expect(run.steps).toMatchObject([{ attempt: 1, response: { status: 200 } }]);
  expect(callsTo(step)).toHaveLength(1);
});

describe('a step that fails', () => {
  it('ends the run, which a retry takes up there and nowhere else', async () => {
    const type = unique('fails');
    const [first, second, third] = [call(), call({ retries: 0 }), call()];
    const automationId = await create({
      trigger: { event: 'event.created', types: [type] },
      actions: [first, second, third],
    });
    answer(second, 500);
    await publish(type);
    const ended = await firstRun(automationId, 'failed');
    expect(ended.error).toBe('a2: answered 500');
    answer(second, 200);
    const params = { id: place.workspaceId, automationId, runId: ended.id };
    expect(await place.api.call('automations.retryRun', { params })).toMatchObject({ status: 'queued' });
    await firstRun(automationId, 'succeeded');
    expect([first, second, third].map((step) => callsTo(step).length)).toEqual([1, 2, 1]);
    await place.api.refused('automations.retryRun', 422, { params });
  });

  it('lets the next one run with on_error: continue, which can ask for it', async () => {
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
    answer(first, 404);
    await publish(type);
    const run = await firstRun(automationId, 'succeeded');
    expect(run.steps.map((step) => step.status)).toEqual(['failed', 'succeeded', 'skipped']);
    const eventId = String(run.steps[1]?.response?.['event_id']);
    const event = await place.api.call('events.get', { params: { id: place.workspaceId, eventId } });
    expect(event).toMatchObject({ source: 'automation', payload: { error: 'answered 404' } });
  });

  it('with a template that cannot be filled is marked, and nothing else', async () => {
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
    const run = await firstRun(automationId, 'failed');
    expect(run.steps).toMatchObject([{ status: 'failed', attempt: 1, request: null }]);
    expect(run.error).toMatch(/^a1: line 1, column 1: makes too much/);
  });
});

it('a wait is a time, and the run goes on after it', async () => {
  const type = unique('wait');
  const step = call();
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 3_600 }, step],
  });
  await publish(type);
  const waiting = await firstRun(automationId, 'waiting');
  expect(Date.parse(waiting.resume_at ?? '') - Date.parse(waiting.started_at ?? '')).toBeGreaterThanOrEqual(
    3_600_000,
  );
  pass(3_599_000 - 60_000);
  expect(callsTo(step)).toEqual([]);
  pass(120_000);
  await firstRun(automationId, 'succeeded');
  expect(callsTo(step)).toHaveLength(1);
});

it('a run that is cancelled does nothing more, and webhooks hear of its end', async () => {
  const type = unique('cancel');
  const step = call();
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 60 }, step],
  });
  const { id: webhookId } = await place.api.call('webhooks.create', {
    body: {
      url: `${receiver.url}/${unique('completed')}`,
      events: ['automation.completed'],
      workspace_id: place.workspaceId,
      secret: 's3cret',
      filters: { resource_ids: [automationId] },
    },
  });
  const event = await publish(type);
  const { id: runId } = await firstRun(automationId, 'waiting');
  const params = { id: place.workspaceId, automationId, runId };
  expect(await place.api.call('automations.cancelRun', { params })).toMatchObject({ status: 'cancelled' });
  await place.api.refused('automations.cancelRun', 422, { params });
  pass(120_000);
  const { data } = await place.api.call('deliveries.listForWebhook', { params: { webhookId } });
  const detail = await place.api.call('deliveries.get', { params: { deliveryId: data[0]?.id ?? '' } });
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

it('automations that start each other end after five', async () => {
  const type = unique('loop');
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'create_event', event_type: type, payload: {} }],
  });
  await publish(type);
  await until('the guard', async () => (await runsOf(automationId, { status: 'skipped' })).length === 1);
  const runs = await runsOf(automationId);
  expect(runs).toHaveLength(7);
  expect(runs[0]).toMatchObject({ status: 'skipped', error: expect.stringMatching(/^loop: 5/) });
});

it('a throttle skips what is too much, and says so', async () => {
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
  pass(601_000);
  await publish(type);
  expect(await runsOf(automationId, { status: 'skipped' })).toHaveLength(2);
});

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
  pass(601_000);
  await until('the third', async () => (await states())[1] === 'waiting');
  expect(await states()).toEqual(['succeeded', 'waiting', 'succeeded']);
});

it('a schedule starts a run at its time, once, and waits for the next', async () => {
  const automationId = await create({
    trigger: { event: 'schedule', cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
    actions: [{ type: 'create_event', event_type: 'report', payload: { at: '{{ data.scheduled_at }}' } }],
  });
  const params = { id: place.workspaceId, automationId };
  const { next_run_at: at } = await place.api.call('automations.get', { params });
  expect(new Date(at ?? '').getUTCDay()).toBe(1);
  pass(Date.parse(at ?? '') - (Date.now() + ahead) + 1_000);
  const run = await firstRun(automationId, 'succeeded');
  expect(run).toMatchObject({ trigger: 'schedule', steps: [{ request: { payload: { at } } }] });
  const { next_run_at: next } = await place.api.call('automations.get', { params });
  expect(Date.parse(next ?? '')).toBeGreaterThan(Date.parse(at ?? ''));
  expect(await runsOf(automationId)).toHaveLength(1);
});

it('people and other triggers start runs, too', async () => {
  const step = call({ payload: { who: '{{ data.email }}', trigger: '{{ trigger }}' } });
  const automationId = await create({
    trigger: { event: 'user.invited' },
    conditions: { field: 'data.role', op: 'eq', value: 'viewer' },
    actions: [step],
  });
  const email = `${unique('v')}@example.com`;
  await place.api.call('members.invite', { ...here(), body: { email, role: 'viewer' } });
  await firstRun(automationId, 'succeeded');
  expect(JSON.parse(callsTo(step)[0]?.body ?? '')).toEqual({ who: email, trigger: 'user.invited' });

  const params = { id: place.workspaceId, automationId };
  const { event_id } = await publish(unique('any'));
  const started = await place.api.call('automations.run', { params, body: { event_id } });
  expect(started).toMatchObject({ trigger: 'manual', status: 'queued', event_id });
  await until('it', async () => (await runOf(automationId, started.id)).status === 'succeeded');
});

it('a dry run shows every verdict and every rendered action, and does none', async () => {
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
  const params = { id: place.workspaceId, automationId };
  const event = { type, payload: { number: 7, merged: false } };
  const result = await place.api.call('automations.test', { params, body: { event } });
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
  await firstRun(automationId, 'succeeded');
  const calls = callsTo(step).length;
  const again = await place.api.call('automations.test', { params, body: { event_id: past.event_id } });
  expect(again).toMatchObject({ event_id: past.event_id, matched: true, refused_by: null });
  expect(callsTo(step)).toHaveLength(calls);
  expect(await runsOf(automationId)).toHaveLength(1);
});

it('a dry run shows what steps have brought before, and says where nothing is known yet', async () => {
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
  const params = { id: place.workspaceId, automationId };
  const dry = (body: object) => place.api.call('automations.test', { params, body });
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
  const run = await firstRun(automationId, 'succeeded');
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
  const params = { id: place.workspaceId, automationId };
  expect(await place.api.call('automations.test', { params, body: {} })).toMatchObject(result);
});

it('a dry run tries changes without saving them, and refuses what a save would', async () => {
  const automationId = await create({
    actions: [{ type: 'wait', seconds: 1 }],
    conditions: { field: 'event.type', op: 'eq', value: 'never' },
  });
  const params = { id: place.workspaceId, automationId };
  const event = { type: 'build', payload: { status: 'red' } };
  const changes = {
    trigger: { event: 'event.created', types: ['build'] },
    conditions: null,
    actions: [
      { type: 'create_event', event_type: 'alarm', payload: { status: '{{ event.payload.status }}' } },
    ],
  };
  expect(await place.api.call('automations.test', { params, body: { event, changes } })).toMatchObject({
    matched: true,
    conditions: null,
    steps: [{ request: { payload: { status: 'red' } } }],
  });
  expect(await place.api.call('automations.test', { params, body: { event } })).toMatchObject({
    refused_by: 'types',
    steps: [{ type: 'wait' }],
  });
  const broken = { ...changes.actions[0], payload: { a: '{{ open' } };
  const refusal = await place.api.refused('automations.test', 400, {
    params,
    body: { event, changes: { actions: [broken] } },
  });
  expect(refusal.details).toMatchObject([{ field: 'actions[0].payload.a' }]);
});

it('the list tells how the last runs of an automation have ended, newest first', async () => {
  const automationId = await create({
    trigger: { event: 'manual' },
    actions: [{ type: 'wait', seconds: 900 }],
  });
  const params = { id: place.workspaceId, automationId };
  const { id: runId } = await place.api.call('automations.run', { params, body: {} });
  await place.api.call('automations.cancelRun', { params: { ...params, runId } });
  await place.api.call('automations.run', { params, body: {} });
  await until('both runs', async () => {
    const { recent_runs: recent } = await place.api.call('automations.get', { params });
    return recent.join() === 'waiting,cancelled';
  });
});

describe('what cannot run is refused with the path of each fault', () => {
  const wait = { type: 'wait', seconds: 1 };
  it.each<[string, object, number, string, RegExp]>([
    [
      'an unknown action',
      { actions: [wait, { type: 'nope' }] },
      400,
      'actions[1].type',
      /must be one of send_not/,
    ],
    [
      'a mistyped field',
      { actions: [{ type: 'wait', second: 5 }] },
      400,
      'actions[0].second',
      /did you mean seconds/,
    ],
    [
      'a field of another action',
      { actions: [{ type: 'wait', seconds: 5, url: 'https://example.com' }] },
      400,
      'actions[0].url',
      /^is not a known field; known are type, id, if, seconds$/,
    ],
    [
      'an input beside the inputs',
      { actions: [{ type: 'slack.post_message', integration_id: 'int_x', text: 'Hi' }] },
      400,
      'actions[0].text',
      /known are .*integration_id, input$/,
    ],
    [
      'two equal ids',
      {
        actions: [
          { ...wait, id: 'x' },
          { ...wait, id: 'x' },
        ],
      },
      400,
      'actions[1].id',
      /another/,
    ],
    [
      'a template',
      { actions: [{ type: 'create_event', event_type: 'x', payload: { a: ['{{ x'] } }] },
      400,
      'actions[0].payload.a[0]',
      /not closed/,
    ],
    [
      'a condition',
      { conditions: { all: [{ field: 'x', op: 'exists' }] } },
      400,
      'conditions.all[0].field',
      /begin with/,
    ],
    [
      'a condition of a step',
      { actions: [{ ...wait, if: { field: 'x', op: 'exists' } }] },
      400,
      'actions[0].if.field',
      /steps/,
    ],
    [
      'a mistyped value',
      { actions: [{ type: 'create_event', event_type: 'x', payload: { a: ['{{ evnt.id }}'] } }] },
      400,
      'actions[0].payload.a[0]',
      /^line 1, column 4: evnt is not a known value; did you mean event\?$/,
    ],
    [
      'a step that is not there',
      {
        actions: [
          { ...wait, id: 'first' },
          { type: 'create_event', event_type: 'x', payload: { a: '{{ steps.frist.output.id }}' } },
        ],
      },
      400,
      'actions[1].payload.a',
      /steps\.frist is not a known value; did you mean first\?/,
    ],
    [
      'a step that comes later',
      { actions: [{ ...wait, if: { field: 'steps.a2.status', op: 'exists' } }, wait] },
      400,
      'actions[0].if.field',
      /steps\.a2 is not a known value/,
    ],
    [
      'a value of the steps in the concurrency key',
      { concurrency_key: '{{ steps.a1.status }}' },
      400,
      'concurrency_key',
      /steps is not a known value/,
    ],
    [
      'a mistyped value in a condition',
      { conditions: { field: 'event.sumary.severity', op: 'eq', value: 'high' } },
      400,
      'conditions.field',
      /event\.sumary is not a known value; did you mean summary\?/,
    ],
    ['a cron', { trigger: { event: 'schedule', cron: '0 25 * * *' } }, 400, 'trigger.cron', /five fields/],
    [
      'a cron of seconds',
      { trigger: { event: 'schedule', cron: '* * * * * *' } },
      400,
      'trigger.cron',
      /five fields/,
    ],
    [
      'a time zone',
      { trigger: { event: 'schedule', cron: '0 9 * * *', timezone: 'Mars/Base' } },
      400,
      'trigger.timezone',
      /IANA/,
    ],
    ['a trigger without its field', { trigger: { event: 'schedule' } }, 400, 'trigger.cron', /required/],
    [
      'a field of another trigger',
      { trigger: { event: 'manual', types: ['x'] } },
      400,
      'trigger.types',
      /no meaning/,
    ],
    [
      'a private address',
      { actions: [{ type: 'call_webhook', url: 'https://10.0.0.1/x' }] },
      422,
      'actions[0].url',
      /public/,
    ],
    [
      'a header of ours',
      { actions: [{ type: 'call_webhook', url: 'https://example.com', headers: { Host: 'x' } }] },
      400,
      'actions[0].headers.Host',
      /set by the server/,
    ],
    [
      'a template in a header',
      {
        actions: [
          { type: 'call_webhook', url: 'https://example.com', headers: { 'X-A': '{{ event.payload.hdr }}' } },
        ],
      },
      400,
      'actions[0].headers.X-A',
      /no template.*payload/,
    ],
    [
      'a template in a URL',
      { actions: [{ type: 'call_webhook', url: 'https://example.com/{{ event.id }}' }] },
      400,
      'actions[0].url',
      /no template.*payload/,
    ],
    [
      'a header that is there twice',
      {
        actions: [{ type: 'call_webhook', url: 'https://example.com', headers: { 'x-a': '1', 'X-A': '2' } }],
      },
      400,
      'actions[0].headers.X-A',
      /twice/,
    ],
    [
      'a number that was rounded',
      {
        actions: [{ type: 'create_event', event_type: 'x', payload: { ids: [12_345_678_901_234_567_000] } }],
      },
      400,
      'actions[0].payload.ids[0]',
      /beyond 2\^53/,
    ],
    ['no actions', { actions: [] }, 400, 'actions', /at least one/],
    [
      '64 KB',
      {
        actions: Array.from({ length: 5 }, () => ({
          type: 'create_event',
          event_type: 'x',
          payload: { t: 'x'.repeat(16_000) },
        })),
      },
      400,
      'actions',
      /64 KB/,
    ],
  ])('%s', async (_, body, code, field, issue) => {
    const refusal = await place.api.refused('automations.create', code, {
      ...here(),
      body: { name: 'A', trigger: { event: 'manual' }, actions: [wait], ...body },
    });
    expect(refusal.details).toContainEqual({ field, issue: expect.stringMatching(issue) as string });
  });
});

it('a change is audited, and a run that has begun keeps its actions', async () => {
  const type = unique('change');
  const [old, fresh] = [call(), call()];
  const automationId = await create({
    trigger: { event: 'event.created', types: [type] },
    actions: [{ type: 'wait', seconds: 60 }, old],
  });
  await publish(type);
  await firstRun(automationId, 'waiting');
  const params = { id: place.workspaceId, automationId };
  await place.api.call('automations.update', { params, body: { name: 'B', actions: [fresh] } });
  pass(61_000);
  expect(await firstRun(automationId, 'succeeded')).toMatchObject({ automation_name: 'A' });
  expect([callsTo(old).length, callsTo(fresh).length]).toEqual([1, 0]);
  await place.api.call('automations.delete', { params });
  await place.api.refused('automations.get', 404, { params });
  const { data } = await place.api.call('auditLog.list', { ...here(), query: { target: automationId } });
  expect(data.map(({ action }) => action)).toEqual([
    'automation.deleted',
    'automation.updated',
    'automation.created',
  ]);
});

describe('somebody who may no longer edit automations', () => {
  const at = (automationId: string) => ({ params: { id: place.workspaceId, automationId } });
  const on = (type: string) => ({ event: 'event.created' as const, types: [type] });

  async function memberAutomation(member: Joined, type: string, actions: object[]): Promise<string> {
    const body = { name: 'Leak', trigger: on(type), actions } as never;
    return (await member.own.call('automations.create', { ...here(), body })).id;
  }

  const fates: [string, (userId: string) => Promise<unknown>][] = [
    [
      'was removed',
      (userId) => place.api.call('members.remove', { params: { id: place.workspaceId, userId } }),
    ],
    [
      'became a viewer',
      (userId) =>
        place.api.call('members.update', {
          params: { id: place.workspaceId, userId },
          body: { role: 'viewer' },
        }),
    ],
  ];

  it.each(fates)(
    'because they %s calls no URL any more, and others take their automations over',
    async (_, leave) => {
      const type = unique('deploy');
      const member = await join(place, 'admin');
      const step = call({ payload: { all: '{{ event }}' } });
      const calling = await memberAutomation(member, type, [step]);
      const inside = await memberAutomation(member, type, [{ type: 'wait', seconds: 1 }]);
      const waiting = await memberAutomation(member, type, [{ type: 'wait', seconds: 3_600 }, step]);
      await publish(type);
      await firstRun(calling, 'succeeded');
      await firstRun(waiting, 'waiting');
      expect(callsTo(step)).toHaveLength(1);

      await leave(member.userId);
      await everybodyKnows();
      expect((await place.api.call('automations.get', at(calling))).enabled).toBe(false);
      expect((await place.api.call('automations.get', at(inside))).enabled).toBe(true);
      const entries = await place.api.call('auditLog.list', {
        ...here(),
        query: { action: 'automation.disabled' },
      });
      expect(entries.data.map(({ targets }) => targets[0]?.id)).toEqual(
        expect.arrayContaining([calling, waiting]),
      );
      await publish(type);
      // Not by hand, and not by a run that has begun, either.
      await place.api.call('automations.run', { ...at(calling), body: {} });
      expect((await firstRun(calling, 'failed')).steps[0]?.error).toContain('may no longer edit automations');
      pass(3_600_000);
      expect((await firstRun(waiting, 'failed')).error).toContain('may no longer edit automations');
      expect(callsTo(step)).toHaveLength(1);

      await place.api.call('automations.update', { ...at(calling), body: { enabled: true } });
      await publish(type);
      await firstRun(calling, 'succeeded');
      expect(callsTo(step)).toHaveLength(2);
    },
  );
});
