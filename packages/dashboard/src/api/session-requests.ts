import { isAPIError } from '@hubline/sdk';
import { client } from './client.ts';
import { type Session, session } from './session.ts';

/**
 * Sessions are beside `/v1`, a part of the dashboard rather than of the API. Each request is sent once: trying a wrong password
 * again would only use up the attempts that are left.
 */
const sessions = client.withOptions({ baseURL: location.origin, maxRetries: 0, middleware: [] });

/** Asks who this is. A server that cannot be reached is an error, not a reason to log in. */
export async function loadSession(): Promise<void> {
  session.value = await sessions.request<Session>({ method: 'GET', path: '/session' }).catch(nobody);
}

/** Logs in; the cookie comes with the answer. */
export async function logIn(email: string, password: string): Promise<void> {
  session.value = await sessions.request<Session>({
    method: 'POST',
    path: '/session',
    body: { email, password },
  });
}

/** Ends this session; one that has ended already is as good. */
export async function logOut(): Promise<void> {
  await sessions.request({ method: 'DELETE', path: '/session' }).catch(nobody);
  session.value = null;
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

function nobody(error: unknown): null {
  if (isAPIError(error, 'unauthorized')) return null;
  throw error;
}
