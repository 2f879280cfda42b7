import { fireEvent, screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { address, dialog, openAs, page } from '../support/open-dashboard.tsx';
import { skipPauses } from '../support/skip-pauses.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
beforeAll(async () => {
  server = await startServer();
  api = apiOf(server);
  await api.events.publish(server.workspaceId, {
    type: 'build',
    payload: { status: 'red', severity: 'high' },
  });
});
afterAll(() => server.stop());

const write = (field: HTMLElement, value: string) => fireEvent.input(field, { target: { value } });

it('a rule is disabled and only for its creator at first, has a dry run, and says that the server sends no email', async () => {
  // While somebody types.
  skipPauses(300);
  const user = await openAs(server, '/w/acme/notification-rules?new=1');
  const form = await dialog('New rule');
  await user.type(form.getByLabelText('Name'), 'Red builds');
  await user.click(form.getByRole('button', { name: 'Create' }));
  await page('Red builds');
  await screen.findByText('It is switched off.');
  await user.click(screen.getByRole('switch', { name: 'Rule on' }));
  await screen.findByText('This event would send a message');

  await user.click(screen.getByRole('button', { name: 'Only if' }));
  write(screen.getByLabelText('Field'), 'event.payload.status');
  write(screen.getByLabelText('Value'), 'green');
  await screen.findByText('The conditions are not met.');
  write(screen.getByLabelText('Value'), 'red');
  await screen.findByText('This event would send a message');

  expect(screen.queryByText('This server sends no email')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Email' }));
  await screen.findByText('This server sends no email');
  await user.click(screen.getByRole('switch', { name: 'Quiet hours' }));
  write(screen.getByLabelText('From'), '25:00');
  await screen.findByText('From must be a time of day, such as 22:00');
  write(screen.getByLabelText('From'), '20:00');
  write(screen.getByLabelText('Time zone'), 'Mars/Base');
  await screen.findByText(/^Time zone must be an IANA time zone/, { selector: '.wrong *' });
  write(screen.getByLabelText('Time zone'), 'Europe/Berlin');
  await user.click(screen.getByRole('switch', { name: 'Digest' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved.');
  const [rule] = (await api.notificationRules.list(server.workspaceId)).data;
  expect(rule).toMatchObject({
    enabled: true,
    conditions: { all: [{ field: 'event.payload.status', op: 'eq', value: 'red' }] },
    destinations: [
      { kind: 'in_app', user_ids: [server.userId] },
      { kind: 'email', roles: ['owner', 'admin'] },
    ],
    quiet_hours: { from: '20:00', to: '07:00', timezone: 'Europe/Berlin' },
    digest: { window_seconds: 900 },
  });

  await user.click(screen.getByRole('switch', { name: 'Digest' }));
  await user.click(screen.getByRole('button', { name: 'Remove destination 2' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(async () => {
    const changed = await api.notificationRules.get(server.workspaceId, rule?.id ?? '');
    expect(changed).toMatchObject({ digest: null, destinations: [{ kind: 'in_app' }] });
  });
  await user.click(screen.getByRole('button', { name: 'Delete Red builds' }));
  await user.click((await dialog('Delete Red builds?')).getByRole('button', { name: 'Delete' }));
  await address('/w/acme/notification-rules');
  await screen.findByText('No rules yet');
});

it('a template is previewed with a past event while a person types, and an older version can be restored', async () => {
  // While somebody types.
  skipPauses(300);
  const user = await openAs(server, '/w/acme/templates?new=1');
  const form = await dialog('New template');
  await user.type(form.getByLabelText('Name'), 'Builds');
  await user.click(form.getByRole('button', { name: 'Create' }));
  await page('Builds');
  write(screen.getByLabelText('Text', { selector: 'textarea' }), 'It is {{ event.payload.status }}');
  const preview = within(screen.getByRole('complementary', { name: 'Preview' }));
  await preview.findByText('It is red');
  write(screen.getByLabelText('Text', { selector: 'textarea' }), 'It is {{ event.payload.status');
  await screen.findByText(/^Text has a mistake in line 1, column 7: {{ is never closed/, {
    selector: '.wrong *',
  });
  write(screen.getByLabelText('Text', { selector: 'textarea' }), 'Now ');
  await user.click(screen.getByLabelText('Text', { selector: 'textarea' }));
  const [, value] = await screen.findAllByTitle('Use event.payload.status');
  if (value) await user.click(value);
  await preview.findByText('Now red');
  await user.click(screen.getByRole('tab', { name: 'Slack' }));
  write(
    screen.getByLabelText('Slack', { selector: 'textarea' }),
    '[{ "type": "section", "text": { "type": "mrkdwn", "text": "*{{ event.type }}*" } }]',
  );
  const slack = within(await preview.findByRole('region', { name: 'Slack' }));
  await slack.findByText('*build*');
  await user.click(screen.getByRole('tab', { name: 'Discord' }));
  write(
    screen.getByLabelText('Discord', { selector: 'textarea' }),
    '[{ "title": "A {{ event.type }}", "color": 255, "fields": [{ "name": "Status", "value": "{{ event.payload.status }}" }] }]',
  );
  const discord = within(await preview.findByRole('region', { name: 'Discord' }));
  expect((await discord.findByText('A build')).closest('b')).toBeTruthy();
  await discord.findByText('red');
  expect(discord.queryByText('255')).toBeNull();
  await user.click(screen.getByRole('tab', { name: 'Teams' }));
  write(
    screen.getByLabelText('Teams', { selector: 'textarea' }),
    '{ "type": "AdaptiveCard", "body": [{ "type": "TextBlock", "weight": "Bolder", "text": "Is {{ event.payload.status }}" }], "actions": [{ "type": "Action.OpenUrl", "title": "Open", "url": "https://example.com" }] }',
  );
  const teams = within(await preview.findByRole('region', { name: 'Teams' }));
  expect((await teams.findByText('Is red')).closest('b')).toBeTruthy();
  await teams.findByText('Open');
  expect(teams.queryByText('AdaptiveCard')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const template = await waitFor(async () => {
    const [saved] = (await api.notificationTemplates.list(server.workspaceId)).data;
    expect(saved).toMatchObject({ version: 2, body: { text: 'Now {{ event.payload.status }}' } });
    return saved;
  });

  await user.selectOptions(await screen.findByLabelText('Version'), 'Version 1');
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(async () => {
    const back = await api.notificationTemplates.get(server.workspaceId, template?.id ?? '');
    expect(back).toMatchObject({
      version: 3,
      body: { text: '{{ event.summary.text }}', slack_blocks: null },
    });
  });
});

it('the bell counts notifications that arrive while the page is open, and links to the event', async () => {
  await api.notificationRules.create(server.workspaceId, {
    name: 'Deploys',
    notify_on: ['event.created'],
    types: ['deploy'],
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
  });
  const user = await openAs(server, '/w/acme/members');
  await user.click(await screen.findByRole('button', { name: 'Notifications' }));
  await screen.findByText('Nothing yet. Notification rules decide what appears here.');
  const publish = (title: string) =>
    api.events.publish(server.workspaceId, {
      type: 'deploy',
      source: 'ci',
      payload: { title, environment: 'prod' },
    });
  const { event_id: id } = await publish('First');
  await screen.findByRole('button', { name: 'Notifications, 1 new' });
  await publish('Second');
  await screen.findByRole('button', { name: 'Notifications, 2 new' });
  const panel = within(screen.getByRole('region', { name: 'Notifications' }));
  await waitFor(() => expect(panel.getAllByRole('listitem')).toHaveLength(2));
  const link = panel
    .getAllByRole('link')
    .find((each) => each.getAttribute('href') === `/w/acme/events/${id}`);
  expect(link).toBeTruthy();
  if (link) await user.click(link);
  await address(`/w/acme/events/${id}`);
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 new' }));
  await user.click(await screen.findByRole('button', { name: 'Mark all read' }));
  await screen.findByRole('button', { name: 'Notifications' });
  await user.click(screen.getByRole('link', { name: 'All notifications' }));
  await page('Notifications');
  await user.click(screen.getByRole('button', { name: 'New' }));
  await screen.findByText('Nothing new.');
});

it('a rule offers integrations by name, shows its messages, and asks before changes are lost; the bell links to the integration', async () => {
  const rule = await api.notificationRules.create(server.workspaceId, {
    name: 'Tools',
    notify_on: ['integration.connected'],
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
  });
  const { integration_id: id } = await api.integrations.connect({
    provider: 'custom',
    workspace_id: server.workspaceId,
    credentials: {},
    name: 'Door bell',
  });
  const user = await openAs(server, `/w/acme/notification-rules/${rule.id}`);
  await page('Tools');
  const messages = within(await screen.findByRole('list', { name: 'Messages' }));
  await messages.findByText('Door bell (custom) is connected');
  await user.click(await screen.findByRole('checkbox', { name: 'Door bell' }));

  await user.click(screen.getByRole('link', { name: 'Members' }));
  const question = await dialog('Leave without saving?');
  await user.click(question.getByRole('button', { name: 'Keep editing' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(async () => {
    const saved = await api.notificationRules.get(server.workspaceId, rule.id);
    expect(saved).toMatchObject({ integration_ids: [id] });
  });
  await waitFor(() => expect(screen.queryByText('Unsaved changes')).toBeNull());
  await user.click(screen.getByRole('checkbox', { name: 'Door bell' }));
  await user.click(screen.getByRole('link', { name: 'Members' }));
  await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Leave' }));
  await address('/w/acme/members');

  await user.click(await screen.findByRole('button', { name: /^Notifications, / }));
  const link = await screen.findByRole('link', { name: 'Door bell (custom) is connected' });
  expect(link.getAttribute('href')).toBe(`/w/acme/integrations/${id}`);
});

it('keeps the notifications that were loaded when one of them is marked read, and when another arrives', async () => {
  await api.notificationRules.create(server.workspaceId, {
    name: 'Many',
    notify_on: ['event.created'],
    types: ['many'],
    destinations: [{ kind: 'in_app', roles: ['owner'] }],
  });
  const publish = (titles: readonly string[]) =>
    api.events.publishBatch(server.workspaceId, {
      events: titles.map((title) => ({ type: 'many', payload: { title } })),
    });
  await publish(Array.from({ length: 40 }, (_, at) => `Number ${at}`));
  await waitFor(async () => expect((await api.notifications.unread()).unread).toBeGreaterThanOrEqual(40));
  const user = await openAs(server, '/w/acme/notifications');
  await page('Notifications');
  const shown = () => within(screen.getByRole('main')).getAllByRole('button', { name: /^Mark (?:un)?read/ });
  await user.click(await screen.findByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(shown().length).toBeGreaterThanOrEqual(40));
  const before = shown().length;
  const last = shown().findLast(({ textContent }) => textContent?.startsWith('Mark read'));
  if (last) await user.click(last);
  await waitFor(() => expect(last?.textContent).toMatch(/^Mark unread/));
  expect(shown()).toHaveLength(before);
  await publish(['Another']);
  await waitFor(() => expect(shown()).toHaveLength(before + 1));
});
