import { fireEvent, screen, within } from '@testing-library/preact';
import type { UserEvent } from '@testing-library/user-event';
import type { Hubline } from '@hubline/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiOf } from '../support/api-of.ts';
import { dialog, endSession, openAs, page } from '../support/open-dashboard.tsx';
import { EMAIL, PASSWORD, startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
let api: Hubline;
beforeAll(async () => {
  server = await startServer();
  api = apiOf(server);
});
afterAll(() => server.stop());

async function typeIn(user: UserEvent, on: HTMLElement, [email, password]: readonly [string, string]) {
  const login = within(on);
  await user.clear(login.getByLabelText('Email'));
  await user.type(login.getByLabelText('Email'), email);
  await user.clear(login.getByLabelText('Password'));
  await user.type(login.getByLabelText('Password'), password);
  await user.click(login.getByRole('button', { name: 'Log in' }));
}

/** A page on which a name was typed, and the login over it after the session has ended elsewhere. */
async function interrupted() {
  const user = await openAs(server, '/w/acme/members');
  await user.click(await screen.findByRole('button', { name: 'Invite' }));
  await user.type(screen.getByLabelText('Email'), 'ada@example.com');
  await endSession(server);
  const login = await screen.findByRole('dialog', {
    name: 'Log in again',
    description: 'Your session has ended. What you entered is kept for you.',
  });
  expect(screen.queryByRole('heading', { name: 'Members' })).toBeNull();
  expect(screen.queryByRole('dialog', { name: 'Invite a member' })).toBeNull();
  return { user, login };
}

it('keeps what was entered, hidden, until the same user has logged in again', async () => {
  const { user, login } = await interrupted();
  await typeIn(user, login, [EMAIL, 'not the password']);
  await within(login).findByRole('alert');
  await typeIn(user, login, [EMAIL, PASSWORD]);
  const invitation = within(await screen.findByRole('dialog', { name: 'Invite a member' }));
  expect(screen.queryByRole('dialog', { name: 'Log in again' })).toBeNull();
  expect(invitation.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com');
  // The page follows the server again.
  await api.members.invite(server.workspaceId, { email: 'bob@example.com', role: 'viewer' });
  await user.click(invitation.getByRole('button', { name: 'Invite' }));
  await screen.findByRole('dialog', { name: 'Invitation' });
  await screen.findByRole('row', { name: /bob@example\.com/ });
});

it('keeps nothing of what was entered for another user', async () => {
  const { user, login } = await interrupted();
  const email = 'eve@example.com';
  const { invite_url } = await api.members.invite(server.workspaceId, { email, role: 'admin' });
  const password = 'the password of eve';
  await api.invitations.accept({ token: new URL(invite_url).searchParams.get('token') ?? '', password });
  await typeIn(user, login, [email, password]);
  await screen.findByRole('row', { name: /eve@example\.com.*you/i });
  expect(screen.queryByRole('dialog', { name: 'Log in again' })).toBeNull();
  expect(screen.queryByDisplayValue('ada@example.com')).toBeNull();
});

it('keeps nothing of what was entered after "Log out" in this window or another', async () => {
  for (const here of [true, false]) {
    const user = await openAs(server, '/w/acme/account');
    await page('Account');
    await user.click(screen.getByRole('button', { name: 'New key' }));
    await user.type(screen.getByLabelText('Name'), 'Laptop');
    if (here) {
      fireEvent.click(screen.getAllByText('Log out', { selector: 'button' })[0] as Element);
      await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Leave' }));
    } else fireEvent(window, new StorageEvent('storage', { key: 'hubline.session', newValue: 'false 1' }));
    await page('Log in');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.querySelector('dialog')).toBeNull();
  }
});
