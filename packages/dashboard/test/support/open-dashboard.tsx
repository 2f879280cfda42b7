import { cleanup, configure, render, screen, waitFor, within } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { EMAIL, PASSWORD, type Place } from './start-server.ts';

// A ceiling for what does not come, not a measure of speed.
configure({ asyncUtilTimeout: 10_000 });

/** The properties that happy-dom adds to a window. */
interface TestWindow {
  readonly happyDOM: { setURL(url: string): void };
}

let cookie = '';

/** A browser as far as HTTP goes: it keeps the cookie, and says which site a request comes from. */
function browserFetch(nodeFetch: typeof fetch): typeof fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('sec-fetch-site', 'same-origin');
    if (cookie) headers.set('cookie', cookie);
    const response = await nodeFetch(input, { ...init, headers });
    const [pair = '', ...attributes] = (response.headers.get('set-cookie') ?? '').split('; ');
    if (pair && attributes.includes('Max-Age=0')) forgetSession();
    else if (pair) cookie = pair;
    return response;
  };
}

const nodeFetch = globalThis.fetch;

/** Opens the dashboard at a path, as by typing an address; who is logged in stays so. */
export async function open(place: Place, path: string) {
  cleanup();
  globalThis.fetch = browserFetch(nodeFetch);
  (window as unknown as TestWindow).happyDOM.setURL(place.url + path);
  // The client asks for the origin when it is loaded, so this must not happen before there is one.
  const [{ App }, { session }] = await Promise.all([
    import('../../src/app.tsx'),
    import('../../src/api/session.ts'),
  ]);
  session.value = 'unknown';
  render(<App />);
  return userEvent.setup();
}

function forgetSession(): void {
  for (const [email, each] of sessions) if (each === cookie) sessions.delete(email);
  cookie = '';
}

/** A window in which nobody is logged in. */
export function forget(): void {
  cookie = '';
  localStorage.clear();
}

/** Ends the session of the page, as another window of the same browser does. */
export async function endSession(place: Place): Promise<void> {
  const headers = { 'x-hubline-dashboard': '1', 'content-type': 'application/json' };
  const response = await browserFetch(nodeFetch)(`${place.url}/session`, {
    method: 'DELETE',
    headers,
    body: '{}',
  });
  if (!response.ok) throw new Error(`The session has not ended: ${response.status} ${await response.text()}`);
}

/** Sessions that were begun, by email address: the server lets nobody log in again and again. */
const sessions = new Map<string, string>();

/** Opens a page as somebody who is logged in. */
export async function openAs(place: Place, path: string, [email, password] = [EMAIL, PASSWORD]) {
  forget();
  cookie = sessions.get(email) ?? '';
  if (!cookie) {
    const response = await browserFetch(nodeFetch)(`${place.url}/session`, {
      method: 'POST',
      headers: { 'x-hubline-dashboard': '1', 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (!response.ok) throw new Error(`Nobody logged in: ${response.status} ${await response.text()}`);
    sessions.set(email, cookie);
  }
  return open(place, path);
}

/** Waits for the page with this heading. */
export const page = (title: string | RegExp) => screen.findByRole('heading', { level: 1, name: title });

/** Waits until the address is this. */
export const address = (path: string) =>
  waitFor(() => {
    const now = location.pathname + location.search;
    if (now !== path) throw new Error(`The address is ${now}, not ${path}.`);
  });

/** Opens the menu of the workspaces: one on a wide screen, another in the bar of a narrow one. */
export async function openSwitcher(user: ReturnType<typeof userEvent.setup>): Promise<void> {
  const [switcher] = await screen.findAllByRole('button', { name: /^Workspace: / });
  if (switcher) await user.click(switcher);
}

/** The open dialog. */
export async function dialog(name: string | RegExp) {
  return within(await screen.findByRole('dialog', { name }));
}
