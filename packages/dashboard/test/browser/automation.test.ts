import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { browserOfTests, executablePath } from '../support/browser/chromium.ts';
import { EMAIL, PASSWORD, startServer, type TestServer } from '../support/start-server.ts';
import { violations } from '../support/browser/violations.ts';
import {
  follow,
  logIn,
  lookAs,
  openWindow,
  type TestWindow,
  tooWide,
  type View,
} from '../support/browser/window.ts';

const WIDE = { width: 1440, colorScheme: 'light' } as const;
const NARROW = { width: 390, colorScheme: 'dark' } as const;

describe.skipIf(executablePath === undefined)('an automation in Chromium', () => {
  let server: TestServer;
  let owner: BrowserContext;
  let window: TestWindow;
  beforeAll(async () => {
    server = await startServer();
    owner = await (await browserOfTests()).newContext({ reducedMotion: 'reduce' });
    await logIn(owner, server.url, { email: EMAIL, password: PASSWORD });
    // The server refuses a draft that is incomplete.
    window = await openWindow(owner, /status of 400/);
  });
  afterAll(async () => {
    await owner?.close();
    await server?.stop();
  });

  it('is built from a real event, tried, switched on, and runs', async () => {
    const api = apiOf(server);
    const payload = { environment: 'production', status: 'failed', attempts: 3 };
    await api.events.publish(server.workspaceId, { type: 'deploy', source: 'ci', payload });
    const { page, complaints, load } = window;

    await load(`${server.url}/w/acme/automations?new=1`);
    await page.getByRole('dialog', { name: 'New automation' }).getByLabel('Name').fill('Failed deploys');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Failed deploys', level: 1 }).waitFor();

    // The trigger and a condition, whose path comes from the event.
    await page.getByLabel('Event types').fill('deploy');
    await page.getByRole('button', { name: /^Always/ }).click();
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByLabel('Field').click();
    await page.getByRole('tab', { name: 'Event' }).click();
    await page.getByTitle('Use event.payload.status').last().click();
    expect(await page.getByLabel('Field').inputValue()).toBe('event.payload.status');
    await page.getByLabel('Value').fill('succeeded');
    await page.getByRole('tab', { name: 'Dry run' }).click();
    await page.getByText('The conditions are not met.').waitFor();
    await page.getByLabel('Value').fill('failed');
    await page.getByText('This event starts a run').waitFor();

    // A step that replaces the wait, with a value of the event in its payload.
    await page.getByRole('button', { name: 'Add a step at the end' }).click();
    await page.getByRole('menuitem', { name: 'Publish an event' }).click();
    await page.getByLabel('Event type', { exact: true }).fill('alarm');
    await page
      .getByLabel('Payload')
      .fill('{ "where": "{{ event.payload.environment }}", "attempts": "{{ event.payload.attempts }}" }');
    await page.getByRole('button', { name: 'Step 1: menu' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const step = page.getByRole('region', { name: 'Step a2' });
    await step.getByText('"production"').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('switch', { name: 'Automation on' }).click();
    await page.locator('[role=switch][aria-checked=true]').waitFor();

    // An event starts the automation; the run shows the request and the response.
    await api.events.publish(server.workspaceId, { type: 'deploy', source: 'ci', payload });
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.getByRole('link', { name: /^Succeeded/ }).click();
    await page.getByRole('heading', { name: 'Run of Failed deploys', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Request' }).getByText('"production"').waitFor();
    const [alarm] = (await api.events.list(server.workspaceId, { type: 'alarm' })).data;
    expect(alarm).toMatchObject({ payload: { where: 'production', attempts: 3 } });
    expect(complaints).toEqual([]);
  });

  it('its editor, its run, a rule, a template and the bell are accessible, wide and narrow, light and dark', async () => {
    const { workspaceId } = server;
    const api = apiOf(server);
    const leaf = { field: 'event.payload.status', op: 'eq', value: 'red' } as const;
    const { id: automation } = await api.automations.create(workspaceId, {
      name: 'Seen by everybody',
      trigger: { event: 'event.created', types: ['build'] },
      conditions: {
        all: [leaf, { any: [leaf, { field: 'event.payload.branch', op: 'in', value: ['main'] }] }],
      },
      actions: [
        { type: 'create_event', event_type: 'seen', payload: { text: '{{ event.type }}' }, if: leaf },
      ],
    });
    const { id: template } = await api.notificationTemplates.create(workspaceId, {
      name: 'Builds',
      subject: '{{ event.type }}',
      sample_event_type: 'build',
      body: { text: '{{ event.payload.status }}', markdown: '**{{ event.payload.status }}**' },
    });
    const { id: rule } = await api.notificationRules.create(workspaceId, {
      name: 'Builds',
      notify_on: ['event.created'],
      types: ['build'],
      conditions: leaf,
      destinations: [
        { kind: 'in_app', roles: ['owner'] },
        { kind: 'email', roles: ['owner'] },
      ],
      template_id: template,
      quiet_hours: { timezone: 'Europe/Berlin', from: '22:00', to: '07:00' },
    });
    const payload = { status: 'red', branch: 'main' };
    const { event_id } = await api.events.publish(workspaceId, { type: 'build', source: 'ci', payload });
    const { id: run } = await api.automations.run(workspaceId, automation, { event_id });
    const { page, load } = window;
    const found: string[] = [];
    const look = async (name: string, views: readonly View[] = [WIDE, NARROW]) => {
      for (const view of views) {
        await lookAs(page, view);
        const wide = await tooWide(page);
        if (wide > 0) found.push(`${name} at ${view.width} is ${wide} pixels too wide`);
        found.push(...(await violations(page)).map((each) => `${name} at ${view.width}: ${each}`));
      }
      await lookAs(page, WIDE);
    };
    const goTo = (path: string) => follow(page, `/w/acme/${path}`);
    await load(`${server.url}/w/acme/automations/${automation}`);
    await page.getByText('This event starts a run').waitFor();
    await look('the conditions');
    await page.getByRole('button', { name: /^Publish an event: seen/ }).click();
    await look('a step');
    await goTo(`automations/${automation}/runs/${run}`);
    await page.getByRole('region', { name: 'Request' }).first().waitFor();
    await look('a run');
    await goTo(`notification-rules/${rule}`);
    await page.getByText('This event would send a message').waitFor();
    await look('a rule');
    await goTo(`templates/${template}`);
    await page.getByText('**red**').waitFor();
    await look('a template');
    await goTo('notifications');
    await page.getByRole('listitem').filter({ hasText: 'build' }).first().waitFor();
    await look('the notifications');
    await page.getByRole('button', { name: 'Notifications, 1 new' }).click();
    await page.getByRole('link', { name: 'All notifications' }).waitFor();
    await look('the bell', [WIDE]);
    expect(found).toEqual([]);
  });
});
