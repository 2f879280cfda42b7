import { screen, waitFor, within } from '@testing-library/preact';
import type { UserEvent } from '@testing-library/user-event';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { address, endSession, forget, open, openAs, page } from '../support/open-dashboard.tsx';
import { EMAIL, PASSWORD, startServer, type TestServer } from '../support/start-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(forget);

async function typeIn(user: UserEvent, email: string, password: string): Promise<void> {
  await user.type(screen.getByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Log in' }));
}

it('asks a stranger to log in, and then shows the page that they came for', async () => {
  const user = await open(server, '/w/acme/members?role=admin');
  await page('Log in');
  await address('/login?next=%2Fw%2Facme%2Fmembers%3Frole%3Dadmin');
  await typeIn(user, EMAIL, PASSWORD);
  await page('Members');
  await address('/w/acme/members?role=admin');
});

it('shows the message of the server about a wrong password, and stays on the page', async () => {
  const user = await open(server, '/login');
  await page('Log in');
  await typeIn(user, EMAIL, 'not the password');
  expect((await screen.findByRole('alert')).textContent).toContain(
    'The email address or the password is wrong',
  );
  await address('/login');
});

it('says that the server cannot be reached, as the other pages do', async () => {
  const user = await open(server, '/login');
  await page('Log in');
  const away = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('Failed to fetch'));
  onTestFinished(() => away.mockRestore());
  await typeIn(user, EMAIL, PASSWORD);
  await screen.findByText('The server cannot be reached. Try again when it is back.');
});

it.each(['//evil.example/w/acme', '/.//evil.example/w/acme'])(
  'never leads to another site after the login, whatever the link says: %s',
  async (next) => {
    const user = await open(server, `/login?next=${encodeURIComponent(next)}`);
    await page('Log in');
    await typeIn(user, EMAIL, PASSWORD);
    await page('Overview');
    await address('/w/acme/overview');
  },
);

it.each([
  ['/', '/w/acme/overview', 'Overview'],
  ['/members?role=admin', '/w/acme/members?role=admin', 'Members'],
  ['/settings/api-keys', '/w/acme/settings/api-keys', 'API keys'],
])('leads from %s to the last workspace', async (from, to, title) => {
  await openAs(server, from);
  await page(title);
  await address(to);
});

it.each(['/nowhere', '/w/not-mine/events', '/w/acme/nowhere', '/w/acme/events/%FF', '/w/acme/webhooks/100%'])(
  'says that there is no page at %s',
  async (path) => {
    await openAs(server, path);
    await page('Page not found');
  },
);

it('marks the current page, and moves the focus to the heading of the next page', async () => {
  const user = await openAs(server, '/w/acme/overview');
  await page('Overview');
  const pages = screen.getByRole('navigation', { name: 'Pages' });
  await user.click(within(pages).getByRole('link', { name: 'Members' }));
  const heading = await page('Members');
  await waitFor(() => expect(document.activeElement === heading).toBe(true));
  expect(screen.getByRole('link', { name: 'Members' }).getAttribute('aria-current')).toBe('page');
  expect(document.title).toBe('Members · Acme · Hubline');
});

it('lists the shortcuts for a question mark, and goes to a page for g and its letter', async () => {
  const user = await openAs(server, '/w/acme/overview');
  await page('Overview');
  await user.keyboard('?');
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await user.keyboard('gm');
  await page('Members');
});

it('leaves single keys alone once they are turned off, and remembers it', async () => {
  onTestFinished(() => localStorage.clear());
  const user = await openAs(server, '/w/acme/account');
  await page('Account');
  const choice = within(screen.getByRole('group', { name: 'Single-key shortcuts' }));
  await user.click(choice.getByRole('radio', { name: 'Off' }));
  expect(localStorage.getItem('hubline.single_keys')).toBe('off');
  choice.getByRole<HTMLInputElement>('radio', { name: 'Off' }).blur();
  await user.keyboard('?gm');
  expect(screen.queryByRole('dialog')).toBeNull();
  await page('Account');
  await user.click(choice.getByRole('radio', { name: 'On' }));
  choice.getByRole<HTMLInputElement>('radio', { name: 'On' }).blur();
  await user.keyboard('gm');
  await page('Members');
});

it('keeps the theme that was chosen', async () => {
  const user = await openAs(server, '/w/acme/account');
  await page('Account');
  const account = within(screen.getByRole('main'));
  await user.click(account.getByRole('radio', { name: 'Dark' }));
  expect(document.documentElement.dataset['theme']).toBe('dark');
  expect(localStorage.getItem('hubline.theme')).toBe('dark');
});

it('gives a menu the name of its button, without the letter in its picture', async () => {
  const user = await openAs(server, '/w/acme/account');
  const [wide] = await screen.findAllByRole('button', { name: /^Workspace: Acme ?owner$/ });
  await user.click(wide ?? document.body);
  const menu = within(screen.getByRole('menu', { name: /^Workspace: Acme ?owner$/ }));
  menu.getByRole('menuitemradio', { name: 'Acme' });
});

it('ends the session with "Log out"', async () => {
  const user = await openAs(server, '/w/acme/account');
  await page('Account');
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Log out' }));
  await page('Log in');
  await open(server, '/w/acme/account');
  await page('Log in');
});

it('asks to log in again when the session has ended elsewhere', async () => {
  await openAs(server, '/w/acme/account');
  await page('Account');
  await endSession(server);
  await page('Log in');
  await address('/login?next=%2Fw%2Facme%2Faccount');
});
