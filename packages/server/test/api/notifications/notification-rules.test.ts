import { LIMITS, type NotificationTrigger } from '@hubline/contract';
import { expect, it, onTestFinished } from 'vitest';
import { findMessage, insertMessage } from '../../../src/db/notifications/messages.ts';
import { createIds } from '../../../src/ids.ts';
import { openStore } from '../../delivery/support.ts';
import { inTwo, newWorkspace } from '../support/workspace.ts';
import { until } from '../support/until.ts';
import { useNotifications } from './use-notifications.ts';

const hub = useNotifications();
const { connectSlack, here, log, newRule, posts, publish, settled } = hub;

it('the settings of an integration are a rule: events of the severities that they name go to its channel', async () => {
  const id = await connectSlack({
    channel: '#ops',
    notify_on: ['event.created', 'user.invited'],
    filters: { severity: ['critical'] },
  });
  await publish('alert', { severity: 'critical', title: 'Disk <full> & <!channel>' });
  await publish('alert', { severity: 'low', title: 'Nothing' });
  // Messages to one tool take turns: while the clock stands still, the second would be postponed forever.
  await settled(1);
  await hub.workspace.api.call('members.invite', {
    ...here(),
    body: { email: 'mona@example.com', role: 'viewer' },
  });
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
  await hub.workspace.api.call('integrations.update', {
    params: { integrationId: id },
    body: { config: { channel: '#ops' } },
  });
  await publish('alert', { severity: 'critical' });
  expect(await log()).toHaveLength(2);
});

it('the log with a status ends its page after the rows that a request may read, and goes on there', async () => {
  const { id: rule_id } = await newRule({ destinations: [{ kind: 'in_app', roles: ['owner'] }] });
  await publish('alert');
  const [sent] = await settled(1);
  const store = openStore(hub.workspace);
  const known = await findMessage(store.read, hub.workspace.workspaceId, sent?.id ?? '');
  if (!known) throw new Error('The message is gone.');
  const { seq: _, ...row } = known;
  const ids = createIds(() => new Date());
  await store.write(async (tx) => {
    for (let index = 0; index < LIMITS.searchedEvents; index += 1)
      await insertMessage(tx, {
        ...row,
        id: ids('message'),
        occurrence: ids('message'),
        status: 'suppressed',
      });
  });
  for (const filter of [{ status: 'sent' }, { status: 'sent', rule_id }]) {
    const query = { ...filter, limit: '1' };
    const first = await hub.workspace.api.call('notificationRules.log', { ...here(), query });
    expect(first).toMatchObject({ data: [], pagination: { has_more: true } });
    const rest = { ...query, cursor: first.pagination.next_cursor ?? '' };
    const { data } = await hub.workspace.api.call('notificationRules.log', { ...here(), query: rest });
    expect(data.map(({ id }) => id)).toEqual([sent?.id]);
  }
});

it('a rule selects by type, source and conditions, and sends the format that the tool shows best', async () => {
  const integration_id = await connectSlack({});
  const { id: template_id } = await hub.workspace.api.call('notificationTemplates.create', {
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

it('rules are found by a value that their conditions need: in an event, in the data of other triggers, and after changes', async () => {
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
  await hub.workspace.api.call('members.invite', {
    ...here(),
    body: { email: 'mona@example.com', role: 'viewer' },
  });
  await settled(2);
  await publish('deploy', { env: 'preview' });
  await hub.workspace.api.call('notificationRules.update', {
    params: { id: hub.workspace.workspaceId, ruleId: production.id },
    body: { conditions: { field: 'event.payload.env', op: 'in', value: ['preview', 'test'] } },
  });
  await publish('deploy', { env: 'production' });
  await publish('deploy', { env: 'preview' });
  await settled(3);
  expect(await told()).toEqual([production.id, viewers.id, production.id]);
});

it('in quiet hours a message is held until their end, in-app ones come at once, and a critical rule does not wait', async () => {
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
  hub.clock.advance(Date.parse('2026-11-26T12:30:00.000Z') - hub.clock.clock().getTime());
  await until('the held message', () => posts().length === 2);
  await settled(4);
});

it('a message for the end of quiet hours waits for it, even if the clock is set back by a day', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  const quiet_hours = { timezone: 'UTC', from: '11:00', to: '15:00' };
  await newRule({ quiet_hours, destinations: [{ kind: 'integration', integration_id }], types: ['quiet'] });
  await publish('quiet');
  const nextIs = (at: string) =>
    until(`the next attempt at ${at}`, async () => (await log())[0]?.next_attempt_at === at);
  const advanceTo = (at: string) => hub.clock.advance(Date.parse(at) - hub.clock.clock().getTime());
  await nextIs('2026-11-26T15:00:00.000Z');
  const jumpMs = 25 * 60 * 60_000;
  hub.clock.set(-jumpMs);
  onTestFinished(() => hub.clock.set(jumpMs));
  const store = openStore(hub.workspace);
  const jobs = store.read.selectFrom('jobs').select('due_at').where('kind', '=', 'send_notification');
  // The next poll.
  hub.clock.advance(30_000);
  await until('the job has moved to 14:00, or a little later', async () => {
    const { due_at = Infinity } = (await jobs.executeTakeFirst()) ?? {};
    return due_at < Date.parse('2026-11-25T14:05:00.000Z');
  });
  advanceTo('2026-11-25T14:05:00.000Z');
  await nextIs('2026-11-25T15:00:00.000Z');
  expect(posts()).toEqual([]);
  expect(await log()).toMatchObject([{ status: 'held', attempts: 0 }]);
  advanceTo('2026-11-25T15:00:00.000Z');
  await until('the message', () => posts().length === 1);
});

// Two processes do not match events in order.
it.skipIf(inTwo)(
  'a digest joins messages with the same key, and deduplication suppresses a message that was just sent',
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
    expect((await log({ status: 'suppressed' })).map(({ reason }) => reason)).toEqual([
      'duplicate within the dedupe window: a',
    ]);
    for (const title of ['one', 'two', 'three']) await publish('alert', { title });
    await until('the collected messages', async () => (await log({ status: 'collecting' })).length === 3);
    hub.clock.advance(300_000);
    await until('the digest', () => posts().length === 3);
    expect(posts()[2]?.['text']).toMatch(/^• .*one.*\n• .*two.*\n… and 1 more$/s);
    await settled(7);
  },
);

it('deduplication counts a message that a digest has sent', async () => {
  await newRule({
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
    dedupe: { key: '{{ event.type }}', window_seconds: 3_600 },
    digest: { window_seconds: 300 },
  });
  await publish('disk_full');
  await until('it to be collected', async () => (await log({ status: 'collecting' })).length === 1);
  hub.clock.advance(301_000);
  await until('the digest', async () => (await log({ status: 'sent' })).length === 1);
  await publish('disk_full');
  const [repeated] = await settled(3);
  expect(repeated).toMatchObject({
    status: 'suppressed',
    reason: 'duplicate within the dedupe window: disk_full',
  });
  hub.clock.advance(3_600_000);
  await publish('disk_full');
  await until('it to be collected', async () => (await log({ status: 'collecting' })).length === 1);
});

it('a rule that is disabled sends nothing, not even messages that wait', async () => {
  const integration_id = await connectSlack({ channel: '#ops' });
  const { id } = await newRule({ destinations: [{ kind: 'integration', integration_id }] });
  hub.slackResponses.push(() => ({ status: 503, body: {} }));
  await publish('push');
  await until('the first attempt', async () => (await log())[0]?.attempts === 1);
  await hub.workspace.api.call('notificationRules.update', {
    params: { id: hub.workspace.workspaceId, ruleId: id },
    body: { enabled: false },
  });
  hub.clock.advance(60_000);
  expect((await settled(1))[0]).toMatchObject({ status: 'suppressed', reason: 'the rule was disabled' });
  await publish('push');
  expect(await log()).toHaveLength(1);
});

it('a dry run tries changes of a rule without saving them, and refuses what a save would', async () => {
  const { id: ruleId } = await newRule({
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
    types: ['deploy'],
  });
  const params = { id: hub.workspace.workspaceId, ruleId };
  const event = { type: 'build', source: 'ci', payload: { status: 'red' } };
  const changes = { types: null, conditions: { field: 'event.payload.status', op: 'eq', value: 'green' } };
  expect(await hub.workspace.api.call('notificationRules.test', { params, body: { event } })).toMatchObject({
    refused_by: 'types',
  });
  expect(
    await hub.workspace.api.call('notificationRules.test', { params, body: { event, changes } }),
  ).toMatchObject({
    refused_by: 'conditions',
    conditions: [{ found: '"red"', matched: false }],
  });
  expect((await hub.workspace.api.call('notificationRules.get', { params })).types).toEqual(['deploy']);
  const { details } = await hub.workspace.api.refused('notificationRules.test', 400, {
    params,
    body: { event, changes: { dedupe: { key: '{{ open', window_seconds: 60 } } },
  });
  expect(details).toMatchObject([{ field: 'dedupe.key' }]);
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
  const { details } = await hub.workspace.api.refused('notificationRules.create', 400, {
    ...here(),
    body: { ...rule, ...body },
  });
  expect(details?.map((detail) => detail.field)).toContain(field);
});

it('a misspelled trigger is the only error: the settings beside it fit the one that was meant', async () => {
  const { details } = await hub.workspace.api.refused('notificationRules.create', 400, {
    ...here(),
    body: {
      name: 'Rule',
      notify_on: ['event.create', 'user.invited'],
      types: ['push'],
      filters: { severity: ['high'] },
      destinations: [{ kind: 'in_app', roles: ['owner'] }],
    },
  });
  expect(details?.map((detail) => detail.field)).toEqual(['notify_on[0]']);
});

it.each<[Exclude<NotificationTrigger, 'event.created'>, string]>([
  ['automation.completed', 'Announce releases: succeeded'],
  ['integration.connected', 'Platform (github) is connected'],
  ['user.invited', 'li@example.com is invited'],
  ['webhook.failing', 'The webhook Billing service (app.example.com) is failing'],
  ['webhook.disabled', 'The webhook Billing service (app.example.com) was disabled'],
  ['integration.error', 'The integration Platform (github) has a problem'],
  ['automation.disabled', 'The automation Announce releases was disabled'],
])('a dry run of a rule on %s has made-up data of its trigger', async (trigger, subject) => {
  const destinations = [{ kind: 'in_app', roles: ['owner'] }];
  const { id: ruleId } = await hub.workspace.api.call('notificationRules.create', {
    ...here(),
    body: { name: 'Rule', enabled: true, notify_on: [trigger], destinations },
  });
  const params = { id: hub.workspace.workspaceId, ruleId };
  expect(await hub.workspace.api.call('notificationRules.test', { params, body: {} })).toMatchObject({
    event_id: null,
    matched: true,
    rendered: { subject, problems: [] },
  });
  await hub.workspace.api.call('notificationRules.delete', { params });
});

it.each(['ana', 'usr_00000000000000000000000000'])('an unknown user, %s, is refused as such', async (id) => {
  const destinations = [{ kind: 'email', user_ids: [id] }];
  const { details } = await hub.workspace.api.refused('notificationRules.create', 404, {
    ...here(),
    body: { name: 'Rule', notify_on: ['event.created'], destinations },
  });
  expect(details).toEqual([{ field: 'destinations[0].user_ids[0]', issue: 'names no such user' }]);
});

it.each<[value: unknown]>([[{}], [[3]], [['usr_00000000000000000000000000', {}]]])(
  'a destination without its kind is refused for that alone, also if its fields are %j',
  async (value) => {
    const { details } = await hub.workspace.api.refused('notificationRules.create', 400, {
      ...here(),
      body: {
        name: 'Rule',
        notify_on: ['event.created'],
        destinations: [{ integration_id: value }, { kind: 'slack', user_ids: value, webhook_id: value }],
      },
    });
    expect(details?.map(({ field }) => field)).toEqual(['destinations[0].kind', 'destinations[1].kind']);
  },
);

it('everything that is wrong with a rule is named in one response', async () => {
  const refused = (body: object) =>
    hub.workspace.api.refused('notificationRules.create', 400, {
      ...here(),
      body: {
        name: 'Rule',
        notify_on: ['user.invited'],
        template_id: 'ntp_00000000000000000000000000',
        types: ['push'],
        sources: ['github'],
        conditions: { field: 'event.sumary', op: 'exists' },
        digest: { window_seconds: 600, key: '{{ x' },
        dedupe: { window_seconds: 600, key: '{{ evnt.id }}' },
        quiet_hours: { timezone: 'Mars/Base', from: '22:00', to: '07:00' },
        destinations: [
          { kind: 'webhook', webhook_id: 'whk_00000000000000000000000000' },
          { kind: 'email', user_ids: ['usr_00000000000000000000000000', 'usr_00000000000000000000000001'] },
        ],
        ...body,
      },
    });
  const wrong = [
    'conditions.field',
    'dedupe.key',
    'destinations[0].webhook_id',
    'destinations[1].user_ids[0]',
    'destinations[1].user_ids[1]',
    'digest.key',
    'quiet_hours.timezone',
    'sources',
    'template_id',
    'types',
  ];
  const fieldsOf = ({ details = [] }: Awaited<ReturnType<typeof refused>>) =>
    details.map(({ field }) => field).toSorted();
  const refusal = await refused({});
  expect(fieldsOf(refusal)).toEqual(wrong);
  expect(refusal.message).toMatch(/\(1 of 10 errors\)\.$/);
  expect(fieldsOf(await refused({ enabled: 'yes', critcal: true }))).toEqual(
    [...wrong, 'critcal', 'enabled'].toSorted(),
  );
});

it('the log of an unknown rule, or of one in another workspace, is 404; that of a deleted rule stays', async () => {
  const other = await newWorkspace(hub.workspace);
  const destinations = [{ kind: 'in_app', roles: ['owner'] }];
  const foreign = await other.api.call('notificationRules.create', {
    params: { id: other.workspaceId },
    body: { name: 'Rule', notify_on: ['event.created'], destinations },
  });
  const { id: ruleId } = await newRule({ destinations, types: ['logged'] });
  expect(await log({ rule_id: ruleId })).toEqual([]);
  for (const rule_id of [foreign.id, ruleId.replace(/.{4}$/, 'zzzz')])
    await hub.workspace.api.refused('notificationRules.log', 404, { ...here(), query: { rule_id } });
  await publish('logged');
  await settled(1);
  await hub.workspace.api.call('notificationRules.delete', {
    params: { id: hub.workspace.workspaceId, ruleId },
  });
  expect(await log({ rule_id: ruleId })).toHaveLength(1);
});
