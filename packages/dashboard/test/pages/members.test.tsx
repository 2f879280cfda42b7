import { fireEvent, screen, waitFor, within } from '@testing-library/preact';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { hold } from '../support/hold.ts';
import { openAs, page } from '../support/open-dashboard.tsx';
import { startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
beforeAll(async () => {
  server = await startServer();
  api = apiOf(server);
});
afterAll(() => server.stop());

/** Invites a person, who accepts with a password. */
async function join(email: string, role: 'admin' | 'member' | 'viewer') {
  const { invite_url, user_id } = await api.members.invite(server.workspaceId, { email, role });
  const token = new URL(invite_url).searchParams.get('token') ?? '';
  const password = `the password of ${email}`;
  await api.invitations.accept({ token, password });
  return { user_id, login: [email, password] as const };
}

const row = async (email: string | RegExp) => within(await screen.findByRole('row', { name: email }));
const openMembers = async (login?: readonly [string, string]) => {
  const user = await openAs(server, '/w/acme/members', login && [...login]);
  await page('Members');
  return user;
};

it('invites somebody, and shows the link once', async () => {
  const user = await openMembers();
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  const form = within(await screen.findByRole('dialog', { name: 'Invite a member' }));
  await user.type(form.getByLabelText('Email'), 'ada@example.com');
  await user.click(form.getByRole('radio', { name: /^Viewer/ }));
  await user.click(form.getByRole('button', { name: 'Invite' }));

  const shown = within(await screen.findByRole('dialog', { name: 'Invitation' }));
  expect(shown.getByText(/\/invite\?token=/).textContent).toContain(server.url);
  await shown.findByText(/This server sends no email/);
  const done = shown.getByRole('button', { name: /^Done/ });
  await user.click(done);
  expect(screen.queryByRole('dialog', { name: 'Invitation' })).not.toBeNull();
  await user.click(shown.getByLabelText('I have saved it'));
  await user.click(done);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const ada = await row(/ada@example\.com/);
  expect(ada.getByText('Invited')).toBeTruthy();
  expect(ada.getByRole<HTMLSelectElement>('combobox').value).toBe('viewer');
});

it('shows an error of the API at its field', async () => {
  const user = await openMembers();
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  const form = within(await screen.findByRole('dialog'));
  await user.type(form.getByLabelText('Email'), 'nobody');
  await user.click(form.getByRole('button', { name: 'Invite' }));
  const field = form.getByLabelText('Email');
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
  await waitFor(() => expect(document.activeElement === field).toBe(true));
});

it('changes a role at once', async () => {
  const { user_id } = await join('ben@example.com', 'member');
  const user = await openMembers();
  await user.selectOptions((await row(/ben@example/)).getByLabelText('Role of ben@example.com'), 'admin');
  await screen.findByText('ben@example.com is now an admin.');
  const members = await api.members.list(server.workspaceId).toArray();
  expect(members.find((member) => member.user_id === user_id)?.role).toBe('admin');
});

it('removes a member after a question', async () => {
  const { user_id } = await join('cem@example.com', 'member');
  const user = await openMembers();
  await user.click((await row(/cem@example/)).getByRole('button', { name: 'Remove cem@example.com' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Remove a member' }));
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('row', { name: /cem@example/ })).toBeNull());
  const members = await api.members.list(server.workspaceId).toArray();
  expect(members.map((member) => member.user_id)).not.toContain(user_id);
});

it('withdraws an invitation after a question about its link, not about access', async () => {
  await api.members.invite(server.workspaceId, { email: 'ivy@example.com', role: 'member' });
  const user = await openMembers();
  await user.click((await row(/ivy@example/)).getByRole('button', { name: /^Withdraw ivy@/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Withdraw the invitation' }));
  dialog.getByText(/^The invitation link of/);
  expect(dialog.queryByText(/loses access/)).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }));
  await screen.findByText('Withdrew the invitation of ivy@example.com.');
});

it('shows a viewer everything, blocks every change, and says why', async () => {
  const { login } = await join('vic@example.com', 'viewer');
  const user = await openMembers(login);
  await row(/owner@example\.com/);
  expect(screen.queryByLabelText(/^Role of/)).toBeNull();
  const invite = screen.getByRole('button', { name: /^Invite/ });
  expect(invite.title).toBe('Only owners and admins can do this.');
  await user.click(invite);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('link', { name: /^API keys/ }).getAttribute('aria-disabled')).toBe('true');
});

it('transfers the ownership once the name is typed, and leaves the controls of an admin', async () => {
  await join('dan@example.com', 'admin');
  const user = await openMembers();
  await user.click((await row(/dan@example/)).getByRole('button', { name: /^Make owner dan@/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Transfer ownership' }));
  const transfer = dialog.getByRole('button', { name: /^Transfer/ });
  expect(transfer.getAttribute('aria-disabled')).toBe('true');
  await user.type(dialog.getByLabelText('Type acme to confirm'), 'acme');
  await user.click(transfer);
  await screen.findByText('dan@example.com is now the owner.');
  await waitFor(async () => expect((await row(/dan@example/)).queryByRole('button')).toBeNull());
});

it('shows what each role may do, and highlights that of the user', async () => {
  const { login } = await join('eve@example.com', 'member');
  await openMembers(login);
  const rights = within(screen.getByRole('region', { name: 'What each role may do' }));
  const may = (right: string) =>
    within(rights.getByRole('row', { name: new RegExp(`^${right}`) }))
      .getAllByRole('cell')
      .map((cell) => cell.textContent);
  expect(may('Publish events')).toEqual(['yes', 'yes', 'yes', 'no']);
  expect(may('Manage API keys')).toEqual(['yes', 'yes', 'no', 'no']);
  expect(rights.getByRole('columnheader', { name: 'Member' }).className).toContain('on');
});

it('keeps the dialog of a request that is under way until it is known how it ended', async () => {
  for (const name of ['first', 'second']) await join(`${name}@example.com`, 'viewer');
  const user = await openMembers();
  await user.click((await row(/first@example/)).getByRole('button', { name: /^Remove first@/ }));
  const asked = await screen.findByRole('dialog', { name: 'Remove a member' });
  const removal = hold(`/members/`);
  await user.click(within(asked).getByRole('button', { name: 'Remove' }));
  await removal.begun;
  const leave = (): void => {
    fireEvent(asked, new Event('cancel', { cancelable: true }));
    for (const button of within(asked).getAllByRole('button')) fireEvent.click(button);
  };
  leave();
  // A browser may close a dialog though it was refused.
  (asked as HTMLDialogElement).close();
  expect(screen.getByRole('dialog', { name: 'Remove a member' })).toBe(asked);
  removal.fail();
  await within(asked).findByRole('alert');
  leave();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect((await row(/first@example/)).getByRole('button', { name: /^Remove first@/ })).toBeTruthy();
});
