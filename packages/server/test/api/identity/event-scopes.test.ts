import { type EndpointName, endpoints } from '@hubline/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newKey, type TestWorkspace, startWorkspace } from '../support/workspace.ts';
import { type Receiver, startReceiver } from '../support/stand-ins/receiver.ts';
import { uncheckedEnv, validCalls } from '../support/valid-calls.ts';

let workspace: TestWorkspace & { stop(): Promise<void> };
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  workspace = await startWorkspace({ flags: { rateLimit: 10_000 }, env: uncheckedEnv(receiver.url) });
});
afterAll(async () => {
  await workspace.stop();
  await receiver.stop();
});

const params = () => ({ id: workspace.workspaceId });

async function keyWith(...scopes: string[]) {
  return workspace.api.as((await newKey(workspace, { scopes })).key);
}

const publish = (payload: object) =>
  workspace.api.call('events.publish', { params: params(), body: { type: 'deploy', payload } });

const creator = (enabled = true) => ({
  name: 'Copies',
  enabled,
  trigger: { event: 'manual' as const },
  actions: [{ type: 'create_event' as const, event_type: 'copy', payload: { all: '{{ event }}' } }],
});

/** Every endpoint that needs a second scope. */
const SHOWN = [
  'webhooks.testFilters',
  'deliveries.get',
  'automations.getRun',
  'automations.test',
  'automations.run',
  'notificationTemplates.preview',
  'notificationRules.test',
] as const satisfies EndpointName[];

it.each(SHOWN)('%s shows a stored event only to keys with events:read', async (name) => {
  const { access } = endpoints[name];
  await publish({ token: 's3cr3t-value' });
  const input = await validCalls(receiver.url)[name](workspace);
  const refusal = await (await keyWith(access.scope)).refused(name, 403, input);
  expect(refusal.message).toContain('lacks the scope events:read');
  expect(refusal.message).not.toContain('s3cr3t');
  const reader = await keyWith(access.scope, 'events:read');
  expect((await reader.send(name, input)).status).toBe(endpoints[name].status);
});

it('rules, templates and automations can be tried on an event in the request without events:read', async () => {
  const event = { type: 'push', payload: { n: 1 } };
  for (const name of [
    'automations.test',
    'notificationTemplates.preview',
    'notificationRules.test',
  ] as const) {
    const { params } = await validCalls(receiver.url)[name](workspace);
    const key = await keyWith(endpoints[name].access.scope);
    const refusal = await key.refused(name, 403, { params, body: {} });
    expect(refusal.message).toContain('events:read for a request without event;');
    expect((await key.send(name, { params, body: { event } })).status).toBe(200);
  }
});

it('a stored response is not replayed to another key of the same user that may not read events', async () => {
  const input = {
    ...(await validCalls(receiver.url)['notificationTemplates.preview'](workspace)),
    headers: { 'Idempotency-Key': 'preview-1' },
  };
  const reader = await keyWith('notifications:write', 'events:read');
  expect((await reader.send('notificationTemplates.preview', input)).status).toBe(200);
  const narrow = await keyWith('notifications:write');
  await narrow.refused('notificationTemplates.preview', 403, input);
});

it('to save, enable and run an automation that creates events takes events:write', async () => {
  const narrow = await keyWith('automations:write');
  const wide = await keyWith('automations:write', 'events:write');
  const refusal = await narrow.refused('automations.create', 403, { params: params(), body: creator() });
  expect(refusal.message).toContain('events:write for an automation with the action create_event');
  const { id } = await narrow.call('automations.create', { params: params(), body: creator(false) });
  const at = { params: { ...params(), automationId: id } };
  await narrow.refused('automations.update', 403, { ...at, body: { enabled: true } });
  await narrow.refused('automations.run', 403, { ...at, body: {} });
  await wide.call('automations.update', { ...at, body: { enabled: true } });
  const run = await wide.call('automations.run', { ...at, body: {} });
  const atRun = { params: { ...at.params, runId: run.id } };
  await narrow.refused('automations.retryRun', 403, atRun);
  // A key that may not publish can still stop the automation.
  await narrow.call('automations.update', { ...at, body: { enabled: false } });
});
