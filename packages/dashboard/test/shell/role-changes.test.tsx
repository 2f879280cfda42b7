import { screen, waitFor } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { address, dialog, openAs, openSwitcher, page } from '../support/open-dashboard.tsx';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
beforeAll(async () => {
  server = await startServer();
  api = apiOf(server);
});
afterAll(() => server.stop());

/** Adds a member to the workspace, and opens the page as them. */
async function openFor(email: string, role: 'admin' | 'member' | 'viewer', path: string) {
  const { invite_url, user_id: userId } = await api.members.invite(server.workspaceId, { email, role });
  const password = `the password of ${email}`;
  await api.invitations.accept({ token: new URL(invite_url).searchParams.get('token') ?? '', password });
  const user = await openAs(server, path, [email, password]);
  return { user, userId };
}

const give = (userId: string, role: 'admin' | 'viewer') =>
  api.members.update(server.workspaceId, userId, { role });
const isBlocked = (name: RegExp) =>
  screen.getByRole('button', { name }).getAttribute('aria-disabled') === 'true';

it('gives a member who is promoted the controls of the new role, without a reload', async () => {
  const { userId, user } = await openFor('pia@example.com', 'viewer', '/w/acme/members');
  await page('Members');
  await screen.findByRole('row', { name: /owner@example\.com/ });
  expect(isBlocked(/^Invite/)).toBe(true);
  await give(userId, 'admin');
  await waitFor(() => expect(isBlocked(/^Invite/)).toBe(false));
  // The sidebar follows, too, and so does the list.
  const role = await screen.findByLabelText<HTMLSelectElement>('Role of pia@example.com');
  await waitFor(() => expect(role.value).toBe('admin'));
  await user.click(screen.getByRole('link', { name: 'API keys' }));
  await screen.findByRole('button', { name: 'New key' });
});

it('closes the pages and dialogs that a member who is demoted may no longer use', async () => {
  const { userId, user } = await openFor('dag@example.com', 'admin', '/w/acme/settings/api-keys');
  await page('API keys');
  await user.click(await screen.findByRole('button', { name: 'New key' }));
  await screen.findByRole('dialog');
  await give(userId, 'viewer');
  await screen.findByText('For owners and admins');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: 'New key' })).toBeNull();
  expect(screen.getByRole('link', { name: /^Audit log/ }).getAttribute('aria-disabled')).toBe('true');
});

it('tells a member who is removed, and leaves nothing of the workspace on the page', async () => {
  const { userId, user } = await openFor('rex@example.com', 'viewer', '/w/acme/members');
  await page('Members');
  await screen.findByRole('row', { name: /owner@example\.com/ });
  await api.members.remove(server.workspaceId, userId);
  await page('You are no longer in Acme');
  expect(screen.queryByText(/owner@example\.com/)).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Go to your workspaces' }));
  await page('You have no workspace yet');
});

it('follows a workspace that is renamed, and shows one that was joined elsewhere', async () => {
  const { user } = await openFor('uma@example.com', 'admin', '/w/acme/members');
  await page('Members');
  const other = await api.workspaces.create({ name: 'Other', slug: 'other' });
  const { invite_url: url } = await api.members.invite(other.id, { email: 'uma@example.com' });
  // In another tab.
  const accepted = await fetch(`${server.baseUrl}/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hubline-dashboard': '1' },
    body: JSON.stringify({ token: new URL(url).searchParams.get('token') }),
  });
  expect(accepted.status).toBe(200);
  await openSwitcher(user);
  await screen.findByRole('menuitemradio', { name: /Other$/ });
  await api.workspaces.update(server.workspaceId, { name: 'Acme & Sons', slug: 'acme-sons' });
  await address('/w/acme-sons/members');
  await screen.findAllByRole('button', { name: /^Workspace: Acme & Sons/ });
  await api.workspaces.update(server.workspaceId, { name: 'Acme', slug: 'acme' });
  await address('/w/acme/members');
});

it('keeps what is typed when a colleague gives the workspace another address', async () => {
  const { user } = await openFor('ivy@example.com', 'admin', '/w/acme/members');
  await page('Members');
  await user.click(screen.getByRole('button', { name: /^Invite/ }));
  const form = await dialog('Invite a member');
  const email = form.getByLabelText<HTMLInputElement>('Email');
  await user.type(email, 'half-typed@exam');
  await api.workspaces.update(server.workspaceId, { slug: 'acme-sons' });
  await address('/w/acme-sons/members?new=1');
  await user.type(email, 'ple.com');
  expect(form.getByLabelText<HTMLInputElement>('Email').value).toBe('half-typed@example.com');
  await user.click(form.getByRole('button', { name: 'Invite' }));
  await screen.findByRole('row', { name: /half-typed@example\.com/ });
  await api.workspaces.update(server.workspaceId, { slug: 'acme' });
});

it('keeps what is typed in a form of the page then, without a question whether to leave', async () => {
  const { user } = await openFor('kim@example.com', 'admin', '/w/acme/settings');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  await user.type(name, ' & Sons');
  await api.workspaces.update(server.workspaceId, { slug: 'acme-sons' });
  await address('/w/acme-sons/settings');
  await user.type(name, ' & Co');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Acme & Sons & Co');
  expect(screen.queryByRole('dialog')).toBeNull();
  const members = screen.getByRole('link', { name: 'Members' });
  expect(members.getAttribute('href')).toBe('/w/acme-sons/members');
  await api.workspaces.update(server.workspaceId, { slug: 'acme' });
});

it('asks to log in again when the session is ended from another device', async () => {
  const { userId } = await openFor('eli@example.com', 'viewer', '/w/acme/members');
  await page('Members');
  // After this change has arrived, the page follows the session.
  await give(userId, 'admin');
  await waitFor(() => expect(isBlocked(/^Invite/)).toBe(false));
  const send = (method: string, path: string, body?: object) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-hubline-dashboard': '1' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const login = { email: 'eli@example.com', password: 'the password of eli@example.com' };
  expect((await send('POST', '/session', login)).status).toBe(200);
  expect((await send('DELETE', '/session/others')).status).toBe(204);
  await page('Log in');
});

it('shows what is written on the open page after another workspace was joined', async () => {
  const { user } = await openFor('ned@example.com', 'admin', '/w/acme/members');
  await page('Members');
  await screen.findByRole('row', { name: /owner@example\.com/ });
  const other = await api.workspaces.create({ name: 'Third', slug: 'third' });
  const { invite_url: url } = await api.members.invite(other.id, { email: 'ned@example.com' });
  const accepted = await fetch(`${server.baseUrl}/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hubline-dashboard': '1' },
    body: JSON.stringify({ token: new URL(url).searchParams.get('token') }),
  });
  expect(accepted.status).toBe(200);
  await openSwitcher(user);
  await screen.findByRole('menuitemradio', { name: /Third$/ });
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: /^Invite/ }));
  const form = await dialog('Invite a member');
  await user.type(form.getByLabelText('Email'), 'newcomer@example.com');
  await user.click(form.getByRole('button', { name: 'Invite' }));
  await screen.findByRole('row', { name: /newcomer@example\.com/ });
});
