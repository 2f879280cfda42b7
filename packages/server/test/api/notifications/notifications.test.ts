import type { EndpointOutput } from '@hubline/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { TestClock } from '../../delivery/test-clock.ts';
import { inTwo, join, newWorkspace, type Place, startPlace } from '../support/place.ts';
import { type Receiver, type ReceiverAnswer, startReceiver } from '../support/stand-ins/receiver.ts';
import { startSmtpInbox } from '../support/stand-ins/smtp-inbox.ts';
import { until } from '../support/until.ts';

type Message = EndpointOutput<'notificationRules.log'>['data'][number];

// Noon in Berlin, on a Thursday.
const clock = new TestClock(Date.parse('2026-11-26T11:00:00.000Z'));
let root: Place & { stop(): Promise<void> };
let place: Place;
let slack: Receiver;
let inbox: Awaited<ReturnType<typeof startSmtpInbox>>;
let slackAnswers: (() => ReceiverAnswer)[];

const OK = { status: 200, body: { ok: true } };

beforeAll(async () => {
  slack = await startReceiver(({ url }) =>
    url.endsWith('chat.postMessage') ? (slackAnswers.shift()?.() ?? OK) : OK,
  );
  inbox = await startSmtpInbox();
  root = await startPlace({
    clock: clock.clock,
    timer: clock.timer,
    monotonic: clock.monotonic,
    env: {
      HUBLINE_SLACK_API_URL: `${slack.url}/api`,
      HUBLINE_SMTP_URL: inbox.url,
      HUBLINE_MAIL_FROM: 'hub@hub.test',
    },
  });
});
afterAll(async () => {
  await root.stop();
  await slack.stop();
  await inbox.stop();
});
beforeEach(async () => {
  place = await newWorkspace(root);
  slack.calls.length = 0;
  inbox.mails.length = 0;
  slackAnswers = [];
});

const here = () => ({ params: { id: place.workspaceId } });

async function connectSlack(config: object): Promise<string> {
  const { integration_id } = await place.api.call('integrations.connect', {
    body: {
      provider: 'slack',
      workspace_id: place.workspaceId,
      credentials: { token: 'xoxb-works', signing_secret: 'slack-signing-secret' },
      config,
    },
  });
  return integration_id;
}

const newRule = (body: object) =>
  place.api.call('notificationRules.create', {
    ...here(),
    body: { name: 'Rule', notify_on: ['event.created'], ...body },
  });

const publish = (type: string, payload: object = {}) =>
  place.api.call('events.publish', { ...here(), body: { type, source: 'ci', payload } });

const log = async (query: Record<string, string> = {}): Promise<Message[]> =>
  (await place.api.call('notificationRules.log', { ...here(), query: { limit: '100', ...query } })).data;

/** Waits until nothing is on its way any more. */
const settled = (count: number): Promise<Message[]> =>
  until(`${count} messages that are over`, async () => {
    const messages = await log();
    const over = messages.every(({ completed_at }) => completed_at !== null);
    return over && messages.length === count && messages;
  });

/** The mails of rules, without those of invitations. */
const mails = () => inbox.mails.filter((mail) => mail.header('List-Unsubscribe') !== '');

/** The messages that Slack was asked to post. */
const posts = () =>
  slack.calls
    .filter(({ url }) => url.endsWith('chat.postMessage'))
    .map(({ body }) => Object.fromEntries(new URLSearchParams(body)));

it('the settings of an integration are a rule: events of the severities that it names come to its channel', async () => {
  const id = await connectSlack({
    channel: '#ops',
    notify_on: ['event.created', 'user.invited'],
    filters: { severity: ['critical'] },
  });
  await publish('alert', { severity: 'critical', title: 'Disk <full> & <!channel>' });
  await publish('alert', { severity: 'low', title: 'Nothing' });
  // Messages to one tool take turns: the second would be put off, by a clock that stands still.
  await settled(1);
  await place.api.call('members.invite', { ...here(), body: { email: 'mona@example.com', role: 'viewer' } });
  const messages = await settled(2);
  expect(
    posts()
      .map(({ channel, text = '' }) => [channel, text] as const)
      .toSorted(([, a], [, b]) => (a < b ? -1 : 1)),
  ).toEqual([
    ['#ops', expect.stringContaining('Disk &lt;full&gt; &amp; &lt;!channel&gt;')],
    ['#ops', 'mona@example.com is invited to Other as viewer.'],
  ]);
  expect(messages[1]).toMatchObject({
    rule_id: null,
    integration_id: id,
    kind: 'integration',
    to: '#ops',
    status: 'sent',
    attempts: 1,
    reason: null,
  });
  // Changed settings count from now on.
  await place.api.call('integrations.update', {
    params: { integrationId: id },
    body: { config: { channel: '#ops' } },
  });
  await publish('alert', { severity: 'critical' });
  expect(await log()).toHaveLength(2);
});

it('a rule chooses by type, source, severity and conditions, and fills the form that the tool shows best', async () => {
  const integration_id = await connectSlack({});
  const { id: template_id } = await place.api.call('notificationTemplates.create', {
    ...here(),
    body: {
      name: 'Deploys',
      subject: 'Deploy of {{ event.payload.service }}',
      body: {
        text: 'plain {{ event.payload.service }}',
        slack_blocks: [
          {
            type: 'section',
            text: { type: 'mrkdwn', text: '*{{ event.payload.service }}* by {{ event.payload.by }}' },
          },
        ],
      },
    },
  });
  const { id } = await newRule({
    types: ['deploy'],
    sources: ['ci'],
    conditions: { field: 'event.payload.ok', op: 'eq', value: false },
    destinations: [{ kind: 'integration', integration_id, channel: '#deploys' }],
    template_id,
  });
  await publish('push', { ok: false });
  await publish('deploy', { ok: true });
  await publish('deploy', { ok: false, service: 'web', by: '<@U1> *x*' });
  const [message] = await settled(1);
  expect(message).toMatchObject({ rule_id: id, to: '#deploys', subject: 'Deploy of web', status: 'sent' });
  const [post] = posts();
  expect(post).toMatchObject({ channel: '#deploys', text: 'plain web' });
  expect(JSON.parse(post?.['blocks'] ?? '')).toEqual([
    { type: 'section', text: { type: 'mrkdwn', text: '*web* by &lt;@U1&gt; *x*' } },
  ]);
});

it('conditions are looked up by a value that they need: in an event, in what other triggers tell, and in changed rules', async () => {
  const destinations = [{ kind: 'in_app', roles: ['owner'] }];
  const needs = (field: string, value: unknown) => ({ destinations, conditions: { field, op: 'eq', value } });
  const production = await newRule(needs('event.payload.env', 'production'));
  await newRule(needs('event.payload.env', 'staging'));
  const invited = { notify_on: ['event.created', 'user.invited'], ...needs('data.role', 'viewer') };
  const viewers = await newRule(invited);
  await newRule({ ...invited, ...needs('data.role', 'editor') });
  const told = async () => (await log()).map(({ rule_id }) => rule_id).toReversed();
  await publish('deploy', { env: 'production' });
  await settled(1);
  await place.api.call('members.invite', { ...here(), body: { email: 'mona@example.com', role: 'viewer' } });
  await settled(2);
  await publish('deploy', { env: 'preview' });
  await place.api.call('notificationRules.update', {
    params: { id: place.workspaceId, ruleId: production.id },
    body: { conditions: { field: 'event.payload.env', op: 'in', value: ['preview', 'test'] } },
  });
  await publish('deploy', { env: 'production' });
  await publish('deploy', { env: 'preview' });
  await settled(3);
  expect(await told()).toEqual([production.id, viewers.id, production.id]);
});

it('email and in-app go to members by role and by name, once each, and one click ends the emails of a rule', async () => {
  const viewer = await join(place, 'viewer');
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
  const query = { workspace_id: place.workspaceId };
  const { data } = await place.api.call('notifications.list', { query });
  const [first] = data;
  const params = { notificationId: first?.id ?? '' };
  await place.api.call('notifications.update', { params, body: { read: true } });
  const unread = { ...query, unread: 'true' };
  expect((await place.api.call('notifications.list', { query: unread })).data).toHaveLength(2);
  await place.api.call('notifications.update', { params, body: { read: false } });
  expect((await place.api.call('notifications.list', { query: unread })).data).toHaveLength(3);
  const other = await join(place, 'admin');
  expect((await other.own.send('notifications.update', { params, body: { read: true } })).status).toBe(404);
  await place.api.call('notifications.readAll', { body: { workspace_id: place.workspaceId } });
  expect((await place.api.call('notifications.list', { query: unread })).data).toEqual([]);
});

it('in quiet hours a message is held until their end, in-app comes at once, and what is critical does not wait', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  // It is noon in Berlin.
  const quiet_hours = { timezone: 'Europe/Berlin', from: '11:00', to: '13:30' };
  const destinations = [
    { kind: 'integration', integration_id },
    { kind: 'in_app', roles: ['owner'] },
  ];
  await newRule({ name: 'Quiet', quiet_hours, destinations, types: ['quiet'] });
  await newRule({ name: 'Critical', quiet_hours, destinations, types: ['critical'], critical: true });
  await publish('critical');
  await settled(2);
  await publish('quiet');
  const messages = await until('four messages', async () => {
    const found = await log();
    return found.length === 4 && found;
  });
  const held = messages.filter(({ status }) => status === 'held');
  expect(held).toEqual([
    expect.objectContaining({
      kind: 'integration',
      next_attempt_at: '2026-11-26T12:30:00.000Z',
      completed_at: null,
    }),
  ]);
  expect(posts()).toHaveLength(1);
  // The runner looks for jobs every half a minute.
  clock.advance(Date.parse('2026-11-26T12:30:00.000Z') - clock.clock().getTime());
  await until('the held message', () => posts().length === 2);
  await settled(4);
});

it('a mail that is held is not sent to a member who is gone by then', async () => {
  const member = await join(place, 'viewer');
  const quiet_hours = { timezone: 'UTC', from: '00:01', to: '00:00' };
  await newRule({
    name: 'Quiet',
    quiet_hours,
    destinations: [{ kind: 'email', user_ids: [member.userId] }],
    types: ['quiet'],
  });
  await publish('quiet');
  await until('the held mail', async () => (await log()).some(({ status }) => status === 'held'));
  await place.api.call('members.remove', { params: { id: place.workspaceId, userId: member.userId } });
  clock.advance(24 * 60 * 60_000);
  const ended = await until('its end', async () => (await log()).find(({ status }) => status === 'failed'));
  expect(ended).toMatchObject({ reason: 'the member was removed' });
  expect(mails()).toEqual([]);
});

it('a message whose blocks the tool refuses goes out as text, and says nothing about the channel', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  const { id: template_id } = await place.api.call('notificationTemplates.create', {
    ...here(),
    body: { name: 'Blocks', body: { text: 'Push', slack_blocks: [{ type: 'nonsense' }] } },
  });
  await newRule({ destinations: [{ kind: 'integration', integration_id }], template_id });
  slackAnswers = [() => ({ status: 200, body: { ok: false, error: 'invalid_blocks' } }), () => OK];
  await publish('push');
  expect(await settled(1)).toMatchObject([
    { status: 'sent', attempts: 1, reason: 'sent as text: Slack answered invalid_blocks' },
  ]);
  expect(posts().map(({ text, blocks }) => [text, blocks === undefined])).toEqual([
    ['Push', false],
    ['Push', true],
  ]);
  const { status } = await place.api.call('integrations.get', { params: { integrationId: integration_id } });
  expect(status).toBe('connected');
});

it('a template has the name of the workspace in an automation, too', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  const { id: template_id } = await place.api.call('notificationTemplates.create', {
    ...here(),
    body: { name: 'Where', body: { text: 'In {{ workspace.name }} by {{ automation.name }}' } },
  });
  const { id: automationId } = await place.api.call('automations.create', {
    ...here(),
    body: {
      name: 'Tell',
      trigger: { event: 'manual' },
      actions: [{ type: 'send_notification', integration_id, template_id }],
    },
  });
  const params = { id: place.workspaceId, automationId };
  const { steps } = await place.api.call('automations.test', { params, body: {} });
  expect(steps).toMatchObject([{ request: { text: 'In Other by Tell' } }]);
});

it('an automation whose integration is gone can be renamed and switched off, and not on again', async () => {
  const integrationId = await connectSlack({ channel: '#ops' });
  const actions = [{ type: 'send_notification', integration_id: integrationId, text: 'Hi' }];
  const { id: automationId } = await place.api.call('automations.create', {
    ...here(),
    body: { name: 'Tell', trigger: { event: 'manual' }, actions },
  });
  await place.api.call('integrations.disconnect', { params: { id: place.workspaceId, integrationId } });
  const params = { id: place.workspaceId, automationId };
  const off = { name: 'Told', enabled: false, actions };
  expect(await place.api.call('automations.update', { params, body: off })).toMatchObject({ name: 'Told' });
  const refusal = await place.api.refused('automations.update', 404, { params, body: { enabled: true } });
  expect(refusal.details).toMatchObject([{ field: 'actions[0].integration_id' }]);
});

// Two processes match events in no order.
it.skipIf(inTwo)(
  'a digest tells together what has the same key, and deduplication leaves out what was told just now',
  async () => {
    const integration_id = await connectSlack({ channel: '#ops' });
    const destinations = [{ kind: 'integration', integration_id }];
    await newRule({
      name: 'Digest',
      types: ['alert'],
      destinations,
      digest: { window_seconds: 300, max_items: 2, key: '{{ event.source }}' },
    });
    await newRule({
      name: 'Once',
      types: ['once'],
      destinations,
      dedupe: { key: '{{ event.payload.id }}', window_seconds: 60 },
    });
    for (const [index, id] of ['a', 'a', 'b'].entries()) {
      await publish('once', { id });
      await settled(index + 1);
    }
    expect(posts()).toHaveLength(2);
    expect((await log({ status: 'suppressed' })).map(({ reason }) => reason)).toEqual(['told already: a']);
    for (const title of ['one', 'two', 'three']) await publish('alert', { title });
    await until('the collected messages', async () => (await log({ status: 'collecting' })).length === 3);
    clock.advance(300_000);
    await until('the digest', () => posts().length === 3);
    expect(posts()[2]?.['text']).toMatch(/^• .*one.*\n• .*two.*\n… and 1 more$/s);
    await settled(7);
  },
);

it('a tool that is busy is asked again when it says, one that refuses is not, and the log says why', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  await newRule({ destinations: [{ kind: 'integration', integration_id }] });
  slackAnswers = [
    () => ({ status: 429, headers: { 'retry-after': '30' }, body: { ok: false, error: 'ratelimited' } }),
    () => ({ status: 502, text: '<html>Bad gateway</html>' }),
    () => OK,
    () => ({ status: 200, body: { ok: false, error: 'channel_not_found' } }),
  ];
  await publish('push');
  const waiting = await until('the first attempt', async () =>
    (await log()).find(({ attempts }) => attempts === 1),
  );
  expect(waiting).toMatchObject({ status: 'pending', reason: expect.stringContaining('429') });
  expect(Date.parse(waiting.next_attempt_at ?? '') - clock.clock().getTime()).toBeGreaterThanOrEqual(29_000);
  clock.advance(30_000);
  await until('the second attempt', async () => (await log())[0]?.attempts === 2);
  clock.advance(60_000);
  expect((await settled(1))[0]).toMatchObject({ status: 'sent', attempts: 3 });
  await publish('push');
  // By its state: those to the owners follow at once, and two are the log for a moment only.
  const failed = await until('the refusal', async () =>
    (await log()).find(({ status }) => status === 'failed'),
  );
  expect(failed).toMatchObject({
    attempts: 1,
    reason: expect.stringContaining('channel_not_found'),
  });
  // Owners hear of it by themselves: in-app and by email.
  await until('the mail', () => mails().length === 1);
  expect(mails()[0]?.header('Subject')).toBe('The integration slack has a problem');
  const { data } = await place.api.call('notifications.list', { query: { workspace_id: place.workspaceId } });
  expect(data).toEqual([
    expect.objectContaining({ trigger: 'integration.error', severity: 'high', rule_id: null }),
  ]);
});

it.each([
  ['removed', (params: { id: string; userId: string }) => place.api.call('members.remove', { params })],
  [
    'made a viewer',
    (params: { id: string; userId: string }) =>
      place.api.call('members.update', { params, body: { role: 'viewer' } }),
  ],
])(
  'owners hear, in-app and by email, that an automation is disabled because its maker was %s',
  async (_, leave) => {
    const maker = await join(place, 'admin');
    const { id: automationId } = await maker.own.call('automations.create', {
      ...here(),
      body: {
        name: 'Board',
        trigger: { event: 'manual' },
        actions: [{ type: 'call_webhook', url: `${slack.url}/board` }],
      },
    });
    await place.api.call('webhooks.create', {
      body: {
        url: `${slack.url}/operator`,
        events: ['automation.disabled'],
        workspace_id: place.workspaceId,
        secret: 's3cret',
      },
    });
    await leave({ id: place.workspaceId, userId: maker.userId });
    await until('the mail', () => mails().length === 1);
    expect(mails()[0]?.header('Subject')).toBe('The automation Board was disabled');
    expect(mails()[0]?.header('To')).not.toContain(maker.email);
    const { data } = await place.api.call('notifications.list', {
      query: { workspace_id: place.workspaceId },
    });
    expect(data).toMatchObject([
      { trigger: 'automation.disabled', severity: 'medium', resource_id: automationId, event_id: null },
    ]);
    const message = expect.stringContaining(
      `${maker.email}, who answered for them, may no longer edit automations`,
    );
    expect(data[0]?.text).toContain(`hubline automation enable ${automationId}`);
    const call = await until('the call', () => slack.calls.find(({ url }) => url === '/operator'));
    expect(JSON.parse(call.body)).toMatchObject({
      type: 'automation.disabled',
      data: { automation_id: automationId, automation_name: 'Board', user_id: maker.userId, message },
    });
  },
);

it('a rule that is disabled or deleted sends nothing that waits', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  const { id } = await newRule({ destinations: [{ kind: 'integration', integration_id }] });
  slackAnswers = [() => ({ status: 503, body: {} })];
  await publish('push');
  await until('the first attempt', async () => (await log())[0]?.attempts === 1);
  await place.api.call('notificationRules.update', {
    params: { id: place.workspaceId, ruleId: id },
    body: { enabled: false },
  });
  clock.advance(60_000);
  expect((await settled(1))[0]).toMatchObject({ status: 'suppressed', reason: 'the rule was disabled' });
  await publish('push');
  expect(await log()).toHaveLength(1);
});

it('a dry run tries changes of a rule without saving them, and refuses what a save would', async () => {
  const { id: ruleId } = await newRule({
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
    types: ['deploy'],
  });
  const params = { id: place.workspaceId, ruleId };
  const event = { type: 'build', source: 'ci', payload: { status: 'red' } };
  const changes = { types: null, conditions: { field: 'event.payload.status', op: 'eq', value: 'green' } };
  expect(await place.api.call('notificationRules.test', { params, body: { event } })).toMatchObject({
    refused_by: 'types',
  });
  expect(await place.api.call('notificationRules.test', { params, body: { event, changes } })).toMatchObject({
    refused_by: 'conditions',
    conditions: [{ found: '"red"', matched: false }],
  });
  expect((await place.api.call('notificationRules.get', { params })).types).toEqual(['deploy']);
  const { details } = await place.api.refused('notificationRules.test', 400, {
    params,
    body: { event, changes: { dedupe: { key: '{{ open', window_seconds: 60 } } },
  });
  expect(details).toMatchObject([{ field: 'dedupe.key' }]);
});

// Each process asks a destination that hangs.
it.skipIf(inTwo)('a destination that hangs keeps nobody else waiting', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  await newRule({
    destinations: [
      { kind: 'integration', integration_id },
      { kind: 'email', roles: ['owner'] },
    ],
  });
  const hanging = Promise.withResolvers<ReceiverAnswer>();
  slackAnswers = [() => hanging.promise as unknown as ReceiverAnswer];
  for (let index = 0; index < 20; index += 1) await publish('push');
  await until('the mails', () => mails().length === 20);
  expect(posts()).toHaveLength(1);
  hanging.resolve(OK);
  const over = until('the rest', async () => {
    clock.advance(250);
    return (await log({ status: 'sent' })).length === 40;
  });
  await over;
  expect(posts()).toHaveLength(20);
});

it.each([
  [{ conditions: { all: [{ field: 'event.type', op: 'matches', value: '(' }] } }, 'conditions.all[0].value'],
  [{ digest: { window_seconds: 60, key: '{{ event.' } }, 'digest.key'],
  [{ dedupe: { window_seconds: 60, key: '{% if %}' } }, 'dedupe.key'],
  [{ dedupe: { window_seconds: 60, key: '{{ evnt.id }}' } }, 'dedupe.key'],
  [{ conditions: { field: 'event.paylod.env', op: 'exists' } }, 'conditions.field'],
  [{ quiet_hours: { timezone: 'Berlin', from: '22:00', to: '07:00' } }, 'quiet_hours.timezone'],
  [{ quiet_hours: { timezone: 'UTC', from: '22:00', to: '22:00' } }, 'quiet_hours.to'],
  [{ quiet_hours: { timezone: 'UTC', from: '25:00', to: '22:00' } }, 'quiet_hours.from'],
  [{ destinations: [] }, 'destinations'],
  [{ destinations: [{ kind: 'email' }] }, 'destinations[0]'],
  [{ destinations: [{ kind: 'pigeon' }] }, 'destinations[0].kind'],
  [{ filters: { severity: ['urgent'] } }, 'filters.severity[0]'],
  [{ notify_on: ['*'] }, 'notify_on[0]'],
  [{ notify_on: ['user.invited'], types: ['push'] }, 'types'],
  [{ dedup: null }, 'dedup'],
])('%j is refused at %s', async (body, field) => {
  const rule = {
    name: 'Rule',
    notify_on: ['event.created'],
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
  };
  const answer = await place.api.send('notificationRules.create', { ...here(), body: { ...rule, ...body } });
  expect(answer.status, answer.text).toBe(400);
  const { error } = JSON.parse(answer.text) as { error: { details: { field: string }[] } };
  expect(error.details.map((detail) => detail.field)).toContain(field);
});

it('a dry run of a rule without events has made-up data of its trigger', async () => {
  const destinations = [{ kind: 'in_app', roles: ['owner'] }];
  const { id: ruleId } = await place.api.call('notificationRules.create', {
    ...here(),
    body: { name: 'Failing', enabled: true, notify_on: ['webhook.failing'], destinations },
  });
  const params = { id: place.workspaceId, ruleId };
  expect(await place.api.call('notificationRules.test', { params, body: {} })).toMatchObject({
    event_id: null,
    matched: true,
    rendered: { subject: 'The webhook Billing service (app.example.com) is failing' },
  });
  await place.api.call('notificationRules.delete', { params });
});

it('an id in a list that is none is refused with the noun of the list', async () => {
  const destinations = [{ kind: 'email', user_ids: ['ana'] }];
  const { details } = await place.api.refused('notificationRules.create', 404, {
    ...here(),
    body: { name: 'Rule', notify_on: ['event.created'], destinations },
  });
  expect(details).toEqual([{ field: 'destinations[0].user_ids[0]', issue: 'names no such user' }]);
});

it('a template with a fault is refused with its path, line and column; a bomb is filled within its limits', async () => {
  const body = {
    text: 'ok',
    slack_blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'a\n{{ b | nope }}' } }],
  };
  const refused = await place.api.send('notificationTemplates.create', {
    ...here(),
    body: { name: 'T', body },
  });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('body.slack_blocks[0].text.text');
  expect(refused.text).toContain('line 2, column 1');
  const bomb = { text: '{% for i in (1..99999999) %}{% endfor %}', markdown: '**{{ event.type }}**' };
  const { id } = await place.api.call('notificationTemplates.create', {
    ...here(),
    body: { name: 'T', body: bomb },
  });
  const params = { id: place.workspaceId, templateId: id };
  const preview = await place.api.call('notificationTemplates.preview', {
    params,
    body: { event: { type: 'push', payload: {} } },
  });
  expect(preview).toMatchObject({ markdown: '**push**', problems: [{ field: 'body.text' }] });
  await place.api.call('notificationTemplates.update', { params, body: { name: 'U' } });
  const first = await place.api.call('notificationTemplates.get', { params, query: { version: '1' } });
  expect([first.name, first.version]).toEqual(['T', 1]);
  expect((await place.api.call('notificationTemplates.get', { params })).version).toBe(2);
});

it('a template that names what there never is is refused, and one that comes out empty tells the default line', async () => {
  const create = (text: string) => ({ ...here(), body: { name: 'Values', body: { text } } });
  const { details } = await place.api.refused(
    'notificationTemplates.create',
    400,
    create('{% assign own = event.id %}{{ own }}\n{% if rule.nam %}{{ workspace.name }}{% endif %}'),
  );
  expect(details).toEqual([
    { field: 'body.text', issue: 'line 2, column 7: rule.nam is not a known value; did you mean name?' },
  ]);
  const { id } = await place.api.call('notificationTemplates.create', create(' {{ event.payload.none }} '));
  const params = { id: place.workspaceId, templateId: id };
  const body = { event: { type: 'deploy', source: 'ci', payload: {} } };
  expect(await place.api.call('notificationTemplates.preview', { params, body })).toMatchObject({
    text: 'deploy (ci)',
    problems: [{ field: 'body.text', issue: 'comes out empty' }],
  });
});

it('a link of an email leads nowhere but to the web and to mailboxes, and a template holds no script', async () => {
  const body = { text: 't', html: '<a href="{{ event.payload.u }}">{{ event.payload.u }}</a>' };
  const { id: templateId } = await place.api.call('notificationTemplates.create', {
    ...here(),
    body: { name: 'Link', body },
  });
  const params = { id: place.workspaceId, templateId };
  const html = async (u: string) => {
    const event = { type: 'x', payload: { u } };
    return (await place.api.call('notificationTemplates.preview', { params, body: { event } })).html;
  };
  expect(await html('javascript:alert(1)')).toBe('<a href="#">javascript:alert(1)</a>');
  expect(await html('https://example.com/?a=1&b=2')).toContain('href="https://example.com/?a=1&amp;b=2"');
  const refusal = await place.api.refused('notificationTemplates.update', 400, {
    params,
    body: { body: { text: 't', html: '<script>x</script>' } },
  });
  expect(refusal.details).toEqual([{ field: 'body.html', issue: expect.stringContaining('leave it out') }]);
});
