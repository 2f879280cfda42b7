import { cleanup, configure, prettyDOM, render, screen, waitFor, within } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { onTestFinished } from 'vitest';
import { EMAIL, PASSWORD, type TestServer } from './start-server.ts';

configure({
  // A limit for waits that fail, not a measure of speed.
  asyncUtilTimeout: 60_000,
  getElementError,
});

/** An error that prints the page only when it is read, because most are thrown by a wait that tries again. */
function getElementError(message: string | null, container: Element): Error {
  const error = new Error();
  let text: string | undefined;
  error.name = 'TestingLibraryElementError';
  return Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => (text ??= [message, prettyDOM(container)].filter(Boolean).join('\n\n')),
    set: (changed: string) => {
      text = changed;
    },
  });
}

/** The properties that happy-dom adds to a window. */
interface TestWindow {
  readonly happyDOM: { setURL(url: string): void };
}

let cookie = '';

/** The origin of the first server. All test files share the modules of the page, which keep this origin. */
let firstOrigin: string | undefined;

/** The network of another browser. */
export const nodeFetch = globalThis.fetch;

/** Acts like a browser over HTTP: keeps the cookie, names the site of a request, and calls the server of the page. */
const browserFetch: typeof fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set('sec-fetch-site', 'same-origin');
  if (cookie) headers.set('cookie', cookie);
  const url = new URL(input instanceof Request ? input.url : input);
  const here = url.origin === firstOrigin ? new URL(url.pathname + url.search, location.origin) : url;
  const request = input instanceof Request ? new Request(here, input) : here;
  const response = await nodeFetch(request, { ...init, headers });
  const [pair = '', ...attributes] = (response.headers.get('set-cookie') ?? '').split('; ');
  if (pair && attributes.includes('Max-Age=0')) forgetSession();
  else if (pair) cookie = pair;
  return response;
};

/** Leaves the page, and closes the toasts that would outlive it: a page that has just loaded has none. */
function leave(): void {
  for (const close of document.querySelectorAll<HTMLElement>('.toasts button')) close.click();
  cleanup();
}

/** Opens the dashboard at a path, as by typing an address, until the test ends. The login stays. */
export async function open(server: TestServer, path: string) {
  leave();
  onTestFinished(leave);
  globalThis.fetch = browserFetch;
  (window as unknown as TestWindow).happyDOM.setURL(server.url + path);
  firstOrigin ??= server.url;
  // Imported only now, because the client reads the origin when it is loaded.
  const [{ App }, { session }] = await Promise.all([
    import('../../src/app.tsx'),
    import('../../src/api/session.ts'),
  ]);
  session.value = 'unknown';
  render(<App />);
  return userEvent.setup();
}

function forgetSession(): void {
  for (const [who, each] of sessions) if (each === cookie) sessions.delete(who);
  cookie = '';
}

/** Forgets the login and the storage, as in a new window. */
export function forget(): void {
  cookie = '';
  localStorage.clear();
}

/** Ends the session of the page, as another window of the same browser does. */
export async function endSession(server: TestServer): Promise<void> {
  const headers = { 'x-hubline-dashboard': '1', 'content-type': 'application/json' };
  const response = await browserFetch(`${server.url}/session`, {
    method: 'DELETE',
    headers,
    body: '{}',
  });
  if (!response.ok) throw new Error(`The session has not ended: ${response.status} ${await response.text()}`);
}

/** Cookies of sessions by server and email address. They are reused, because the server limits logins. */
const sessions = new Map<string, string>();

/** Opens a page as somebody who is logged in. */
export async function openAs(server: TestServer, path: string, [email, password] = [EMAIL, PASSWORD]) {
  forget();
  const who = `${server.url} ${email}`;
  cookie = sessions.get(who) ?? '';
  if (!cookie) {
    const response = await browserFetch(`${server.url}/session`, {
      method: 'POST',
      headers: { 'x-hubline-dashboard': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (!response.ok) throw new Error(`Nobody logged in: ${response.status} ${await response.text()}`);
    sessions.set(who, cookie);
  }
  return open(server, path);
}

/** Waits for the page with this heading. */
export const page = (title: string | RegExp) => screen.findByRole('heading', { level: 1, name: title });

/** Waits until the address is this. */
export const address = (path: string) =>
  waitFor(() => {
    const now = location.pathname + location.search;
    if (now !== path) throw new Error(`The address is ${now}, not ${path}.`);
  });

/** Opens the menu of the workspaces: the first of two, one for wide screens and one in the bar of narrow ones. */
export async function openSwitcher(user: ReturnType<typeof userEvent.setup>): Promise<void> {
  const [switcher] = await screen.findAllByRole('button', { name: /^Workspace: / });
  if (switcher) await user.click(switcher);
}

/** The open dialog. */
export async function dialog(name: string | RegExp) {
  return within(await screen.findByRole('dialog', { name }));
}
