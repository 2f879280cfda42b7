import { createHash, randomBytes } from 'node:crypto';
import { LIMITS } from '@hubline/contract';
import type { Context, Deps, UserContext } from '../context.ts';
import { listMemberships } from '../db/members.ts';
import type { Tx } from '../db/schema.ts';
import { deleteSession, deleteSessionsOf, findSessionUser, insertSession } from '../db/sessions.ts';
import { findUser, findUserByEmail, setPassword } from '../db/users.ts';
import type { Actor } from '../domain/actor.ts';
import { Fault, unprocessable } from '../domain/fault.ts';
import { hashPassword } from './passwords.ts';

/** The token of a session; it is in the browser's cookie and nowhere else. */
export interface OpenedSession {
  token: string;
  userId: string;
}

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Logs in with e-mail address and password. What is wrong is not told, and takes as long as what is right. */
export async function logIn(
  context: Context,
  { email, password }: { email: string; password: string },
): Promise<OpenedSession> {
  const user = await findUserByEmail(context.store.read, email);
  const hash = user?.password_hash ?? null;
  const matches = await context.passwords.matches(context, { email, hash }, password);
  if (!user || !matches) {
    throw new Fault(
      'unauthorized',
      'The e-mail address or the password is wrong. Who has no password yet gets one on the server with `hubline server set-password`.',
    );
  }
  return openSession(context, user.id);
}

/** Begins a session of somebody who has proved who they are. */
export async function openSession(context: Context, userId: string): Promise<OpenedSession> {
  const token = randomBytes(32).toString('base64url');
  await context.write((tx) =>
    insertSession(tx, {
      token_hash: hashToken(token),
      user_id: userId,
      created_at: context.now.toISOString(),
      expires_at: new Date(context.now.getTime() + LIMITS.sessionMs).toISOString(),
    }),
  );
  return { token, userId };
}

/** Who is behind the token of a session; otherwise 401. Removed members are refused by their role, like those of keys. */
export async function actorOfSession(deps: Pick<Deps, 'store'>, token: string, now: Date): Promise<Actor> {
  const user = await findSessionUser(deps.store.read, hashToken(token), now.toISOString());
  if (!user) throw new Fault('unauthorized', 'The session has ended. Log in again.');
  return {
    userId: user.id,
    email: user.email,
    credential: { kind: 'session', id: null, workspaceId: null, scopes: ['*'], role: null },
  };
}

/** Who is logged in, and the workspaces of that user. */
export async function describeSession(context: Pick<UserContext, 'store'>, userId: string) {
  const [user, memberships] = await Promise.all([
    findUser(context.store.read, userId),
    listMemberships(context.store.read, userId),
  ]);
  return { user: { id: userId, email: user?.email ?? '' }, memberships };
}

/** Ends a session; one that has ended already stays so. */
export async function logOut(context: UserContext, token: string): Promise<void> {
  await context.write(async (tx) => {
    await deleteSession(tx, hashToken(token));
    await recheckStreams(tx, context, context.actor.userId);
  });
}

/** Ends all other sessions of the caller, on devices that are lost or shared. */
export async function logOutElsewhere(context: UserContext, token: string): Promise<void> {
  const { userId } = context.actor;
  await context.write(async (tx) => {
    await deleteSessionsOf(tx, userId, hashToken(token));
    await recheckStreams(tx, context, userId);
  });
}

/** Changes the password of the caller and ends all other sessions. */
export async function changePassword(
  context: UserContext,
  token: string,
  passwords: { current: string; next: string },
): Promise<void> {
  const { actor, now, store } = context;
  const user = await findUser(store.read, actor.userId);
  const known = { email: actor.email, hash: user?.password_hash ?? null };
  if (!user || !(await context.passwords.matches(context, known, passwords.current))) {
    throw unprocessable('current_password', 'is not your password');
  }
  const hash = await context.passwords.hash(context, passwords.next);
  await context.write(async (tx) => {
    await setPassword(tx, { id: user.id, hash, now: now.toISOString() });
    await deleteSessionsOf(tx, user.id, hashToken(token));
    await recheckStreams(tx, context, user.id);
  });
}

/** `hubline server set-password`: whoever has the database decides; all sessions of the user end. */
export async function resetPassword(
  deps: Pick<Deps, 'store' | 'clock'>,
  { email, password }: { email: string; password: string },
): Promise<{ user_id: string; email: string }> {
  const hash = await hashPassword(password);
  return deps.store.write(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw new Fault('not_found', `There is no user ${email}. Name one who exists.`);
    await setPassword(tx, { id: user.id, hash, now: deps.clock().toISOString() });
    await deleteSessionsOf(tx, user.id, null);
    return { user_id: user.id, email };
  });
}

/** Open streams look at what they came with before they send anything: those of an ended session end now. */
async function recheckStreams(tx: Tx, context: UserContext, userId: string): Promise<void> {
  const memberships = await listMemberships(tx, userId);
  context.afterCommit(() => {
    for (const { workspace_id: id } of memberships) context.announce(id);
  });
}
