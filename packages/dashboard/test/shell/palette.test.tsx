import { screen, waitFor, within } from '@testing-library/preact';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { address, openAs, page } from '../support/open-dashboard.tsx';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

type Login = Parameters<typeof openAs>[2];

const api = () => apiOf(server);

/** Opens the palette on a page, with its keys. */
async function openPalette(path = 'overview', heading: string | RegExp = 'Overview', login?: Login) {
  const user = await openAs(server, `/w/acme/${path}`, login);
  await page(heading);
  return { user, ...(await openOn(user)) };
}

async function openOn(user: Awaited<ReturnType<typeof openAs>>) {
  await user.keyboard('{Control>}k{/Control}');
  const palette = within(await screen.findByRole('dialog', { name: 'Search or jump to' }));
  const labels = () =>
    palette.queryAllByRole('option').map((option) => option.querySelector('.clip')?.textContent);
  return { palette, labels, input: palette.getByRole('combobox') };
}

it('goes to a page by its name, with the keyboard alone', async () => {
  const { user, palette, input } = await openPalette();
  expect(document.activeElement === input).toBe(true);
  await user.type(input, 'deliv');
  expect(palette.getAllByRole('option')[0]?.textContent).toBe('DeliveriesPage');
  await user.keyboard('{ArrowDown}');
  expect(palette.getAllByRole('option')[1]?.getAttribute('aria-selected')).toBe('true');
  await user.keyboard('{ArrowUp}{Enter}');
  await page('Deliveries');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('finds a webhook by its name, and a member', async () => {
  const api = apiOf(server);
  const { id } = await api.webhooks.create({
    workspace_id: server.workspaceId,
    url: 'https://billing.example.com/hooks',
    name: 'Billing service',
    events: ['event.created'],
    secret: 'a secret of sixteen',
  });
  const { user, palette, input } = await openPalette();
  await user.type(input, 'owner@');
  await palette.findByRole('option', { name: /owner@example\.com/ });
  await user.clear(input);
  await user.type(input, 'service');
  await user.click(await palette.findByRole('option', { name: /^Billing service/ }));
  await address(`/w/acme/webhooks/${id}`);
});

it.each([
  ['create webhook', 'New webhook'],
  ['github connect', 'Connect GitHub'],
  ['logout', 'Log out'],
])('finds by several words, in any order, and by other words: %s', async (text, label) => {
  const { user, labels, input } = await openPalette();
  await user.type(input, text);
  await waitFor(() => expect(labels()).toEqual([label]));
});

it('leads to the API reference, which is outside of the workspace', async () => {
  const { user, input } = await openPalette();
  await user.type(input, 'openapi{Enter}');
  await address('/docs');
});

it('opens the thing that an ID names', async () => {
  const { event_id } = await apiOf(server).events.publish(server.workspaceId, {
    type: 'pasted',
    payload: {},
  });
  const { user, palette, input } = await openPalette();
  await user.click(input);
  await user.paste(event_id);
  expect(palette.getAllByRole('option').map((option) => option.textContent)).toEqual([`${event_id}Event`]);
  await user.keyboard('{Enter}');
  await page('pasted');
});

it('leads to the row of a key or a member, which have no page of their own', async () => {
  const { id } = await apiOf(server).apiKeys.create(server.workspaceId, { name: 'Nightly', scopes: ['*'] });
  const { user, palette, input } = await openPalette();
  await user.click(input);
  await user.paste(id);
  await palette.findByRole('option', { name: 'Nightly API key' });
  expect(palette.getAllByRole('option')).toHaveLength(1);
  await user.keyboard('{Enter}');
  await page('API keys');
  const marked = (name: RegExp) =>
    waitFor(async () =>
      expect((await screen.findByRole('row', { name })).hasAttribute('data-active')).toBe(true),
    );
  await marked(/Nightly/);
  const [member] = (await apiOf(server).members.list(server.workspaceId)).data;
  await user.keyboard('{Control>}k{/Control}');
  await user.paste(member?.user_id ?? '');
  await user.keyboard('{Enter}');
  await page('Members');
  await marked(/owner@example\.com/);
});

it.each(['usr', 'key'])('explains a %s_ ID that nothing has, and shows no entry', async (prefix) => {
  const { user, palette, input } = await openPalette();
  await user.click(input);
  await user.paste(`${prefix}_0000000000000000000000000a`);
  await palette.findByText('Nothing in this workspace has this ID.');
  expect(palette.queryByRole('option')).toBeNull();
});

it('finds an ID in a text, also in upper case, and shows the name of the thing', async () => {
  const { id } = await api().automations.create(server.workspaceId, {
    name: 'Page somebody',
    trigger: { event: 'manual' },
    actions: [{ id: 'tell', type: 'create_event', event_type: 'paged', payload: {} }],
  });
  const { user, palette, input } = await openPalette();
  await user.click(input);
  await user.paste(`automation "${id.toUpperCase()}" failed`);
  await palette.findByRole('option', { name: 'Page somebody Automation' });
  await user.keyboard('{Enter}');
  await address(`/w/acme/automations/${id}`);
});

it('leads from the ID of a run to its page, and says when there is no such run', async () => {
  const api = apiOf(server);
  const automation = await api.automations.create(server.workspaceId, {
    name: 'Tell the pager',
    trigger: { event: 'manual' },
    actions: [{ id: 'tell', type: 'create_event', event_type: 'paged', payload: {} }],
  });
  const run = await api.automations.run(server.workspaceId, automation.id);
  const { user, input } = await openPalette();
  await user.click(input);
  await user.paste(run.id);
  await user.keyboard('{Enter}');
  await page('Run of Tell the pager');
  await address(`/w/acme/automations/${automation.id}/runs/${run.id}`);
  await openAs(server, '/w/acme/runs/run_0000000000000000000000000a');
  expect((await screen.findByRole('alert')).textContent).toMatch(/^No such run/);
});

it('knows nothing of another workspace, though its IDs can be read', async () => {
  const { id } = await api().workspaces.create({ name: 'Aside', slug: 'aside' });
  const webhook = await api().webhooks.create({
    workspace_id: id,
    url: 'https://hooks.example.com/aside',
    events: ['event.created'],
    secret: 's3cret',
  });
  const { integration_id: integration } = await api().integrations.connect({
    provider: 'custom',
    workspace_id: id,
    credentials: { preset: 'none' },
  });
  const { user, palette, labels, input } = await openPalette();
  for (const each of [webhook.id, integration]) {
    await user.clear(input);
    await user.paste(each);
    await waitFor(() =>
      expect(palette.getByRole('status').textContent).toBe('Nothing in this workspace has this ID.'),
    );
    expect(labels()).toEqual([]);
  }
});

it('says when nothing has that name', async () => {
  const { user, palette, input } = await openPalette();
  await user.type(input, 'zzzz');
  await waitFor(() => expect(palette.getByRole('status').textContent).toMatch(/^Nothing has that name\. /));
});

it('does not say that nothing has a name before it knows all names', async () => {
  const user = await openAs(server, '/w/acme/settings');
  await page('Settings');
  const { fetch } = globalThis;
  const held = Promise.withResolvers<void>();
  onTestFinished(() => void (globalThis.fetch = fetch));
  globalThis.fetch = async (input, init) => {
    if (/\/v1\/webhooks\?/.test(String(input instanceof Request ? input.url : input))) await held.promise;
    return fetch(input, init);
  };
  const { palette, input } = await openOn(user);
  await user.type(input, 'zzzz');
  const note = () => palette.getByRole('status').textContent;
  expect(note()).toMatch(/^Nothing loaded so far has that name\./);
  held.resolve();
  await waitFor(() => expect(note()).toMatch(/^Nothing has that name\. /));
});

it.each([
  ['publish', 'Publish an event', 'Publish an event'],
  ['invite', 'Invite a member', 'Invite a member'],
  ['new webhook', 'New webhook', 'New webhook'],
  ['connect github', 'Connect GitHub', 'Connect GitHub'],
  ['new api', 'New API key', 'New API key'],
  ['new auto', 'New automation', 'New automation'],
  ['new notification', 'New notification rule', 'New rule'],
  ['retry', 'Retry failed deliveries', 'Retry failed deliveries'],
])('leads from "%s" to its dialog', async (typed, label, title) => {
  const { user, palette, labels, input } = await openPalette();
  await user.type(input, typed);
  await palette.findByRole('option', { name: `${label} Action` });
  expect(labels()[0]).toBe(label);
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog', { name: title });
});

it('leads to the first tool that can be connected', async () => {
  const { user, input } = await openPalette();
  await user.type(input, 'connect a{Enter}');
  await page('Integrations');
  await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Connect /));
  await address('/w/acme/integrations');
});

it('shows the actions of the page first', async () => {
  expect((await openPalette('members', 'Members')).labels()[0]).toBe('Invite a member');
  const { id, name } = await api().webhooks.create({
    workspace_id: server.workspaceId,
    url: 'https://stock.invalid/hooks',
    name: 'Stock service',
    events: ['event.created'],
    secret: 'a secret of sixteen',
  });
  const healthy = await openPalette(`webhooks/${id}`, /^Stock service/);
  await healthy.user.type(healthy.input, 'retry');
  expect(healthy.labels()).not.toContain(`Retry failed deliveries of ${name}`);
  const { id: delivery } = await api().webhooks.test(id);
  await waitFor(async () => expect((await api().deliveries.get(delivery)).status).toBe('failed'));
  const { labels, user } = await openPalette(`webhooks/${id}`, /^Stock service/);
  const retry = `Retry failed deliveries of ${name}`;
  await waitFor(() => expect(labels().slice(0, 2)).toEqual([retry, 'New webhook']));
  await user.type(screen.getByRole('combobox'), retry);
  expect(labels()).toEqual([retry]);
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog', { name: 'Retry failed deliveries' });
  await address(`/w/acme/deliveries?view=cause&webhook=${id}`);
});

it('retries the open delivery, and the selected ones', async () => {
  const { id: webhookId } = await api().webhooks.create({
    workspace_id: server.workspaceId,
    url: 'https://gone.invalid/hooks',
    events: ['event.created'],
    secret: 'a secret of sixteen',
  });
  const { id } = await api().webhooks.test(webhookId);
  const attempts = async () => (await api().deliveries.get(id)).attempt_count;
  await waitFor(async () => expect((await api().deliveries.get(id)).status).toBe('failed'));
  const { user, labels } = await openPalette(`deliveries/${id}`, /→/);
  expect(labels()[0]).toBe('Retry this delivery');
  await user.keyboard('{Enter}');
  await waitFor(async () => expect(await attempts()).toBe(2));
  await waitFor(async () => expect((await api().deliveries.get(id)).status).toBe('failed'));

  const list = await openAs(server, `/w/acme/deliveries?webhook=${webhookId}`);
  await list.click(await screen.findByRole('checkbox', { name: /^Select (?!all)/ }));
  await screen.findByText('1 selected');
  expect((await openOn(list)).labels()[0]).toBe('Retry 1 selected delivery');
  await list.keyboard('{Enter}');
  await waitFor(async () => expect(await attempts()).toBe(3));
});

it('offers a role only what it may do', async () => {
  const login = ['vera@example.com', 'the password of vera'] as const;
  const { invite_url } = await api().members.invite(server.workspaceId, { email: login[0], role: 'viewer' });
  const token = new URL(invite_url).searchParams.get('token') ?? '';
  await api().invitations.accept({ token, password: login[1] });
  const { user, labels, palette, input } = await openPalette('webhooks', 'Webhooks', [...login]);
  await user.type(input, 'new');
  expect(labels()).toEqual(['New workspace']);
  for (const typed of ['publish', 'invite', 'connect', 'retry', 'api key']) {
    await user.clear(input);
    await user.type(input, typed);
    expect(labels()).toEqual([]);
  }
  await user.clear(input);
  await user.paste('req_01m83pkkva2bgke4acph2hjnp8');
  expect(palette.getByRole('status').textContent).toMatch(/Only owners and admins can do this/);
});

it('changes the theme, and logs out', async () => {
  onTestFinished(() => localStorage.clear());
  const { user, labels, input } = await openPalette();
  await user.type(input, 'theme');
  expect(labels()).toEqual(['Theme: Light', 'Theme: Dark', 'Account']);
  await user.clear(input);
  await user.type(input, 'dark{Enter}');
  expect(document.documentElement.dataset['theme']).toBe('dark');
  const again = await openOn(user);
  await user.type(again.input, 'system{Enter}');
  expect(document.documentElement.dataset['theme']).toBe('auto');
  const last = await openOn(user);
  await user.type(last.input, 'log out{Enter}');
  await screen.findByRole('heading', { name: 'Log in' });
});

it('leads from the ID of a workspace to its settings', async () => {
  const other = await api().workspaces.create({ name: 'Second', slug: 'second' });
  const { user, palette, labels, input } = await openPalette();
  await user.click(input);
  await user.paste('ws_01m83pkkva2bgke4acph2hjnp8');
  expect(palette.getByRole('status').textContent).toBe('You are not a member of a workspace with this ID.');
  await user.clear(input);
  await user.paste(other.id);
  await waitFor(() => expect(labels()).toEqual(['Second']));
  await user.keyboard('{Enter}');
  await address('/w/second/settings');
});

it('leads from the ID of a request to its changes', async () => {
  await api().apiKeys.create(server.workspaceId, { name: 'By that request', scopes: ['*'] });
  const [entry] = (await api().auditLog.list(server.workspaceId, { limit: 1 })).data;
  const { user, palette, labels, input } = await openPalette();
  await user.click(input);
  await user.paste(entry?.context.request_id ?? '');
  expect(labels()).toEqual([entry?.context.request_id]);
  expect(palette.getByRole('status').textContent).toMatch(/^This is a request ID\./);
  await user.keyboard('{Enter}');
  await page('Audit log');
  await screen.findByText('By that request');
});
