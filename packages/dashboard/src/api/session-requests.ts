import { isAPIError } from '@hubline/sdk';
import { dropUnsaved } from '../data/address/leaving.ts';
import { pause } from '../data/live/pause.ts';
import { remember } from '../session/browser-memory.ts';
import { client, watchServer } from './client.ts';
import { type Session, session } from './session.ts';

/**
 * The routes of sessions are outside `/v1`, because they belong to the dashboard rather than to the API. Each request is sent once:
 * retrying a wrong password would only use up the remaining attempts.
 */
const sessions = client.withOptions({ baseURL: location.origin, maxRetries: 0, middleware: [watchServer] });

/** All windows of a browser share the cookie. Each writes this item when it changes the session, and the browser notifies the others. */
const CHANGE = 'hubline.session';
const notifyWindows = (isLoggedIn: boolean): void => remember(CHANGE, `${isLoggedIn} ${Date.now()}`);
addEventListener('storage', ({ key, newValue }) => {
  if (key !== CHANGE) return;
  if (newValue?.startsWith('true')) void loadSession().catch(() => undefined);
  else leave();
});

/** Ends the session because somebody said so: nothing of it waits for another login. */
function leave(): void {
  dropUnsaved();
  session.value = null;
}

/** Loads the session. A server that cannot be reached is an error, not a reason to log in. */
export async function loadSession(): Promise<void> {
  session.value = await sessions.request<Session | null>({ method: 'GET', path: '/session' });
}

// The server responds after 25 s at the latest.
const PATIENCE_MS = 40_000;
const PAUSE_MS = 2_000;

/** Keeps the session as the server has it until `signal` aborts: a role that changes, a workspace that is joined or left. */
export async function followSession(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && session.value !== null && session.value !== 'unknown') {
    const { version } = session.value;
    const asked = Date.now();
    const next = await sessions
      .request<Session | null>({
        method: 'GET',
        path: '/session/changes',
        query: { version },
        signal,
        timeout: PATIENCE_MS,
        totalTimeout: PATIENCE_MS,
      })
      // The server may be restarting: the next round asks again.
      .catch(() => undefined);
    if (signal.aborted) return;
    if (next !== undefined && next?.version !== version) session.value = next;
    else if (Date.now() - asked < PAUSE_MS) await pause(PAUSE_MS, signal);
  }
}

/** Logs in; the cookie comes with the response. */
export async function logIn(email: string, password: string): Promise<void> {
  session.value = await sessions.request<Session>({
    method: 'POST',
    path: '/session',
    body: { email, password },
  });
  notifyWindows(true);
}

/**
 * Ends this session; one that has already ended is not an error. Other windows are told first, because their later requests would
 * be refused.
 */
export async function logOut(): Promise<void> {
  notifyWindows(false);
  await sessions.request({ method: 'DELETE', path: '/session' }).catch((error: unknown) => {
    if (isAPIError(error, 'unauthorized')) return;
    notifyWindows(true);
    throw error;
  });
  leave();
}

/** Ends the user's other sessions, on devices that are lost or shared. */
export async function logOutElsewhere(): Promise<void> {
  await sessions.request({ method: 'DELETE', path: '/session/others' });
}

/** Changes the password, which ends the user's other sessions. */
export async function changePassword(current: string, next: string): Promise<void> {
  await sessions.request({
    method: 'POST',
    path: '/session/password',
    body: { current_password: current, new_password: next },
  });
}
