import { type EndpointInput, type EndpointName, type Endpoints, endpoints } from '@hubline/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, type Furniture } from '../support/furnished.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { validCalls } from '../support/valid-calls.ts';
import { everybodyKnows, type TestWorkspace, startWorkspace, unique } from '../support/workspace.ts';

/**
 * A service names each column that it changes. One that is left out compiles, and every change of its field would get a 200 and do
 * nothing. So each field of each update is changed here, alone.
 */

type Updates = {
  [Name in EndpointName]: Endpoints[Name] extends { method: 'PATCH' } ? Name : never;
}[EndpointName];

/** A value to send, and the part of the response that shows it, under another name or in another form. */
interface Shown {
  sent: unknown;
  shows: object;
}

/** A new value for each field. A field without one does not compile. */
type NewValues = {
  [Name in Updates]: Required<{ [Field in keyof EndpointInput<Name>['body']]: unknown }>;
};

let workspace: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;
let given: Furniture;
beforeAll(async () => {
  receiver = await startReceiver();
  workspace = await startWorkspace();
  given = await furnish(workspace);
});
afterAll(async () => {
  await workspace.stop();
  await receiver.stop();
});

const conditions = { field: 'event.type', op: 'eq', value: 'push' };

const newValues = (): NewValues => ({
  'workspaces.update': { name: 'New', slug: unique('new'), plan: 'team' },
  'members.update': { role: 'member' },
  'apiKeys.update': { name: 'New', scopes: ['api_keys:read'], role: 'member' },
  'integrations.update': { name: 'New', config: { notify_on: ['user.invited'] } },
  'providers.update': {
    name: 'New',
    description: 'New.',
    verification: { kind: 'token', header: 'x-new-token' },
    issues_secret: true,
    event_type: { default: 'new' },
    dedupe_key: ['/new'],
    pings: ['new'],
    handshake: { echo: ['/new'] },
    summary: { action: ['/new'] },
    setup_steps: ['New.'],
  },
  'webhooks.update': {
    url: 'https://new.example.com/',
    events: ['event.created'],
    filters: { event_types: ['push'] },
    rate_limit: { per_second: 7 },
    name: 'New',
    description: 'New.',
    status: 'disabled',
  },
  'automations.update': {
    name: 'New',
    description: 'New.',
    enabled: false,
    trigger: { event: 'user.invited' },
    conditions,
    actions: [{ type: 'wait', seconds: 7 }],
    throttle: { max_runs: 7, per_seconds: 7 },
    concurrency_key: 'new',
    secret: { sent: 's3cret', shows: { signed: true } } satisfies Shown,
  },
  'notificationTemplates.update': {
    name: 'New',
    subject: 'New',
    body: { text: 'New' },
    sample_event_type: 'push',
  },
  'notificationRules.update': {
    name: 'New',
    enabled: false,
    notify_on: ['user.invited'],
    types: ['push'],
    sources: ['ci'],
    integration_ids: [given.integrationId],
    filters: { severity: ['high'] },
    conditions,
    destinations: [{ kind: 'in_app', roles: ['admin'] }],
    template_id: given.templateId,
    critical: true,
    digest: { window_seconds: 300 },
    quiet_hours: { timezone: 'Europe/Berlin', from: '22:00', to: '07:00' },
    dedupe: { key: 'new', window_seconds: 60 },
  },
  'notifications.update': { read: { sent: true, shows: { read_at: expect.any(String) } } satisfies Shown },
});

const updates = Object.entries(endpoints).flatMap(([name, { method }]) =>
  method === 'PATCH' ? [name as Updates] : [],
);

describe.each(updates)('%s', (name) => {
  it('changes each of its fields, and stores the change', async () => {
    const { api } = workspace;
    const get = name.replace('update', 'get');
    const stored: (() => Promise<void>)[] = [];
    for (const [field, value] of Object.entries(newValues()[name])) {
      const isApart = typeof value === 'object' && value !== null && 'shows' in value;
      const { sent, shows } = isApart ? (value as Shown) : { sent: value, shows: { [field]: value } };
      const { params } = await validCalls(receiver.url)[name](workspace);
      expect(await api.call(name, { params, body: { [field]: sent } }), field).toMatchObject(shows);
      stored.push(async () =>
        expect(await api.call(get as EndpointName, { params }), field).toMatchObject(shows),
      );
    }
    if (!Object.hasOwn(endpoints, get)) return;
    await everybodyKnows();
    for (const isStored of stored) await isStored();
  });
});
