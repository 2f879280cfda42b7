import { createHmac } from 'node:crypto';
import { fireEvent, screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { hideWindow } from '../support/hide-window.ts';
import { address, dialog, openAs, page } from '../support/open-dashboard.tsx';
import { skipPauses } from '../support/skip-pauses.ts';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
beforeAll(async () => {
  server = await startServer();
  api = apiOf(server);
});
afterAll(() => server.stop());

const custom = (credentials: Record<string, string>) =>
  api.integrations.connect({ provider: 'custom', workspace_id: server.workspaceId, credentials });

it('connects a tool with its own signing rules, and shows the secret once, with a sample that uses it', async () => {
  const user = await openAs(server, '/w/acme/integrations');
  await page('Integrations');
  await user.click(await screen.findByRole('button', { name: 'Connect Custom webhook' }));
  const form = await dialog('Connect Custom webhook');
  await user.type(form.getByLabelText('Source'), 'jenkins');
  await user.selectOptions(
    form.getByLabelText(/^How calls are authenticated/),
    'Signature in another header…',
  );
  await user.type(form.getByLabelText('Header'), 'X-Sig');
  await user.type(form.getByLabelText('Signed text'), 'the body');
  await user.click(form.getByRole('button', { name: 'Connect' }));
  const signed = form.getByLabelText('Signed text');
  await waitFor(() => expect(signed.getAttribute('aria-invalid')).toBe('true'));
  await user.clear(signed);
  await user.click(form.getByRole('button', { name: 'Connect' }));

  const shown = await dialog('Finish setting up Custom webhook');
  shown.getByText(/^No call from Custom webhook has arrived yet/);
  shown.getByText(/^Only programs on this machine can call 127\.0\.0\.1:\d+\./);
  const secret = shown.getByText(/^[\w-]{43}$/).textContent;
  const url = shown.getByText(/\/v1\/ingest\/int_\w{26}$/).textContent;
  const sample = shown.getByRole('region', { name: 'Test event code' }).textContent;
  expect(sample).toContain('-H "X-Sig: $signature"');
  const body = /^body='(.*)'$/m.exec(sample)?.[1] ?? '';
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-sig': createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
  });
  expect(response.status).toBe(202);

  await user.click(shown.getByLabelText('I have saved it'));
  await user.click(shown.getByRole('button', { name: 'Done' }));
  await page('Custom webhook');
  const events = within(await screen.findByRole('table', { name: 'Recent events' }));
  expect(await events.findByText('Build 7 passed')).toBeTruthy();
  const id = location.pathname.split('/').at(-1);
  expect(screen.getByRole('link', { name: 'All events of this integration' }).getAttribute('href')).toBe(
    `/w/acme/events?integration=${id}`,
  );
  expect(document.body.textContent).not.toContain(secret);
});

it('shows the URL of a tool without a signature whole, for the tool and for Slack messages, to those who may manage it', async () => {
  const { integration_id, ingest } = await custom({ preset: 'none' });
  const open = () => openAs(server, `/w/acme/integrations/${integration_id}`);
  await open();
  expect(await screen.findAllByText(ingest.url)).toHaveLength(2);
  const slack = screen.getByText(/\/slack\?token=[\w-]{43}$/).textContent;
  const response = await fetch(slack, { method: 'POST', body: '{"text":"Deployed"}' });
  expect(response.status).toBe(200);
  expect(screen.getByRole('region', { name: 'Test event code' }).textContent).toContain(ingest.url);
  expect(screen.queryByText(/leave out \?token=/)).toBeNull();
});

it('shows no integration of another workspace, whose roles may differ', async () => {
  const other = await api.workspaces.create({ name: 'Other', slug: 'other' });
  const { integration_id } = await api.integrations.connect({
    provider: 'custom',
    workspace_id: other.id,
    credentials: { preset: 'none' },
  });
  await openAs(server, `/w/acme/integrations/${integration_id}`);
  await screen.findByText('This belongs to another workspace.');
  expect(screen.queryByRole('button', { name: 'Disconnect' })).toBeNull();
});

it('is shown as connected only after the first call, and then at once', async () => {
  // The pause between two reads of an integration.
  skipPauses(5_000);
  const { integration_id, ingest } = await custom({ preset: 'none' });
  await openAs(server, '/w/acme/integrations');
  const table = within(await screen.findByRole('table', { name: 'Connected integrations' }));
  const links = await table.findAllByRole<HTMLAnchorElement>('link', { name: /Custom webhook/ });
  const link = links.find(({ href }) => href.endsWith(integration_id));
  const row = link?.closest('tr') ?? document.body;
  expect(within(row).getByText('awaiting hook')).toBeTruthy();

  await openAs(server, `/w/acme/integrations/${integration_id}`);
  await screen.findByText(/^No call from Custom webhook has arrived yet/);
  await screen.findByText(/^Only programs on this machine can call/);
  expect((await fetch(ingest.url, { method: 'POST', body: '{"text":"hi"}' })).status).toBe(202);
  await waitFor(() => expect(screen.queryByText(/has arrived yet/)).toBeNull());
  expect(screen.queryByText('awaiting hook')).toBeNull();
});

it('shows that a provider refuses notifications, as soon as a test has failed', async () => {
  const { integration_id } = await custom({ preset: 'none', notify_url: `${server.baseUrl}/nowhere` });
  const user = await openAs(server, `/w/acme/integrations/${integration_id}`);
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  await screen.findByText(/^A notification was not accepted: 127\.0\.0\.1:\d+ responded with 404\./);
  await screen.findByText('destination refused');
});

it('unfolds the field that an error is about', async () => {
  const user = await openAs(server, '/w/acme/integrations?connect=custom');
  const form = await dialog('Connect Custom webhook');
  const pointer = form.getByLabelText('Event type in the body');
  const folded = pointer.closest('details');
  await user.type(pointer, 'no pointer');
  expect(folded?.open).toBe(false);
  await user.click(form.getByRole('button', { name: 'Connect' }));
  await waitFor(() => expect(pointer.getAttribute('aria-invalid')).toBe('true'));
  await waitFor(() => expect(folded?.open).toBe(true));
  await user.click(form.getByRole('button', { name: 'Cancel' }));
  await address('/w/acme/integrations');
});

it('asks for the token that GitHub needs, and offers no second integration', async () => {
  const { integration_id } = await api.integrations.create({
    type: 'github',
    workspace_id: server.workspaceId,
    config: {},
  });
  await openAs(server, '/w/acme/integrations');
  const link = await screen.findByRole('link', { name: 'Open GitHub' });
  expect(link.getAttribute('href')).toBe(`/w/acme/integrations/${integration_id}`);
  expect(screen.queryByRole('button', { name: 'Connect GitHub' })).toBeNull();

  const user = await openAs(server, `/w/acme/integrations/${integration_id}`);
  await page('GitHub');
  await screen.findByText(/^GitHub has no credentials yet\./);
  await user.click(screen.getByRole('button', { name: 'Reconnect' }));
  const form = await dialog('Reconnect GitHub');
  const token = form.getByLabelText('Token');
  expect(token.getAttribute('type')).toBe('password');
  await user.click(form.getByRole('button', { name: 'Reconnect' }));
  await waitFor(() => expect(token.getAttribute('aria-invalid')).toBe('true'));
});

it('keeps what is left empty when a tool is reconnected, such as the rules of its signature', async () => {
  const { integration_id, ingest } = await custom({
    verification: 'token',
    header: 'X-Tool',
    source: 'tool',
  });
  const call = (id: string) =>
    fetch(ingest.url, {
      method: 'POST',
      headers: { 'X-Tool': ingest.secret ?? '' },
      body: JSON.stringify({ id }),
    });
  const user = await openAs(server, `/w/acme/integrations/${integration_id}`);
  await user.click(await screen.findByRole('button', { name: 'Reconnect' }));
  const form = await dialog('Reconnect Custom webhook');
  // An empty field keeps its stored value: no hint may say otherwise.
  expect(form.queryByText(/Empty:/)).toBeNull();
  await user.type(form.getByLabelText('Source'), 'tool-2');
  await user.click(form.getByRole('button', { name: 'Reconnect' }));
  await dialog('Finish setting up Custom webhook');
  expect((await call('1')).status).toBe(202);
  const [event] = (await api.events.list(server.workspaceId, { integration_id, limit: 1 })).data;
  expect(event?.source).toBe('tool-2');
});

it('removes a stored value that is optional when a tool is reconnected', async () => {
  const { integration_id } = await custom({ preset: 'none', notify_url: `${server.baseUrl}/nowhere` });
  const user = await openAs(server, `/w/acme/integrations/${integration_id}`);
  await user.click(await screen.findByRole('button', { name: 'Reconnect' }));
  const form = await dialog('Reconnect Custom webhook');
  await user.click(form.getByText('Remove stored values'));
  await user.click(form.getByLabelText('Remove “URL for notifications”'));
  await user.click(form.getByRole('button', { name: 'Reconnect' }));
  const shown = await dialog('Finish setting up Custom webhook');
  await user.click(shown.getByRole('button', { name: 'Done' }));
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  await screen.findByText(/rejected it: the integration has no notify_url/);
});

it('saves the name, and keeps the settings that a colleague changes in the meantime', async () => {
  const { integration_id } = await custom({ preset: 'none' });
  const user = await openAs(server, `/w/acme/integrations/${integration_id}`);
  await user.type(await screen.findByLabelText('Name'), 'Builds');
  await api.integrations.update(integration_id, { config: { channel: '#ops' } });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved the integration.');
  expect(await api.integrations.get(integration_id)).toMatchObject({
    name: 'Builds',
    config: { channel: '#ops' },
  });
});

it('asks once before it replaces what a colleague has changed meanwhile, also if the page has read that since', async () => {
  const { integration_id: id } = await custom({ preset: 'none' });
  const user = await openAs(server, `/w/acme/integrations/${id}`);
  await user.type(await screen.findByLabelText('Name'), 'Mine');
  await user.type(screen.getByLabelText('Channel'), '#mine');
  await api.integrations.update(id, { name: 'Theirs', config: { channel: '#theirs' } });
  // Until the first call, the page reads the integration again and again, and at once when somebody comes back to it.
  hideWindow(true);
  hideWindow(false);
  await screen.findByRole('heading', { name: 'Theirs' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Somebody else has changed name meanwhile. Save again to replace it.');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved the integration.');
  expect(await api.integrations.get(id)).toMatchObject({ name: 'Mine', config: { channel: '#mine' } });
});

it('saves the channel, and keeps settings made by a program', async () => {
  const { integration_id } = await custom({ preset: 'none' });
  await api.integrations.update(integration_id, {
    config: { notify_on: ['event.created', 'user.invited'], filters: { severity: ['urgent'] } },
  });
  const user = await openAs(server, `/w/acme/integrations/${integration_id}`);
  await user.type(await screen.findByLabelText('Channel'), '#releases');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved the integration.');
  const { config } = await api.integrations.get(integration_id);
  expect(config).toEqual({
    channel: '#releases',
    notify_on: ['event.created', 'user.invited'],
    filters: { severity: ['urgent'] },
  });
});

it('says why a test notification did not arrive', async () => {
  const { integration_id } = await custom({ preset: 'none' });
  const user = await openAs(server, `/w/acme/integrations/${integration_id}`);
  await user.click(await screen.findByRole('button', { name: 'Send' }));
  await screen.findByText(/rejected it: the integration has no notify_url/);
});

it('disconnects once the name is typed', async () => {
  const { integration_id } = await custom({ preset: 'none' });
  const user = await openAs(server, `/w/acme/integrations/${integration_id}`);
  await page('Custom webhook');
  await user.click(await screen.findByRole('button', { name: 'Disconnect' }));
  const asked = await dialog('Disconnect Custom webhook');
  await user.type(asked.getByLabelText('Type Custom webhook to confirm'), 'Custom webhook');
  await user.click(asked.getByRole('button', { name: 'Disconnect' }));
  await page('Integrations');
  const left = await api.integrations.list(server.workspaceId).toArray();
  expect(left.map((each) => each.integration_id)).not.toContain(integration_id);
});

it('asks how to connect a tool with several ways, and only for the credentials of that way', async () => {
  const user = await openAs(server, '/w/acme/integrations?connect=slack');
  const form = await dialog('Connect Slack');
  form.getByLabelText('Token');
  await user.selectOptions(form.getByLabelText(/^Way to connect/), 'Incoming webhook');
  const url = await form.findByLabelText('Webhook URL');
  expect(form.queryByLabelText('Token')).toBeNull();
  expect(url.getAttribute('type')).toBe('password');
  await user.type(url, 'http://hooks.slack.com/services/T1/B1/x');
  await user.click(form.getByRole('button', { name: 'Connect' }));
  await waitFor(() => expect(url.getAttribute('aria-invalid')).toBe('true'));
});

it('shows the URL, the steps and the manifest of a tool before it takes the credentials', async () => {
  const user = await openAs(server, '/w/acme/integrations');
  await user.click(await screen.findByRole('button', { name: 'Connect Slack' }));
  await user.click((await dialog('Connect Slack')).getByRole('button', { name: 'Get the URL' }));
  await page('Slack');
  await screen.findByText(/^Slack has no credentials yet/);
  await screen.findByText(/^Open https:\/\/api\.slack\.com\/apps/);
  const { ingest } = await api.integrations.get(location.pathname.split('/').at(-1) ?? '');
  const manifest = screen.getByRole('region', { name: 'App manifest code' }).textContent;
  expect(JSON.parse(manifest)).toMatchObject({
    settings: { event_subscriptions: { request_url: ingest.url } },
  });
});

it('connects with OAuth, after the app of the workspace is entered', async () => {
  let isAsked = false;
  const went = vi.spyOn(window.location, 'assign').mockImplementation(() => {
    isAsked ||= !fireEvent(window, new Event('beforeunload', { cancelable: true }));
  });
  const user = await openAs(server, '/w/acme/integrations?connect=linear');
  const form = await dialog('Connect Linear');
  await user.click(await form.findByText('Connect with OAuth'));
  form.getByText(`${server.baseUrl}/integrations/oauth/linear/callback`);
  await user.type(form.getByLabelText('Client ID'), 'app-1');
  await user.type(form.getByLabelText('Client secret'), 'made-up');
  await user.click(form.getByRole('button', { name: 'Save and connect' }));
  await waitFor(() => expect(went).toHaveBeenCalledOnce());
  expect(went.mock.calls[0]?.[0]).toMatch(/\/v1\/integrations\/oauth\/linear\/start\?token=[\w-]{43}$/);
  expect(
    (await api.oauth.listApps(server.workspaceId).toArray()).find(({ provider }) => provider === 'linear'),
  ).toMatchObject({ configured: true, client_id: 'app-1' });
  await user.click(await form.findByRole('button', { name: 'Connect in the browser' }));
  await waitFor(() => expect(went).toHaveBeenCalledTimes(2));
  expect(isAsked).toBe(false);
});
