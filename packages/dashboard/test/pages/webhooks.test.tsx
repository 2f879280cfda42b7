import { fireEvent, screen, waitFor, within } from '@testing-library/preact';
import type { Hubline, WebhookCreate } from '@hubline/sdk';
import { unwrap } from '@hubline/webhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { hideWindow } from '../support/hide-window.ts';
import { address, dialog, openAs, page } from '../support/open-dashboard.tsx';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let server: TestServer;
let api: Hubline;
let receiver: Receiver;
beforeAll(async () => {
  server = await startServer();
  api = apiOf(server);
});
afterAll(() => server.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.stop();
  for await (const { id } of api.webhooks.list({ workspace_id: server.workspaceId }))
    await api.webhooks.delete(id);
});

const nameOf = ({ url }: Receiver) => `${new URL(url).host}/hooks`;
const make = (body: Partial<WebhookCreate> = {}) =>
  api.webhooks.create({
    workspace_id: server.workspaceId,
    url: `${receiver.url}/hooks`,
    events: ['event.created'],
    secret: SECRET,
    ...body,
  });
const publish = () => api.events.publish(server.workspaceId, { type: 'deploy', payload: {} });
const statuses = async (id: string) => {
  const { data } = await api.deliveries.listForWebhook(id);
  return data.map(({ status }) => status);
};
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const openWebhook = async (id: string, tab = 'health') => {
  const user = await openAs(server, `/w/acme/webhooks/${id}?tab=${tab}`);
  await screen.findByRole('navigation', { name: 'Webhook' });
  return user;
};

it('creates a webhook, shows its secret once, and sends it a test that is signed with that secret', async () => {
  const user = await openAs(server, '/w/acme/webhooks');
  await page('Webhooks');
  const [open] = await screen.findAllByRole('button', { name: 'New webhook' });
  if (open) await user.click(open);
  await address('/w/acme/webhooks?new=1');
  const form = await dialog('New webhook');
  await user.type(form.getByLabelText('URL'), `${receiver.url}/hooks`);
  // Escape, and a click outside.
  const opened = screen.getByRole('dialog', { name: 'New webhook' });
  for (const leave of [new Event('cancel', { cancelable: true }), new MouseEvent('mousedown')]) {
    fireEvent(opened, leave);
    const question = await dialog('Leave without saving?');
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(form.getByLabelText<HTMLInputElement>('URL').value).toBe(`${receiver.url}/hooks`);
  }
  // Back, as the browser reports it: the address has changed already.
  history.replaceState(null, '', '/w/acme/webhooks');
  fireEvent.popState(window);
  const question = await dialog('Leave without saving?');
  await user.click(question.getByRole('button', { name: 'Keep editing' }));
  await address('/w/acme/webhooks?new=1');
  await user.click(form.getByLabelText('Common triggers (*)'));
  await user.click(form.getByLabelText('webhook.failing'));
  await user.click(form.getByRole('button', { name: 'Create' }));

  const shown = await dialog('Signing secret');
  const secret = shown.getByText(/^whsec_[\w+/]{43}=$/).textContent;
  // As browsers do after a few presses of Escape.
  const once = screen.getByRole<HTMLDialogElement>('dialog', { name: 'Signing secret' });
  once.close();
  await waitFor(() => expect(once.open).toBe(true));
  const unload = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(unload);
  expect(unload.defaultPrevented).toBe(true);
  await user.click(shown.getByLabelText('I have saved it'));
  await user.click(shown.getByRole('button', { name: /^Done/ }));
  await page(new RegExp(nameOf(receiver)));
  const [webhook] = await api.webhooks.list({ workspace_id: server.workspaceId }).toArray();
  expect(webhook).toMatchObject({
    url: `${receiver.url}/hooks`,
    events: ['*', 'webhook.failing'],
    filters: null,
    rate_limit: null,
  });

  await user.click(await button('Send test event'));
  const test = await dialog('Send test event');
  await user.selectOptions(test.getByLabelText('Trigger to simulate'), 'user.invited');
  await user.click(test.getByRole('button', { name: 'Send test event' }));
  await test.findByText(/^HTTP 200 after/);
  const [call] = receiver.calls;
  if (!call) throw new Error('Nobody called.');
  const event = await unwrap(call, { secret, requireTimestamp: true });
  expect(event.type).toBe('user.invited');
  expect(test.getByRole('link', { name: 'Open the delivery' }).getAttribute('href')).toContain(event.id);

  // `*` is four triggers, not all.
  screen.getByText('5 triggers');
  const tabs = within(screen.getByRole('navigation', { name: 'Webhook' }));
  await user.click(tabs.getByRole('link', { name: 'Settings' }));
  await screen.findByText('Common triggers (*), webhook.failing');
});

it('shows the errors of the server at the fields, also at those that were folded', async () => {
  const user = await openAs(server, '/w/acme/webhooks?new=1');
  const form = await dialog('New webhook');
  await user.click(form.getByLabelText('event.created'));
  await user.type(form.getByLabelText('Rate limit'), 'many');
  await user.selectOptions(form.getByLabelText('Signing secret'), 'Use my own');
  await user.type(form.getByLabelText('Secret'), '"quoted"');
  await user.click(form.getByRole('button', { name: 'Create' }));
  for (const name of ['URL', 'Rate limit', 'Secret', 'event.created'])
    await waitFor(() => expect(form.getByLabelText(name).getAttribute('aria-invalid')).toBe('true'));
  form.getByText(/^Triggers must name at least one trigger/);
  await waitFor(() => expect(form.getByText('Filters and rate limit').closest('details')?.open).toBe(true));

  await user.type(form.getByLabelText('URL'), 'http://169.254.169.254/');
  await user.click(form.getByLabelText('event.created'));
  await user.clear(form.getByLabelText('Rate limit'));
  await user.clear(form.getByLabelText('Secret'));
  await user.type(form.getByLabelText('Secret'), 'my own');
  form.getByText(/^Short: anyone who sees one call can guess it/);
  for (const [secret, warned] of [
    [`whsec_${'A'.repeat(31)}`, 1],
    [`whsec_${'A'.repeat(32)}`, 0],
    [`whsec_${'A'.repeat(31)}-`, 1],
    [`whsec_${'A'.repeat(43)}=`, 0],
    [`whsec_${'A'.repeat(88)}`, 1],
  ] as const) {
    fireEvent.input(form.getByLabelText('Secret'), { target: { value: secret } });
    await waitFor(() =>
      expect(
        form.queryAllByText(
          /^No 24 to 64 bytes in base64 after whsec_: libraries of Standard Webhooks cannot verify its calls/,
        ),
      ).toHaveLength(warned),
    );
  }
  await user.clear(form.getByLabelText('Secret'));
  await user.type(form.getByLabelText('Secret'), 'my own');
  await user.click(form.getByRole('button', { name: 'Create' }));
  await form.findByText(/^URL must begin with https/);
  expect(form.getByLabelText('Secret').getAttribute('aria-invalid')).toBe('false');

  await user.clear(form.getByLabelText('URL'));
  await user.type(form.getByLabelText('URL'), 'localhost:3000/hook');
  await user.click(form.getByRole('button', { name: 'Create' }));
  const forward = await form.findByRole('region', { name: 'Forward code' });
  expect(forward.textContent).toContain('listen localhost:3000/hook');
  await user.click(form.getByRole('tab', { name: 'Restart the server' }));
  const start = form.getByRole('region', { name: 'Restart the server code' });
  expect(start.textContent).toMatch(/ server start --data \S+ .*--allow-http-localhost$/);
});

it('says that a field which was left empty is required', async () => {
  const user = await openAs(server, '/w/acme/webhooks?new=1');
  const form = await dialog('New webhook');
  await user.click(form.getByRole('button', { name: 'Create' }));
  await form.findByText('URL is required');
});

it('changes filters line by line, and keeps settings that the form does not have', async () => {
  const { id } = await make({
    filters: { sources: ['github'], resource_ids: ['a, b'] },
    name: 'old',
    description: 'kept',
  });
  const user = await openWebhook(id, 'settings');
  const edit = await button('Edit');
  const shown = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
  expect([shown('Name'), shown('Description')]).toEqual(['old', 'kept']);
  await user.click(edit);
  const form = await dialog('Edit the webhook');
  await user.type(form.getByLabelText('Event types'), 'push{enter}{enter} deploy ');
  await user.clear(form.getByLabelText('Sources'));
  await user.clear(form.getByLabelText('Name'));
  await user.type(form.getByLabelText('Rate limit'), '20');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved the webhook.');
  await screen.findByText('20 calls per second');
  expect(await api.webhooks.get(id)).toMatchObject({
    url: `${receiver.url}/hooks`,
    events: ['event.created'],
    filters: { event_types: ['push', 'deploy'], resource_ids: ['a, b'] },
    name: null,
    description: 'kept',
    rate_limit: { per_second: 20 },
  });
});

it('an edit keeps the conditions, which it shows, and what a colleague changes in the meantime', async () => {
  const conditions = { field: 'event.payload.env', op: 'eq', value: 'production' } as const;
  const { id } = await make({ filters: { sources: ['github'], conditions } });
  const user = await openWebhook(id, 'settings');
  await screen.findByText(JSON.stringify(conditions));
  await user.click(await button('Edit'));
  const form = await dialog('Edit the webhook');
  const url = `${receiver.url}/moved`;
  await api.webhooks.update(id, { url, rate_limit: { per_second: 5 } });
  await user.type(form.getByLabelText('Name'), 'Renamed');
  await user.type(form.getByLabelText('Event types'), 'push');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved the webhook.');
  expect(await api.webhooks.get(id)).toMatchObject({
    url,
    name: 'Renamed',
    filters: { event_types: ['push'], sources: ['github'], conditions },
    rate_limit: { per_second: 5 },
  });
});

it('an edit asks once before it replaces what a colleague has written into the same field', async () => {
  const { id } = await make({ name: 'Before' });
  const user = await openWebhook(id, 'settings');
  await user.click(await button('Edit'));
  const form = await dialog('Edit the webhook');
  await api.webhooks.update(id, { name: 'Theirs' });
  await user.type(form.getByLabelText('Name'), ' and mine');
  await user.click(form.getByRole('button', { name: 'Save' }));
  await form.findByText('Somebody else has changed name meanwhile. Save again to replace it.');
  expect((await api.webhooks.get(id)).name).toBe('Theirs');
  // Another field, as with each delivery of a webhook in use.
  await api.webhooks.update(id, { rate_limit: { per_second: 5 } });
  await user.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved the webhook.');
  expect((await api.webhooks.get(id)).name).toBe('Before and mine');
});

it('an edit asks before it replaces what a colleague has written, also if the page has read that since', async () => {
  const { id } = await make({ name: 'Before' });
  const user = await openWebhook(id, 'settings');
  await user.click(await button('Edit'));
  const form = await dialog('Edit the webhook');
  await user.type(form.getByLabelText('Name'), ' and mine');
  await user.type(form.getByLabelText('Event types'), 'push');
  await api.webhooks.update(id, { name: 'Theirs', filters: { sources: ['github'] } });
  // The page reads it again when somebody comes back to the window.
  hideWindow(true);
  hideWindow(false);
  await page(/^Theirs/);
  await user.click(form.getByRole('button', { name: 'Save' }));
  await form.findByText('Somebody else has changed filters meanwhile. Save again to replace it.');
  expect(await api.webhooks.get(id)).toMatchObject({ name: 'Theirs', filters: { sources: ['github'] } });
});

it('says why a webhook is disabled, and sends the held deliveries once it is enabled', async () => {
  receiver.response = { status: 410, body: '' };
  const { id } = await make();
  await publish();
  await waitFor(async () => expect((await api.webhooks.get(id)).status).toBe('disabled'));
  const user = await openAs(server, '/w/acme/webhooks');
  const row = await screen.findByRole('row', { name: /127\.0\.0\.1/ });
  within(row).getByText('Disabled: responded with 410');
  await user.click(within(row).getByRole('link', { name: /127\.0\.0\.1/ }));
  await screen.findByText(/responded with 410 Gone/);
  expect((await button(/^Send test event/)).title).toBe('Enable the webhook first.');

  receiver.response = { status: 204, body: '' };
  await user.click(await button('Enable'));
  await screen.findByText(/^Enabled /);
  await waitFor(async () => expect(await statuses(id)).toEqual(['delivered']));
  await button('Disable');
});

it('shows no webhook of another workspace, whose roles may differ', async () => {
  const other = await api.workspaces.create({ name: 'Other', slug: 'other' });
  const { id } = await make({ workspace_id: other.id });
  await openAs(server, `/w/acme/webhooks/${id}`);
  await screen.findByText('This belongs to another workspace.');
  expect(screen.queryByRole('button', { name: 'Send test event' })).toBeNull();
  await api.webhooks.delete(id);
});

it('disables a webhook after a question', async () => {
  const { id } = await make();
  const user = await openWebhook(id);
  await user.click(await button('Disable'));
  await user.click((await dialog('Disable the webhook')).getByRole('button', { name: 'Disable' }));
  await screen.findByText(/It was disabled by hand/);
  expect(await api.webhooks.get(id)).toMatchObject({ status: 'disabled', disabled_reason: 'manual' });
});

it('rotates the secret, with an overlap in which both are valid', async () => {
  const { id } = await make();
  const user = await openWebhook(id, 'settings');
  await user.click(await button('Rotate'));
  const form = await dialog('Rotate the signing secret');
  await user.selectOptions(form.getByLabelText('The old secret stops'), 'After a day');
  await user.click(form.getByRole('button', { name: 'Rotate' }));
  const shown = await dialog('New signing secret');
  const secret = shown.getByText(/^whsec_/).textContent;
  shown.getByText(/in 23 hr|in 1 day|tomorrow/);

  await api.webhooks.test(id);
  await waitFor(() => expect(receiver.calls).toHaveLength(1));
  const [call] = receiver.calls;
  if (!call) throw new Error('Nobody called.');
  await unwrap(call, { secret, requireTimestamp: true });
  expect(String(call.headers['webhook-signature']).split(' ')).toHaveLength(2);
});

it('retries deliveries that have not arrived, and shows the progress', async () => {
  // Late enough that the scheduled retry does not come first.
  receiver.response = { status: 503, body: 'upstream\nis gone', headers: { 'retry-after': '3600' } };
  const { id } = await make();
  await publish();
  await publish();
  await waitFor(async () => expect(await statuses(id)).toEqual(['retrying', 'retrying']));
  receiver.response = { status: 204, body: '' };
  const user = await openWebhook(id, 'settings');
  await screen.findByText(/No attempt has succeeded/);
  await user.click(await button('Retry'));
  const form = await dialog('Retry failed deliveries');
  await user.click(form.getByLabelText('Include deliveries that wait for a retry'));
  await user.click(form.getByRole('button', { name: 'Retry' }));
  await form.findByText(/^Done: 2 deliveries/);
  await waitFor(async () => expect(await statuses(id)).toEqual(['delivered', 'delivered']));
  await user.click(form.getAllByRole('button', { name: 'Close' }).at(-1) ?? document.body);
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Health' }));
  const why = within(await screen.findByRole('region', { name: 'Why attempts failed' }));
  expect(why.getAllByRole('row')[1]?.textContent).toContain('503Service Unavailableupstream is gone2');
  await screen.findByRole('figure', { name: 'Attempts per 15 minutes' });
  const latest = await screen.findByRole('group', { name: 'Latest deliveries' });
  await waitFor(() => expect(within(latest).getAllByLabelText('Delivered')).toHaveLength(2));
});

it('says at the field that a time is not valid', async () => {
  const { id } = await make();
  const user = await openWebhook(id, 'settings');
  await user.click(await button('Retry'));
  const form = await dialog('Retry failed deliveries');
  await user.selectOptions(form.getByLabelText('Deliveries of'), 'another period');
  await user.click(form.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(form.getByLabelText('Since').getAttribute('aria-invalid')).toBe('true'));
});

it('deletes a webhook once its name is typed, which tells it from others on its host', async () => {
  const { id } = await make({ name: 'Billing' });
  const user = await openWebhook(id, 'settings');
  await user.click(await button('Delete'));
  const form = await dialog('Delete the webhook');
  await user.click(form.getByRole('button', { name: /^Delete/ }));
  expect((await api.webhooks.get(id)).id).toBe(id);
  await user.type(form.getByLabelText(/^Type Billing/), 'Billing');
  await user.click(form.getByRole('button', { name: 'Delete' }));
  await address('/w/acme/webhooks');
  await screen.findByText('No webhooks yet');
  await expect(api.webhooks.get(id)).rejects.toThrow(/webhook/i);
});

it('shows texts from outside as plain text, and says when there is no such webhook', async () => {
  const name = '<img src=x onerror=alert(1)>';
  const { id } = await make({ name });
  await openWebhook(id, 'settings');
  expect(document.querySelector('main img')).toBeNull();
  screen.getAllByText(name);
  await openAs(server, '/w/acme/webhooks/whk_01m7y6emk6aqyaj2gx3qyk8z8n');
  expect((await screen.findByRole('alert')).textContent).toContain('webhook');
});

it('shows a viewer everything, blocks every change, and says why', async () => {
  const { id } = await make();
  const email = 'vic@example.com';
  const { invite_url } = await api.members.invite(server.workspaceId, { email, role: 'viewer' });
  const password = 'the password of vic';
  await api.invitations.accept({ token: new URL(invite_url).searchParams.get('token') ?? '', password });
  const user = await openAs(server, `/w/acme/webhooks/${id}?tab=settings`, [email, password]);
  await page(new RegExp(nameOf(receiver)));
  for (const name of ['Send test event', 'Disable', 'Edit', 'Retry', 'Rotate', 'Delete']) {
    const control = await button(new RegExp(`^${name}`));
    expect(control.title).toBe('Only owners and admins can do this.');
    await user.click(control);
  }
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('sets an alert up in two clicks, and removes it', async () => {
  const { id } = await make({ name: 'Watched' });
  const user = await openWebhook(id);
  await user.click(await button('Alert me'));
  const form = await dialog('Alert me when it fails');
  await user.click(form.getByRole('button', { name: 'Create alert' }));
  await screen.findByText(/^You will be notified when Watched fails/);
  const [rule] = (await api.notificationRules.list(server.workspaceId)).data;
  expect(rule).toMatchObject({
    name: 'Watched fails',
    notify_on: ['webhook.failing', 'webhook.disabled'],
    conditions: { field: 'data.webhook_id', op: 'eq', value: id },
    destinations: [
      { kind: 'in_app', user_ids: [server.userId] },
      { kind: 'email', user_ids: [server.userId] },
    ],
  });
  await user.click(await button('Alert is on'));
  await user.click((await dialog('Remove the alert')).getByRole('button', { name: 'Remove' }));
  await button('Alert me');
  expect((await api.notificationRules.list(server.workspaceId)).data).toEqual([]);
});
