import { client } from './client.ts';
import { sessionRequest } from './session-request.ts';
import { session } from './session.ts';

/** Asks who this is. A server that cannot be reached is an error, not a reason to log in. */
export async function loadSession(signal?: AbortSignal): Promise<void> {
  try {
    session.value = await client.me.get({ signal });
  } catch (error) {
    // What a 401 means has been noted already, for every request alike.
    if (session.value !== null) throw error;
  }
}

/** Logs in; the cookie comes with the answer. */
export async function logIn(email: string, password: string): Promise<void> {
  await sessionRequest('POST', '/session', { email, password });
  await loadSession();
}

/** Ends this session. */
export async function logOut(): Promise<void> {
  await sessionRequest('DELETE', '/session');
  session.value = null;
}

/** Changes the password, which ends the user's other sessions. */
export async function changePassword(current: string, next: string): Promise<void> {
  await sessionRequest('POST', '/session/password', { current_password: current, new_password: next });
}
