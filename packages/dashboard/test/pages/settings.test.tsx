import { fireEvent, screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { hold } from '../support/hold.ts';
import { address, dialog, nodeFetch, openAs, openSwitcher, page } from '../support/open-dashboard.tsx';
import { EMAIL, startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
beforeAll(async () => {
  server = await startServer();
  api = apiOf(server);
});
afterAll(() => server.stop());
beforeEach(() => api.workspaces.update(server.workspaceId, { name: 'Acme', slug: 'acme' }));

/** Invites a person, who accepts with a password. */
async function join(email: string, role: 'owner' | 'admin' | 'viewer') {
  const { invite_url } = await api.members.invite(server.workspaceId, { email, role });
  const token = new URL(invite_url).searchParams.get('token') ?? '';
  const password = `the password of ${email}`;
  await api.invitations.accept({ token, password });
  return [email, password] as [string, string];
}

it('renames the workspace, and stays on the page under its new address', async () => {
  const user = await openAs(server, '/w/acme/settings');
  const slug = await screen.findByLabelText('Slug');
  await user.clear(slug);
  await user.type(slug, 'Not a slug');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(slug.getAttribute('aria-invalid')).toBe('true'));
  await user.clear(slug);
  await user.type(slug, 'acme-two');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await address('/w/acme-two/settings');
  await page('Settings');
  expect((await api.workspaces.get(server.workspaceId)).slug).toBe('acme-two');
  const members = await screen.findByRole('link', { name: 'Members' });
  expect(members.getAttribute('href')).toBe('/w/acme-two/members');
});

it('asks before a name that is not saved is lost, and not after it has been saved or typed back', async () => {
  const user = await openAs(server, '/w/acme/settings');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  const leaves = () => !fireEvent(window, new Event('beforeunload', { cancelable: true }));
  await user.type(name, ' & Sons');
  expect(leaves()).toBe(true);
  // A link to a part of the page, and the event that browsers send for it.
  await user.click(screen.getByRole('link', { name: 'Skip to the page' }));
  fireEvent.popState(window);
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Members' }));
  const question = await dialog('Leave without saving?');
  await user.click(question.getByRole('button', { name: 'Keep editing' }));
  await address('/w/acme/settings');
  expect(name.value).toBe('Acme & Sons');

  await user.type(name, '{Backspace}'.repeat(' & Sons'.length));
  expect(leaves()).toBe(false);
  await user.type(name, ' & Daughters');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved the workspace.');
  await waitFor(() => expect(leaves()).toBe(false));

  await user.type(await screen.findByLabelText('Name'), ' & Co');
  await user.click(screen.getByRole('link', { name: 'Members' }));
  await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Leave' }));
  await page('Members');
  expect(leaves()).toBe(false);
});

it('asks before a logout loses a name that is not saved, from the palette and from the menu', async () => {
  const user = await openAs(server, '/w/acme/settings');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  await user.type(name, ' & Sons');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(within(await screen.findByRole('dialog')).getByRole('combobox'), 'logout{Enter}');
  await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Keep editing' }));
  expect(name.value).toBe('Acme & Sons');
  await user.click(screen.getByText(/^Account menu/));
  await user.click(await screen.findByRole('button', { name: 'Log out' }));
  await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Keep editing' }));
  await user.keyboard('{Control>}k{/Control}');
  await user.type(within(await screen.findByRole('dialog')).getByRole('combobox'), 'logout{Enter}');
  await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Leave' }));
  await page('Log in');
});

it('keeps what is typed, and the slug, when a colleague changes the slug', async () => {
  const { name, slug } = await api.workspaces.get(server.workspaceId);
  onTestFinished(async () => void (await api.workspaces.update(server.workspaceId, { name, slug })));
  const user = await openAs(server, '/w/acme/settings');
  await user.type(await screen.findByLabelText('Name'), ' & Sons');
  await api.workspaces.update(server.workspaceId, { slug: 'acme-moved' });
  await address('/w/acme-moved/settings');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe(`${name} & Sons`);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved the workspace.');
  expect(await api.workspaces.get(server.workspaceId)).toMatchObject({
    name: `${name} & Sons`,
    slug: 'acme-moved',
  });
});

it('keeps the name that a colleague changes while somebody types a slug', async () => {
  const { name, slug } = await api.workspaces.get(server.workspaceId);
  onTestFinished(async () => void (await api.workspaces.update(server.workspaceId, { name, slug })));
  const user = await openAs(server, '/w/acme/settings');
  await user.type(await screen.findByLabelText('Slug'), '-moved');
  await api.workspaces.update(server.workspaceId, { name: 'Renamed' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await address('/w/acme-moved/settings');
  expect((await api.workspaces.get(server.workspaceId)).name).toBe('Renamed');
});

it('keeps what is typed while a save is under way, and asks before it is lost', async () => {
  const user = await openAs(server, '/w/acme/settings');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  const slug = screen.getByLabelText<HTMLInputElement>('Slug');
  await user.type(name, ' & Sons');
  await user.type(slug, '-sons');
  const saving = hold('/workspaces/');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await saving.begun;
  await user.type(name, ' & Co');
  saving.release();
  await address('/w/acme-sons/settings');
  await screen.findByText('Saved the workspace.');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Acme & Sons & Co');
  expect(screen.getByLabelText<HTMLInputElement>('Slug').value).toBe('acme-sons');
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(true));
  expect((await api.workspaces.get(server.workspaceId)).name).toBe('Acme & Sons & Co');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Acme & Sons & Co');
});

it('asks before it replaces a plan that a colleague has chosen meanwhile', async () => {
  const user = await openAs(server, '/w/acme/settings');
  await user.selectOptions(await screen.findByLabelText('Plan', { selector: 'select' }), 'Enterprise');
  await api.workspaces.update(server.workspaceId, { plan: 'team' });
  const button = screen.getByRole('button', { name: 'Change plan' });
  await user.click(button);
  await screen.findByText('Somebody else has changed plan meanwhile. Save again to replace it.');
  await user.click(button);
  await screen.findByText('The plan is now Enterprise.');
  await api.workspaces.update(server.workspaceId, { plan: 'free' });
});

it('lets only the owner change the plan and delete the workspace', async () => {
  const user = await openAs(server, '/w/acme/settings', await join('ada@example.com', 'admin'));
  await screen.findByText('View only: owners can change this.');
  expect(screen.queryByRole('button', { name: 'Change plan' })).toBeNull();
  expect(screen.getByLabelText<HTMLSelectElement>('Plan', { selector: 'select' }).disabled).toBe(true);
  await user.click(screen.getByRole('button', { name: /^Delete/ }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('creates another workspace from the switcher, with a slug from its name, and deletes it again', async () => {
  const user = await openAs(server, '/w/acme/members');
  await page('Members');
  await openSwitcher(user);
  await user.click(screen.getByRole('menuitem', { name: 'New workspace' }));
  const form = await dialog('New workspace');
  await user.type(form.getByLabelText('Name'), 'Éclair & Co');
  // Suggested while the name is typed.
  await waitFor(() => expect(form.getByLabelText<HTMLInputElement>('Slug').value).toBe('eclair-co'));
  await user.click(form.getByRole('button', { name: 'Create' }));
  await address('/w/eclair-co/overview');

  await user.click(screen.getByRole('link', { name: 'Settings' }));
  await page('Settings');
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  const asked = await dialog('Delete Éclair & Co');
  await user.type(asked.getByLabelText('Type eclair-co to confirm'), 'eclair-co');
  await user.click(asked.getByRole('button', { name: 'Delete' }));
  await address('/w/acme/overview');
  expect(screen.queryByRole('option', { name: 'Éclair & Co' })).toBeNull();
});

it('lets an admin leave, and tells a viewer who can remove them', async () => {
  const login = await join('lea@example.com', 'admin');
  const user = await openAs(server, '/w/acme/settings', login);
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await user.click((await dialog('Leave Acme')).getByRole('button', { name: 'Leave' }));
  await page('You have no workspace yet');
  await user.click(screen.getByRole('button', { name: 'New workspace' }));
  const form = await dialog('New workspace');
  await user.type(form.getByLabelText('Name'), 'Of Lea');
  await user.click(form.getByRole('button', { name: 'Create' }));
  await address('/w/of-lea/overview');

  await openAs(server, '/w/acme/settings', await join('vic@example.com', 'viewer'));
  const leave = await screen.findByRole('button', { name: /^Leave/ });
  expect(leave.title).toBe('Ask an owner or admin to remove you.');
  screen.getByText('View only: owners and admins can change this.');
  expect(screen.getByLabelText<HTMLInputElement>('Name').disabled).toBe(true);
});

it('keeps the only owner, and lets one of several leave', async () => {
  await openAs(server, '/w/acme/settings');
  const leave = await screen.findByRole('button', { name: /^Leave.+only owner/ });
  expect(leave.title).toBe(
    'You are the only owner. Transfer ownership to an admin first, on the members page.',
  );

  const user = await openAs(server, '/w/acme/settings', await join('olga@example.com', 'owner'));
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await user.click((await dialog('Leave Acme')).getByRole('button', { name: 'Leave' }));
  await page('You have no workspace yet');
});

it('shows in the audit log who changed what, with filters in the address', async () => {
  await api.workspaces.update(server.workspaceId, { name: 'Acme & <b>Sons</b>' });
  const user = await openAs(server, '/w/acme/audit-log?action=workspace.updated');
  await page('Audit log');
  const line = await screen.findByText('name: Acme → Acme & <b>Sons</b>');
  expect(screen.queryByText(/invited/, { selector: '.audit-line' })).toBeNull();
  const entry = within(line.closest('li') ?? document.body);
  await user.click(line);
  expect(await entry.findByText('workspace.updated')).toBeTruthy();
  expect(entry.getByText(/^req_/)).toBeTruthy();

  await user.click(screen.getByRole('button', { name: 'Filter' }));
  await user.click(await screen.findByRole('button', { name: 'Actor' }));
  await user.click(await screen.findByRole('button', { name: 'vic@example.com' }));
  await screen.findByText('No entry matches these filters.');
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await screen.findAllByText(/invited/, { selector: '.audit-line' });
});

it('offers members to filter by as soon as they have loaded', async () => {
  const user = await openAs(server, '/w/acme/audit-log');
  const { fetch } = globalThis;
  const held = Promise.withResolvers<void>();
  globalThis.fetch = async (input, init) => {
    if (String(input instanceof Request ? input.url : input).includes('/members')) await held.promise;
    return fetch(input, init);
  };
  onTestFinished(() => void (globalThis.fetch = fetch));
  await user.click(await screen.findByRole('button', { name: 'Filter' }));
  await user.click(await screen.findByRole('button', { name: 'Actor' }));
  expect(screen.queryByRole('button', { name: EMAIL })).toBeNull();
  held.resolve();
  await screen.findByRole('button', { name: EMAIL });
});

it.each(['csv', 'json'])('exports the matching entries as %s', async (format) => {
  await api.apiKeys.create(server.workspaceId, { name: `For ${format}` });
  const blobs: unknown[] = [];
  const names: string[] = [];
  const made = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob);
    return 'blob:test';
  });
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  const since = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString());
  const user = await openAs(server, `/w/acme/audit-log?action=api_key.created&from=${since}`);
  await user.click(await screen.findByRole('button', { name: `Export ${format.toUpperCase()}` }));
  await waitFor(() => expect(names).toHaveLength(1));
  made.mockRestore();
  saved.mockRestore();

  expect(names[0]).toMatch(new RegExp(`^audit-log-acme-\\d{4}-\\d{2}-\\d{2}\\.${format}$`));
  const text = await (blobs[0] as Blob).text();
  const actions =
    format === 'json'
      ? (JSON.parse(text) as { action: string }[]).map(({ action }) => action)
      : text
          .trim()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',')[2]?.replaceAll('"', ''));
  expect(new Set(actions)).toEqual(new Set(['api_key.created']));
  expect(text).toContain(`For ${format}`);
});

it('says for whom the audit log is, and who can give another role', async () => {
  const login = await join('val@example.com', 'viewer');
  await openAs(server, '/w/acme/audit-log', login);
  await page('Audit log');
  const main = within(screen.getByRole('main'));
  main.getByRole('heading', { name: 'For owners and admins' });
  main.getByText('Your role is viewer. They can give you another one.');
  expect(main.getByRole('link', { name: 'Members' }).getAttribute('href')).toBe('/w/acme/members');
});

it('logs out everywhere else from the account', async () => {
  const login = await join('two@example.com', 'viewer');
  const elsewhere = await nodeFetch(`${server.url}/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hubline-dashboard': '1',
      'sec-fetch-site': 'same-origin',
    },
    body: JSON.stringify({ email: login[0], password: login[1] }),
  });
  const [cookie = ''] = (elsewhere.headers.get('set-cookie') ?? '').split(';');
  const asked = async () => {
    const headers = { cookie, 'x-hubline-dashboard': '1', 'sec-fetch-site': 'same-origin' };
    return (await nodeFetch(`${server.url}/session`, { headers })).json();
  };
  const user = await openAs(server, '/w/acme/account', login);
  await page('Account');
  expect(await asked()).toMatchObject({ user: { email: login[0] } });
  await user.click(screen.getByRole('button', { name: 'Log out everywhere else' }));
  await screen.findByText('Your other sessions have ended.');
  expect(await asked()).toBeNull();
  expect(screen.getByRole('heading', { name: 'two@example.com' })).toBeTruthy();
});
