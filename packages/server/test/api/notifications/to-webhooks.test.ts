import { unwrap } from '@hubline/webhooks';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestClock } from '../../delivery/test-clock.ts';
import { newStranger, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';

const clock = new TestClock(Date.parse('2026-11-26T11:00:00.000Z'));
let root: TestWorkspace & { stop(): Promise<void> };
let workspace: TestWorkspace;
let outside: Receiver;
/** The status of the response for some paths; 200 for all others. */
let statuses: Map<string, number>;
let slack: object;

beforeAll(async () => {
  outside = await startReceiver(({ url }) => {
    if (url.startsWith('/api/')) return { status: 200, body: slack };
    return { status: statuses.get(url) ?? 200 };
  });
  root = await startWorkspace({
    clock: clock.clock,
    timer: clock.timer,
    monotonic: clock.monotonic,
    env: { HUBLINE_SLACK_API_URL: `${outside.url}/api` },
  });
});
afterAll(async () => {
  await root.stop();
  await outside.stop();
});
beforeEach(async () => {
  workspace = await newStranger(root);
  outside.calls.length = 0;
  statuses = new Map();
  slack = { ok: true };
});

const SECRET = 's3cret';
const here = () => ({ params: { id: workspace.workspaceId } });

async function newWebhook(path: string, events: string[], name?: string): Promise<string> {
  const { id } = await workspace.api.call('webhooks.create', {
    body: {
      url: `${outside.url}${path}`,
      events,
      workspace_id: workspace.workspaceId,
      secret: SECRET,
      ...(name !== undefined && { name }),
    },
  });
  return id;
}

const publish = (type: string, payload: object = {}) =>
  workspace.api.call('events.publish', { ...here(), body: { type, payload } });

const callsTo = (path: string) => outside.calls.filter(({ url }) => url === path);

/** The verified envelope of the only call to a path. */
async function envelopeAt(path: string) {
  const call = await until(`a call of ${path}`, () => callsTo(path)[0]);
  expect(callsTo(path)).toHaveLength(1);
  return unwrap(
    { body: call.bytes, headers: call.headers },
    { secret: SECRET, now: () => clock.clock().getTime() },
  );
}

const deliveriesOf = async (webhookId: string) =>
  (await workspace.api.call('deliveries.listForWebhook', { params: { webhookId } })).data;

const titles = async () => (await workspace.api.call('notifications.list')).data.map(({ title }) => title);

it('operators are told of a webhook that is disabled; webhooks with the wildcard, and the webhook itself, are not', async () => {
  const ill = await newWebhook('/ill', ['event.created', 'webhook.disabled', 'webhook.failing'], 'Billing');
  await newWebhook('/operator', ['webhook.disabled']);
  const all = await newWebhook('/all', ['*']);
  statuses.set('/ill', 410);
  await publish('deploy');
  const event = await envelopeAt('/operator');
  expect(event).toMatchObject({
    type: 'webhook.disabled',
    workspace_id: workspace.workspaceId,
    data: {
      webhook_id: ill,
      webhook_name: 'Billing',
      webhook_host: new URL(outside.url).host,
      reason: 'gone',
      message: 'It responded with 410 Gone, which means that it no longer accepts calls.',
    },
    event: { id: null },
  });
  expect((await deliveriesOf(ill)).map(({ event_type }) => event_type)).toEqual(['event.created']);
  expect((await deliveriesOf(all)).map(({ event_type }) => event_type)).toEqual(['event.created']);
  expect(await until('the owner to be notified', async () => (await titles())[0])).toBe(
    `The webhook Billing (${new URL(outside.url).host}) was disabled`,
  );
});

it('two failing webhooks that would be notified of each other get one notice each, and cause no loop', async () => {
  const [a, b] = [
    await newWebhook('/a', ['event.created', 'webhook.failing']),
    await newWebhook('/b', ['event.created', 'webhook.failing']),
  ];
  statuses.set('/a', 500).set('/b', 500);
  await publish('deploy');
  const settle = async (count: number) =>
    until(`${count} deliveries that are over`, async () => {
      clock.advance(60_000);
      const all = [...(await deliveriesOf(a)), ...(await deliveriesOf(b))];
      return all.every(({ status }) => status === 'failed') && all.length === count && all;
    });
  // Each webhook gets the event, and the notice about the other webhook.
  const over = await settle(4);
  expect(over.map(({ event_type }) => event_type).toSorted()).toEqual([
    'event.created',
    'event.created',
    'webhook.failing',
    'webhook.failing',
  ]);
  await publish('deploy');
  await settle(6);
  const told = async () => (await titles()).filter((title) => title.includes('is failing')).length;
  await until('the owner to be notified of both', async () => (await told()) >= 2);
  expect(await told()).toBe(2);
});

it('operators are told of an integration that has a problem', async () => {
  await newWebhook('/operator', ['integration.error']);
  const { integration_id } = await workspace.api.call('integrations.connect', {
    body: {
      provider: 'slack',
      workspace_id: workspace.workspaceId,
      credentials: { token: 'xoxb-works', signing_secret: 'slack-signing-secret' },
      config: { channel: '#ops', notify_on: ['event.created'] },
    },
  });
  slack = { ok: false, error: 'invalid_auth' };
  await publish('deploy');
  expect(await envelopeAt('/operator')).toMatchObject({
    type: 'integration.error',
    data: { integration_id, integration_type: 'slack', code: expect.stringMatching(/./) },
  });
  expect(await until('the owner to be notified', async () => (await titles())[0])).toContain('slack');
});

it('a rule sends to a webhook: signed and retried like every delivery, and only what matches the rule', async () => {
  const webhookId = await newWebhook('/on-call', ['notification.sent']);
  const rule = await workspace.api.call('notificationRules.create', {
    ...here(),
    body: {
      name: 'Page on-call',
      notify_on: ['event.created'],
      filters: { severity: ['critical'] },
      destinations: [{ kind: 'webhook', webhook_id: webhookId }],
    },
  });
  await publish('issue', { severity: 'low', title: 'Typo' });
  statuses.set('/on-call', 503);
  const { event_id } = await publish('issue', { severity: 'critical', title: 'Checkout is down' });
  const [first] = await until('a failed call', async () => {
    const [delivery] = await deliveriesOf(webhookId);
    return delivery?.status === 'retrying' && [delivery];
  });
  statuses.clear();
  clock.advance(10_000);
  await until('the retry', async () => (await deliveriesOf(webhookId))[0]?.status === 'delivered');
  const [, again] = callsTo('/on-call');
  const event = await unwrap(
    { body: again?.bytes ?? '', headers: again?.headers ?? {} },
    { secret: SECRET, now: () => clock.clock().getTime() },
  );
  expect(event).toMatchObject({
    id: first?.id,
    type: 'notification.sent',
    data: {
      rule_id: rule.id,
      rule_name: 'Page on-call',
      trigger: 'event.created',
      event_id,
      severity: 'critical',
      title: expect.stringContaining('critical'),
    },
  });
  const { data: log } = await workspace.api.call('notificationRules.log', here());
  expect(log).toMatchObject([
    { kind: 'webhook', to: new URL(outside.url).host, status: 'sent', attempts: 1 },
  ]);
  expect(await deliveriesOf(webhookId)).toHaveLength(1);

  const test = { params: { ...here().params, ruleId: rule.id }, body: { event_id } };
  expect((await workspace.api.call('notificationRules.test', test)).destinations).toEqual([
    { kind: 'webhook', to: new URL(outside.url).host, problem: null },
  ]);
  await workspace.api.call('webhooks.delete', { params: { webhookId } });
  expect((await workspace.api.call('notificationRules.test', test)).destinations).toMatchObject([
    { kind: 'webhook', problem: 'the webhook was deleted' },
  ]);
});

it('a rule about disabled webhooks does not send to the one that is disabled', async () => {
  const webhookId = await newWebhook('/ill', ['event.created']);
  await workspace.api.call('notificationRules.create', {
    ...here(),
    body: {
      name: 'Problems',
      notify_on: ['webhook.disabled'],
      destinations: [
        { kind: 'webhook', webhook_id: webhookId },
        { kind: 'webhook', webhook_id: await newWebhook('/other', ['notification.sent']) },
      ],
    },
  });
  statuses.set('/ill', 410);
  await publish('deploy');
  expect(await envelopeAt('/other')).toMatchObject({ data: { trigger: 'webhook.disabled', event_id: null } });
  expect(await deliveriesOf(webhookId)).toHaveLength(1);
});

it('a webhook of another workspace is not a destination', async () => {
  const { workspaceId, api } = await newStranger(root);
  const foreign = await api.call('webhooks.create', {
    body: { url: `${outside.url}/x`, events: ['*'], workspace_id: workspaceId, secret: SECRET },
  });
  const refusal = await workspace.api.refused('notificationRules.create', 404, {
    ...here(),
    body: {
      name: 'x',
      notify_on: ['event.created'],
      destinations: [{ kind: 'webhook', webhook_id: foreign.id }],
    },
  });
  expect(refusal.details).toMatchObject([{ field: 'destinations[0].webhook_id' }]);
});

it('a subscription can have the wildcard together with triggers that must be named', async () => {
  const { events } = await workspace.api.call('webhooks.create', {
    body: {
      url: `${outside.url}/x`,
      events: ['event.created', 'webhook.failing', '*', 'webhook.failing'],
      workspace_id: workspace.workspaceId,
      secret: SECRET,
    },
  });
  expect(events).toEqual(['webhook.failing', '*']);
});

it('send_notification sends a template, in the format that the tool shows best', async () => {
  const { integration_id } = await workspace.api.call('integrations.connect', {
    body: {
      provider: 'slack',
      workspace_id: workspace.workspaceId,
      credentials: { token: 'xoxb-works', signing_secret: 'slack-signing-secret' },
      config: { channel: '#ops' },
    },
  });
  const section = { type: 'section', text: { type: 'mrkdwn', text: '*{{ event.payload.title }}*' } };
  const { id: template_id } = await workspace.api.call('notificationTemplates.create', {
    ...here(),
    body: { name: 'Merged', body: { text: 'Merged: {{ event.payload.title }}', slack_blocks: [section] } },
  });
  const action = { type: 'send_notification', integration_id, channel: '#releases', template_id };
  const definition = {
    name: 'Announce',
    trigger: { event: 'event.created', types: ['merged'] },
    actions: [action],
  };
  const { id } = await workspace.api.call('automations.create', { ...here(), body: definition });
  await publish('merged', { title: 'Cache <it>' });
  const post = await until('the message', () =>
    outside.calls.find(({ url }) => url.endsWith('chat.postMessage')),
  );
  const { channel, text, blocks } = Object.fromEntries(new URLSearchParams(post.body));
  expect([channel, text, JSON.parse(blocks ?? '')]).toEqual([
    '#releases',
    'Merged: Cache &lt;it&gt;',
    [{ type: 'section', text: { type: 'mrkdwn', text: '*Cache &lt;it&gt;*' } }],
  ]);

  const dry = await workspace.api.call('automations.test', {
    params: { ...here().params, automationId: id },
    body: {},
  });
  expect(dry.steps[0]?.request).toMatchObject({
    text: 'Merged: Cache <it>',
    forms: { slack_blocks: [{ text: { text: '*Cache &lt;it&gt;*' } }] },
  });

  const params = { ...here().params, templateId: template_id };
  expect(
    (await workspace.api.refused('notificationTemplates.delete', 409, { params })).details,
  ).toMatchObject([{ field: 'templateId', issue: 'is the template of the automation Announce' }]);
  for (const [changes, field] of [
    [{ text: 'both' }, 'actions[0].text'],
    [{ template_id: undefined }, 'actions[0].text'],
  ] as const) {
    const body = { ...definition, actions: [{ ...action, ...changes }] };
    const refusal = await workspace.api.refused('automations.create', 400, { ...here(), body });
    expect(refusal.details).toMatchObject([{ field }]);
  }
  const unknown = { ...action, template_id: 'ntp_00000000000000000000000000' };
  const refusal = await workspace.api.refused('automations.create', 404, {
    ...here(),
    body: { ...definition, actions: [unknown] },
  });
  expect(refusal.details).toMatchObject([{ field: 'actions[0].template_id' }]);
});
