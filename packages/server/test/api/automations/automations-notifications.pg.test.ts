import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '../../delivery/test-clock.ts';
import { openStream } from '../support/message-stream.ts';
import { type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { startSmtpInbox } from '../support/stand-ins/smtp-inbox.ts';
import { until } from '../support/until.ts';
import { atRest } from './use-automations.ts';

// Runs every statement of automations and notifications once on PostgreSQL. The rules are tested next to this file, on
// SQLite.

// Ahead of the real clock, because `atRest` compares leases with that one.
const clock = new TestClock(Date.parse('2036-11-26T11:00:00.000Z'));
let workspace: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;
let inbox: Awaited<ReturnType<typeof startSmtpInbox>>;
let status = 200;

beforeAll(async () => {
  receiver = await startReceiver(() => ({ status, body: { ok: true } }));
  inbox = await startSmtpInbox();
  workspace = await startWorkspace({
    clock: clock.clock,
    timer: clock.timer,
    monotonic: clock.monotonic,
    env: { HUBLINE_SMTP_URL: inbox.url, HUBLINE_MAIL_FROM: 'hub@hub.test' },
  });
});
afterAll(async () => {
  await workspace.stop();
  await receiver.stop();
  await inbox.stop();
});

const here = () => ({ params: { id: workspace.workspaceId } });

const publish = (type: string, payload: object = {}) =>
  workspace.api.call('events.publish', { ...here(), body: { type, source: 'ci', payload } });

async function create(body: object): Promise<string> {
  const { id } = await workspace.api.call('automations.create', { ...here(), body: { name: 'A', ...body } });
  return id;
}

const runsOf = async (automationId: string, query: Record<string, string> = {}) =>
  (await workspace.api.call('automations.listRuns', { params: { ...here().params, automationId }, query }))
    .data;

const newRule = (body: object) =>
  workspace.api.call('notificationRules.create', {
    ...here(),
    body: { name: 'Rule', notify_on: ['event.created'], ...body },
  });

it('automations are stored, matched, run, retried, cancelled, throttled, queued and scheduled', async () => {
  const trigger = (type: string) => ({ event: 'event.created', types: [type], sources: ['ci'] });
  const call = { type: 'call_webhook', url: receiver.url, retries: 0 };

  const id = await create({
    trigger: trigger('deploy'),
    conditions: { field: 'event.payload.env', op: 'eq', value: 'production' },
    actions: [
      call,
      { type: 'create_event', event_type: 'deployed', payload: { n: '{{ event.payload.n }}' } },
    ],
    concurrency_key: '{{ event.type }}',
  });
  const params = { ...here().params, automationId: id };
  await publish('deploy', { env: 'staging' });
  status = 400;
  const event = await publish('deploy', { env: 'production', n: 7 });
  const failed = await until('a failed run', async () => (await runsOf(id, { status: 'failed' }))[0]);
  expect(failed.event_id).toBe(event.event_id);
  status = 200;
  const run = { ...params, runId: failed.id };
  await workspace.api.call('automations.retryRun', { params: run });
  await until('its end', async () => (await runsOf(id, { status: 'succeeded' })).length === 1);
  const { steps } = await workspace.api.call('automations.getRun', { params: run });
  expect(steps.map((step) => step.status)).toEqual(['succeeded', 'succeeded']);
  expect(await runsOf(id, { event_id: event.event_id, since: '2036-11-26T10:00:00Z' })).toHaveLength(1);
  expect(await runsOf(id, { since: '2036-11-26T12:00:00Z' })).toEqual([]);
  const dry = await workspace.api.call('automations.test', { params, body: { event_id: event.event_id } });
  expect([dry.matched, dry.steps.length]).toEqual([true, 2]);

  const waits = await create({
    trigger: trigger('wait'),
    actions: [{ type: 'wait', seconds: 60 }],
    concurrency_key: 'one',
    throttle: { max_runs: 2, per_seconds: 60 },
  });
  for (let n = 0; n < 3; n++) await publish('wait');
  const states = async () => (await runsOf(waits)).map((each) => each.status).toReversed();
  await until('the first to wait', async () => (await states())[0] === 'waiting');
  expect(await states()).toEqual(['waiting', 'queued', 'skipped']);
  await atRest(workspace);
  clock.advance(61_000);
  await until('the second to wait', async () => (await states())[1] === 'waiting');
  const [, second] = await runsOf(waits);
  await workspace.api.call('automations.cancelRun', {
    params: { ...here().params, automationId: waits, runId: second?.id ?? '' },
  });
  expect(await states()).toEqual(['succeeded', 'cancelled', 'skipped']);

  const scheduled = await create({
    trigger: { event: 'schedule', cron: '0 * * * *' },
    actions: [{ type: 'wait', seconds: 1 }],
  });
  clock.advance(3_600_000);
  await until('the scheduled run', async () => (await runsOf(scheduled)).length === 1);
  await workspace.api.call('automations.run', {
    params: { ...here().params, automationId: scheduled },
    body: {},
  });
  expect(await runsOf(scheduled)).toHaveLength(2);

  await workspace.api.call('automations.update', { params, body: { enabled: false, name: 'B' } });
  const { data } = await workspace.api.call('automations.list', here());
  // The clock stands still, and the IDs that two servers make at one moment have no order.
  const known = data.map(({ name, enabled }) => `${name} ${enabled}`).toSorted();
  expect(known).toEqual(['A true', 'A true', 'B false']);
  await workspace.api.call('automations.delete', { params });
  expect((await workspace.api.send('automations.get', { params })).status).toBe(404);
});

it('rules and templates are stored, matched and sent: by email, in a digest, to webhooks and in-app', async () => {
  const { id: template_id } = await workspace.api.call('notificationTemplates.create', {
    ...here(),
    body: { name: 'T', body: { text: '{{ event.payload.title }}' } },
  });
  const template = { ...here().params, templateId: template_id };
  await workspace.api.call('notificationTemplates.update', {
    params: template,
    body: { subject: 'News: {{ event.payload.title }}' },
  });
  const old = await workspace.api.call('notificationTemplates.get', {
    params: template,
    query: { version: '1' },
  });
  expect(old.subject).toBeNull();

  const { id: webhook_id } = await workspace.api.call('webhooks.create', {
    body: {
      url: `${receiver.url}/told`,
      events: ['notification.sent'],
      workspace_id: workspace.workspaceId,
      secret: 's3cret',
    },
  });
  const rule = await newRule({
    types: ['news'],
    template_id,
    destinations: [
      { kind: 'email', roles: ['owner'] },
      { kind: 'in_app', user_ids: [(await workspace.api.call('me.get')).user.id] },
      { kind: 'webhook', webhook_id },
    ],
    dedupe: { key: '{{ event.payload.title }}', window_seconds: 60 },
  });
  await newRule({
    name: 'Digest',
    types: ['news'],
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
    digest: { window_seconds: 60, max_items: 1 },
  });
  const stream = await openStream<{ unread: number }>(workspace.api, '/me/notifications/stream');
  await publish('news', { title: 'one' });
  await publish('news', { title: 'one' });
  const log = async (query: Record<string, string> = {}) =>
    (await workspace.api.call('notificationRules.log', { ...here(), query: { limit: '100', ...query } }))
      .data;
  await until('both to be told', async () => {
    const told = await log({ rule_id: rule.id });
    return told.length === 6 && told.every(({ completed_at }) => completed_at !== null);
  });
  const states = (await log({ rule_id: rule.id })).map((each) => each.status);
  expect(states.toSorted()).toEqual(['sent', 'sent', 'sent', 'suppressed', 'suppressed', 'suppressed']);
  expect(inbox.mails.at(-1)?.header('Subject')).toBe('News: one');
  await until('the call', () => receiver.calls.some(({ url }) => url === '/told'));

  await until('two in the digest', async () => (await log({ status: 'collecting' })).length === 2);
  clock.advance(61_000);
  await until('the digest', async () => (await log({ status: 'collecting' })).length === 0);
  const { data } = await workspace.api.call('notifications.list', { query: { unread: 'true' } });
  expect(data.map(({ title }) => title)).toEqual(['Digest: 2 notifications', 'News: one']);
  await until('the stream', () => stream.messages.at(-1)?.data.unread === 2);
  await workspace.api.call('notifications.update', {
    params: { notificationId: data[0]?.id ?? '' },
    body: { read: true },
  });
  const body = { workspace_id: workspace.workspaceId };
  expect((await workspace.api.call('notifications.readAll', { body })).unread).toBe(0);

  const params = { ...here().params, ruleId: rule.id };
  expect((await workspace.api.call('notificationRules.test', { params, body: {} })).matched).toBe(true);
  await workspace.api.refused('notificationTemplates.delete', 409, { params: template });
  await workspace.api.call('notificationRules.update', {
    params,
    body: { enabled: false, template_id: null },
  });
  await workspace.api.call('notificationTemplates.delete', { params: template });
  expect((await workspace.api.call('notificationRules.list', here())).data).toHaveLength(2);
  await workspace.api.call('notificationRules.delete', { params });
});

it('a NUL in an event, which PostgreSQL cannot store, keeps neither the event nor its messages and runs away', async () => {
  const types = ['odd'];
  const id = await create({
    trigger: { event: 'event.created', types },
    actions: [{ type: 'wait', seconds: 1 }],
    concurrency_key: '{{ event.payload.title }}',
  });
  const { id: template_id } = await workspace.api.call('notificationTemplates.create', {
    ...here(),
    body: {
      name: 'Odd',
      subject: 'Title: {{ event.payload.title }}',
      body: { text: '{{ event.payload.title }}' },
    },
  });
  const key = '{{ event.payload.title }}';
  const destinations = [{ kind: 'in_app', roles: ['owner'] }];
  await newRule({ types, template_id, destinations, dedupe: { key, window_seconds: 60 } });
  await newRule({ types, template_id, destinations, digest: { key, window_seconds: 60 } });
  await publish('odd', { title: 'a\0b' });
  expect(await runsOf(id)).toHaveLength(1);
  const log = async () =>
    (await workspace.api.call('notificationRules.log', { ...here(), query: { limit: '100' } })).data.filter(
      ({ subject }) => subject === 'Title: ab',
    );
  await until('both messages', async () => (await log()).length === 2);
  expect((await log()).map(({ status: state }) => state).toSorted()).toEqual(['collecting', 'sent']);
});
