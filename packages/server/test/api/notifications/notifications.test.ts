import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../delivery/support.ts';
import { inTwo, join } from '../support/workspace.ts';
import type { ReceiverResponse } from '../support/stand-ins/receiver.ts';
import { until } from '../support/until.ts';
import { OK, useNotifications } from './use-notifications.ts';

const hub = useNotifications();
const { connectSlack, here, log, mails, newRule, posts, publish, settled } = hub;

it('email and in-app go to members by role and by name, once each, and one click ends the emails of a rule', async () => {
  const viewer = await join(hub.workspace, 'viewer');
  const both = { roles: ['viewer'], user_ids: [viewer.userId] };
  const { id } = await newRule({
    name: 'Critical "alerts"',
    destinations: [
      { kind: 'email', ...both },
      { kind: 'in_app', ...both },
    ],
  });
  const { event_id } = await publish('alert', {
    severity: 'critical',
    title: 'Grüße <b> https://example.com/x?a=1&b=2',
  });
  await settled(2);
  const { data } = await viewer.own.call('notifications.list', {});
  expect(data).toEqual([
    expect.objectContaining({
      rule_id: id,
      event_id,
      severity: 'critical',
      read_at: null,
      trigger: 'event.created',
    }),
  ]);
  const [mail, ...more] = mails();
  expect(more).toEqual([]);
  expect(mail?.to).toEqual([viewer.email]);
  expect(mail?.header('Auto-Submitted')).toBe('auto-generated');
  expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(mail?.raw).toMatch(/Content-Type: text\/plain/);
  expect(mail?.raw).toMatch(/Content-Type: text\/html/);
  const link = mail?.header('List-Unsubscribe').slice(1, -1) ?? '';
  // A scanner that follows the link changes nothing.
  expect((await fetch(link)).status).toBe(200);
  await publish('alert', { severity: 'critical' });
  await settled(4);
  expect(mails()).toHaveLength(2);
  const clicked = await fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(clicked.status).toBe(200);
  const forged = await fetch(
    link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    },
  );
  expect(forged.status).toBe(404);
  await publish('alert', { severity: 'critical' });
  const messages = await settled(6);
  expect(mails()).toHaveLength(2);
  expect(messages.find(({ kind }) => kind === 'email')).toMatchObject({
    status: 'suppressed',
    reason: 'unsubscribed',
  });
});

it('notifications are read one by one, or all at once, and belong to nobody else', async () => {
  await newRule({ destinations: [{ kind: 'in_app', roles: ['owner'] }] });
  for (let index = 0; index < 3; index += 1) await publish('push');
  await settled(3);
  const query = { workspace_id: hub.workspace.workspaceId };
  const { data } = await hub.workspace.api.call('notifications.list', { query });
  const [first] = data;
  const params = { notificationId: first?.id ?? '' };
  await hub.workspace.api.call('notifications.update', { params, body: { read: true } });
  const unread = { ...query, unread: 'true' };
  expect((await hub.workspace.api.call('notifications.list', { query: unread })).data).toHaveLength(2);
  await hub.workspace.api.call('notifications.update', { params, body: { read: false } });
  expect((await hub.workspace.api.call('notifications.list', { query: unread })).data).toHaveLength(3);
  const other = await join(hub.workspace, 'admin');
  expect((await other.own.send('notifications.update', { params, body: { read: true } })).status).toBe(404);
  const page = { ...query, limit: '1' };
  const { next_cursor } = (await hub.workspace.api.call('notifications.list', { query: page })).pagination;
  const foreign = { query: { ...page, cursor: next_cursor ?? '' } };
  expect((await hub.workspace.api.call('notifications.list', foreign)).data).toHaveLength(1);
  for (const api of [other.own, other.personal]) await api.refused('notifications.list', 400, foreign);
  await hub.workspace.api.call('notifications.readAll', {
    body: { workspace_id: hub.workspace.workspaceId },
  });
  expect((await hub.workspace.api.call('notifications.list', { query: unread })).data).toEqual([]);
});

it('an email that is held is not sent to a member who is gone by then', async () => {
  const member = await join(hub.workspace, 'viewer');
  const quiet_hours = { timezone: 'UTC', from: '00:01', to: '00:00' };
  await newRule({
    name: 'Quiet',
    quiet_hours,
    destinations: [{ kind: 'email', user_ids: [member.userId] }],
    types: ['quiet'],
  });
  await publish('quiet');
  await until('the held mail', async () => (await log()).some(({ status }) => status === 'held'));
  await hub.workspace.api.call('members.remove', {
    params: { id: hub.workspace.workspaceId, userId: member.userId },
  });
  hub.clock.advance(24 * 60 * 60_000);
  const ended = await until('its end', async () => (await log()).find(({ status }) => status === 'failed'));
  expect(ended).toMatchObject({ reason: 'the member was removed' });
  expect(mails()).toEqual([]);
});

it.each<[string, object]>([
  ['held for quiet hours', { quiet_hours: { timezone: 'UTC', from: '00:01', to: '00:00' } }],
  ['collected for a digest', { digest: { window_seconds: 3_600 } }],
])('an email that is %s is not sent to a reader who unsubscribes meanwhile', async (_, settings) => {
  const destinations = [{ kind: 'email', roles: ['owner'] }];
  const { id: ruleId } = await newRule({ name: 'Patient', types: ['patient'], destinations });
  await publish('patient');
  await settled(1);
  const link = mails()[0]?.header('List-Unsubscribe').slice(1, -1) ?? '';
  await hub.workspace.api.call('notificationRules.update', {
    params: { ...here().params, ruleId },
    body: settings,
  });
  await publish('patient');
  await until('it to wait', async () => (await log()).some(({ completed_at }) => completed_at === null));
  const clicked = await fetch(link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  });
  expect(clicked.status).toBe(200);
  hub.clock.advance(24 * 60 * 60_000);
  await until('its end', async () => (await log()).every(({ completed_at }) => completed_at !== null));
  const [last] = await log();
  expect(last).toMatchObject({ kind: 'email', status: 'suppressed', reason: 'unsubscribed' });
  expect(mails()).toHaveLength(1);
});

it('a message whose blocks the tool refuses is sent as text, and is no error of the integration', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  const { id: template_id } = await hub.workspace.api.call('notificationTemplates.create', {
    ...here(),
    body: { name: 'Blocks', body: { text: 'Push', slack_blocks: [{ type: 'nonsense' }] } },
  });
  await newRule({ destinations: [{ kind: 'integration', integration_id }], template_id });
  hub.slackResponses.push(
    () => ({ status: 200, body: { ok: false, error: 'invalid_blocks' } }),
    () => OK,
  );
  await publish('push');
  expect(await settled(1)).toMatchObject([
    { status: 'sent', attempts: 1, reason: 'sent as text: Slack responded with invalid_blocks' },
  ]);
  expect(posts().map(({ text, blocks }) => [text, blocks === undefined])).toEqual([
    ['Push', false],
    ['Push', true],
  ]);
  const { status } = await hub.workspace.api.call('integrations.get', {
    params: { integrationId: integration_id },
  });
  expect(status).toBe('connected');
});

it('a message is retried when a busy tool says, and not after a refusal; the log says why', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  await newRule({ destinations: [{ kind: 'integration', integration_id }] });
  hub.slackResponses.push(
    () => ({ status: 429, headers: { 'retry-after': '30' }, body: { ok: false, error: 'ratelimited' } }),
    () => ({ status: 502, text: '<html>Bad gateway</html>' }),
    () => OK,
    () => ({ status: 200, body: { ok: false, error: 'channel_not_found' } }),
  );
  await publish('push');
  const waiting = await until('the first attempt', async () =>
    (await log()).find(({ attempts }) => attempts === 1),
  );
  expect(waiting).toMatchObject({ status: 'pending', reason: expect.stringContaining('429') });
  expect(Date.parse(waiting.next_attempt_at ?? '') - hub.clock.clock().getTime()).toBeGreaterThanOrEqual(
    29_000,
  );
  hub.clock.advance(30_000);
  await until('the second attempt', async () => (await log())[0]?.attempts === 2);
  hub.clock.advance(60_000);
  expect((await settled(1))[0]).toMatchObject({ status: 'sent', attempts: 3 });
  await publish('push');
  // Looks for its status, because messages to the owners follow in the log at once.
  const failed = await until('the refusal', async () =>
    (await log()).find(({ status }) => status === 'failed'),
  );
  expect(failed).toMatchObject({
    attempts: 1,
    reason: expect.stringContaining('channel_not_found'),
  });
  // Owners are notified without a rule, in-app and by email.
  await until('the mail', () => mails().length === 1);
  expect(mails()[0]?.header('Subject')).toBe('The integration slack has a problem');
  const { data } = await hub.workspace.api.call('notifications.list', {
    query: { workspace_id: hub.workspace.workspaceId },
  });
  expect(data).toEqual([
    expect.objectContaining({ trigger: 'integration.error', severity: 'high', rule_id: null }),
  ]);
});

it('an automation whose integration is gone can be renamed and disabled, but not enabled again', async () => {
  const integrationId = await connectSlack({ channel: '#ops' });
  const actions = [{ type: 'send_notification', integration_id: integrationId, text: 'Hi' }];
  const { id: automationId } = await hub.workspace.api.call('automations.create', {
    ...here(),
    body: { name: 'Tell', trigger: { event: 'manual' }, actions },
  });
  await hub.workspace.api.call('integrations.disconnect', {
    params: { id: hub.workspace.workspaceId, integrationId },
  });
  const params = { id: hub.workspace.workspaceId, automationId };
  const off = { name: 'Told', enabled: false, actions };
  expect(await hub.workspace.api.call('automations.update', { params, body: off })).toMatchObject({
    name: 'Told',
  });
  const refusal = await hub.workspace.api.refused('automations.update', 404, {
    params,
    body: { enabled: true },
  });
  expect(refusal.details).toMatchObject([{ field: 'actions[0].integration_id' }]);
});

it.each([
  [
    'removed',
    (params: { id: string; userId: string }) => hub.workspace.api.call('members.remove', { params }),
  ],
  [
    'made a viewer',
    (params: { id: string; userId: string }) =>
      hub.workspace.api.call('members.update', { params, body: { role: 'viewer' } }),
  ],
])(
  'owners are notified, in-app and by email, of an automation that is disabled because its responsible member was %s',
  async (_, leave) => {
    const maker = await join(hub.workspace, 'admin');
    const { id: automationId } = await maker.own.call('automations.create', {
      ...here(),
      body: {
        name: 'Board',
        trigger: { event: 'manual' },
        actions: [{ type: 'call_webhook', url: `${hub.slack.url}/board` }],
      },
    });
    await hub.workspace.api.call('webhooks.create', {
      body: {
        url: `${hub.slack.url}/operator`,
        events: ['automation.disabled'],
        workspace_id: hub.workspace.workspaceId,
        secret: 's3cret',
      },
    });
    await leave({ id: hub.workspace.workspaceId, userId: maker.userId });
    await until('the mail', () => mails().length === 1);
    expect(mails()[0]?.header('Subject')).toBe('The automation Board was disabled');
    expect(mails()[0]?.header('To')).not.toContain(maker.email);
    const { data } = await hub.workspace.api.call('notifications.list', {
      query: { workspace_id: hub.workspace.workspaceId },
    });
    expect(data).toMatchObject([
      { trigger: 'automation.disabled', severity: 'medium', resource_id: automationId, event_id: null },
    ]);
    const message = expect.stringContaining(
      `on behalf of ${maker.email}, who may no longer edit automations`,
    );
    expect(data[0]?.text).toContain(`hubline automation enable ${automationId}`);
    const call = await until('the call', () => hub.slack.calls.find(({ url }) => url === '/operator'));
    expect(JSON.parse(call.body)).toMatchObject({
      type: 'automation.disabled',
      data: { automation_id: automationId, automation_name: 'Board', user_id: maker.userId, message },
    });
  },
);

// With two processes, each of them would call the hanging destination.
it.skipIf(inTwo)('a destination that hangs keeps nobody else waiting', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  await newRule({
    destinations: [
      { kind: 'integration', integration_id },
      { kind: 'email', roles: ['owner'] },
    ],
  });
  const hanging = Promise.withResolvers<ReceiverResponse>();
  hub.slackResponses.push(() => hanging.promise);
  for (let index = 0; index < 20; index += 1) await publish('push');
  await until('the message that hangs', () => posts().length > 0);
  await until('the mails', () => mails().length === 20);
  expect(posts()).toHaveLength(1);
  hanging.resolve(OK);
  await until('the rest', async () => {
    hub.clock.advance(250);
    return (await log({ status: 'sent' })).length === 40;
  });
  expect(posts()).toHaveLength(20);
});

it.skipIf(inTwo)('messages to a busy tool take turns as before when the clock is set back', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  await newRule({ destinations: [{ kind: 'integration', integration_id }] });
  const hanging = [Promise.withResolvers<ReceiverResponse>(), Promise.withResolvers<ReceiverResponse>()];
  hub.slackResponses.push(
    ...hanging.map(
      ({ promise }) =>
        () =>
          promise,
    ),
  );
  const store = openStore(hub.workspace);
  /** Waits until the job of a message was put off. Resolves to the milliseconds until it is due. */
  const putOff = () =>
    until('a job that was put off', async () => {
      const now = hub.clock.clock().getTime();
      const [job] = await store.read
        .selectFrom('jobs')
        .select('due_at')
        .where('kind', '=', 'send_notification')
        .where('lease_owner', 'is', null)
        .where('due_at', '>', now)
        .execute();
      return job && job.due_at - now;
    });
  await publish('first');
  await until('the first call', () => posts().length === 1);
  await publish('second');
  expect(await putOff()).toBe(250);
  const jumpMs = 60 * 60_000;
  hub.clock.set(-jumpMs);
  onTestFinished(() => hub.clock.set(jumpMs));
  hanging[0]?.resolve(OK);
  await until('the first message', async () => (await log({ status: 'sent' })).length === 1);
  await until('the second call', () => {
    hub.clock.advance(250);
    return posts().length === 2;
  });
  await publish('third');
  expect(await putOff()).toBeLessThanOrEqual(500);
  hanging[1]?.resolve(OK);
  await until('the third call', () => {
    hub.clock.advance(250);
    return posts().length === 3;
  });
});
