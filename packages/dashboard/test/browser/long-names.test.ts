import type { Hubline } from '@hubline/sdk';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { browserOfTests, executablePath } from '../support/browser/chromium.ts';
import { cutOff } from '../support/browser/cut-off.ts';
import { startReceiver } from '../support/receiver.ts';
import { EMAIL, PASSWORD, startServer, type TestServer } from '../support/start-server.ts';
import { follow, logIn, lookAs, openWindow, type TestWindow } from '../support/browser/window.ts';

const WIDTHS = [1440, 1280, 1200, 1024, 768, 390];

/** The longest names, without a space at which a line could break. */
const long = (begin: string) => begin.padEnd(100, 'm');

describe.skipIf(executablePath === undefined)('names of 100 characters without spaces in Chromium', () => {
  let server: TestServer;
  let owner: BrowserContext;
  let window: TestWindow;
  let ids: Awaited<ReturnType<typeof fill>>;
  beforeAll(async () => {
    server = await startServer();
    ids = await fill(server);
    owner = await (await browserOfTests()).newContext({ reducedMotion: 'reduce' });
    await logIn(owner, server.url, { email: EMAIL, password: PASSWORD });
    window = await openWindow(owner);
    await window.load(`${server.url}/w/acme/notifications`);
    await window.page.locator('main h1').waitFor();
  });
  afterAll(async () => {
    await owner?.close();
    await server?.stop();
  });

  it.each([
    'overview?window=24h',
    'events',
    'events/EVENT',
    'events?event=EVENT',
    'deliveries',
    'deliveries?view=cause',
    'deliveries/DELIVERY',
    'webhooks',
    'webhooks/WEBHOOK',
    'integrations',
    'webhooks/WEBHOOK?tab=settings',
    'integrations/INTEGRATION',
    'automations',
    'automations/AUTOMATION',
    'automations/AUTOMATION/runs/RUN',
    'notification-rules',
    'notification-rules/RULE',
    'templates',
    'templates/TEMPLATE',
    'notifications',
    'members',
    'settings',
    'settings/api-keys',
    'audit-log',
    'health',
    'account',
  ])('%s shows in full', async (path) => {
    const { page } = window;
    const found: string[] = [];
    await follow(page, `/w/acme/${path.replace(/[A-Z]+/g, (kind) => ids[kind as keyof typeof ids])}`);
    for (const width of WIDTHS) {
      await lookAs(page, { width, colorScheme: 'light' });
      found.push(...(await page.evaluate(cutOff)).map((each) => `${width}: ${each}`));
    }
    expect(found).toEqual([]);
  });
});

/** Fills a workspace with one of everything; returns the IDs. */
async function fill(server: TestServer) {
  const { workspaceId } = server;
  const api: Hubline = apiOf(server);
  await api.workspaces.update(workspaceId, { name: long('workspace') });
  for (const role of ['admin', 'viewer'] as const)
    await api.members.invite(workspaceId, {
      email: `${long(role).slice(0, 60)}@${long('mail').slice(0, 60)}.example`,
      role,
    });
  await api.apiKeys.create(workspaceId, { name: long('key'), scopes: ['events:write'] });
  const { integration_id: INTEGRATION } = await api.integrations.connect({
    workspace_id: workspaceId,
    provider: 'custom',
    name: long('integration'),
    credentials: {},
  });
  const { id: WEBHOOK } = await api.webhooks.create({
    workspace_id: workspaceId,
    name: long('webhook'),
    // Nothing listens there.
    url: `http://127.0.0.1:65535/${long('path')}`,
    events: ['event.created'],
    filters: { conditions: { field: `event.payload.${long('field')}`, op: 'eq', value: long('value') } },
    secret: 'a secret of sixteen',
  });
  // This one is disabled, with its reason beside it.
  const gone = await startReceiver();
  gone.response = { status: 410, body: '' };
  await api.webhooks.create({
    workspace_id: workspaceId,
    name: long('gone'),
    url: `${gone.url}/${long('path')}`,
    events: ['event.created'],
    secret: 'a secret of sixteen',
  });
  const { id: TEMPLATE } = await api.notificationTemplates.create(workspaceId, {
    name: long('template'),
    subject: long('subject'),
    sample_event_type: long('type'),
    body: { text: '{{ event.payload.text }}', markdown: '**{{ event.payload.text }}**' },
  });
  const { id: RULE } = await api.notificationRules.create(workspaceId, {
    name: long('rule'),
    notify_on: ['event.created'],
    types: [long('type')],
    conditions: { field: `event.payload.${long('field')}`, op: 'eq', value: long('value') },
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
    template_id: TEMPLATE,
  });
  const { id: AUTOMATION } = await api.automations.create(workspaceId, {
    name: long('automation'),
    trigger: { event: 'manual' },
    actions: [{ type: 'create_event', event_type: long('made'), payload: { text: '{{ event.type }}' } }],
  });
  const { event_id: EVENT } = await api.events.publish(workspaceId, {
    type: long('type'),
    source: long('source'),
    payload: {
      text: long('text'),
      [long('field')]: long('value'),
      issue: { title: long('title'), html_url: `https://example.com/${long('issue')}` },
    },
  });
  const { id: RUN } = await api.automations.run(workspaceId, AUTOMATION, { event_id: EVENT });
  const DELIVERY = await firstDelivery(api, workspaceId, 'retrying');
  await firstDelivery(api, workspaceId, 'held');
  await gone.stop();
  return { INTEGRATION, WEBHOOK, TEMPLATE, RULE, AUTOMATION, EVENT, RUN, DELIVERY };
}

/** The first delivery with a status, once there is one. */
async function firstDelivery(
  api: Hubline,
  workspaceId: string,
  status: 'retrying' | 'held',
): Promise<string> {
  const [delivery] = (await api.deliveries.list(workspaceId, { status })).data;
  return delivery?.id ?? firstDelivery(api, workspaceId, status);
}
