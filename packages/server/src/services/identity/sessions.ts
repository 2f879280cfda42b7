import { hash } from 'node:crypto';
import { LIMITS } from '@hubline/contract';
import type { Context, Deps, UserContext } from '../../context.ts';
import { listMemberships } from '../../db/identity/members.ts';
import type { Tx } from '../../db/core/schema.ts';
import {
  deleteSession,
  deleteSessionsOf,
  findSessionUser,
  insertSession,
} from '../../db/identity/sessions.ts';
import { findFirstUser, findUser, findUserByEmail, lockUser, setPassword } from '../../db/identity/users.ts';
import type { Actor } from '../../domain/identity/actor.ts';
import { Fault, unprocessable } from '../../domain/faults/fault.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import { handOver, recheckStreams } from './accounts.ts';
import { isOperator } from './operator.ts';
import { requireLiveCredential } from './live-credential.ts';
import { type HashCost, hashPassword } from '../../secrets/passwords.ts';

/** The token of a session; it is in the browser's cookie and nowhere else. */
export interface OpenedSession {
  token: string;
  userId: string;
}

/**
 * Logs in with email address and password. A refusal does not reveal which of them is wrong, and takes as long as a
 * success.
 */
export async function logIn(
  context: Context,
  { email, password }: { email: string; password: string },
): Promise<OpenedSession> {
  const user = await findUserByEmail(context.store.read, email);
  const hash = user?.password_hash ?? null;
  const refused = new Fault(
    'unauthorized',
    'The email address or the password is wrong. If you have no password, ask the operator of the server to set one with: hubline server set-password EMAIL',
  );
  if (!(await context.passwords.matches(context, { email, hash }, password)) || !user) throw refused;
  return context.write(async (tx) => {
    await lockUser(tx, user.id);
    // While the password was compared, it may have been replaced, which ended every session.
    if ((await findUser(tx, user.id))?.password_hash !== hash) throw refused;
    return insertNewSession(tx, context, user.id);
  });
}

/** Begins a session of a user who has proved their identity. */
export async function openSession(context: Context, userId: string): Promise<OpenedSession> {
  return context.write((tx) => insertNewSession(tx, context, userId));
}

async function insertNewSession(tx: Tx, { now }: Context, userId: string): Promise<OpenedSession> {
  const token = newToken();
  await insertSession(tx, {
    token_hash: hashToken(token),
    user_id: userId,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + LIMITS.sessionMs).toISOString(),
  });
  return { token, userId };
}

/**
 * The user of a session token. Throws `unauthorized` if the session has ended. Removed members are refused by their
 * role, as with keys.
 */
export async function actorOfSession(deps: Pick<Deps, 'store'>, token: string, now: Date): Promise<Actor> {
  const user = await findSessionUser(deps.store.read, hashToken(token), now.toISOString());
  if (!user) throw new Fault('unauthorized', 'The session has ended. Log in again.');
  return {
    userId: user.id,
    email: user.email,
    credential: {
      kind: 'session',
      id: null,
      session: hashToken(token),
      workspaceId: null,
      scopes: ['*'],
      role: null,
      expiresAt: null,
      overlapEndsAt: null,
    },
  };
}

/**
 * The user who is logged in, with workspaces and roles; `version` changes whenever one of these changes. Only the
 * operator sees paths of the server's machine.
 */
export async function describeSession(
  { store, serverInfo }: Pick<Deps, 'store' | 'serverInfo'>,
  userId: string,
) {
  const [user, memberships, operates] = await Promise.all([
    findUser(store.read, userId),
    listMemberships(store.read, userId),
    isOperator(store.read, userId),
  ]);
  const session = {
    user: { id: userId, email: user?.email ?? '' },
    memberships,
    command_line: operates ? serverInfo.commandLine : null,
  };
  return { ...session, version: hash('sha256', JSON.stringify(session), 'base64url').slice(0, 16) };
}

/** Ends the session of the request; one that has ended already stays so. */
export async function logOut(context: UserContext): Promise<void> {
  const { credential, userId } = context.actor;
  await context.write(async (tx) => {
    if (credential.session !== null) await deleteSession(tx, credential.session);
    await recheckStreams(tx, context, userId);
  });
}

/** Ends all other sessions of the caller, on devices that are lost or shared. */
export async function logOutElsewhere(context: UserContext): Promise<void> {
  const { credential, userId } = context.actor;
  await context.write(async (tx) => {
    await requireLiveCredential(tx, context);
    await deleteSessionsOf(tx, userId, credential.session);
    await recheckStreams(tx, context, userId);
  });
}

/** Changes the password of the caller and ends all other sessions. */
export async function changePassword(
  context: UserContext,
  passwords: { current: string; next: string },
): Promise<void> {
  const { actor, now, store } = context;
  const { email, credential } = actor;
  const before = (await findUser(store.read, actor.userId))?.password_hash ?? null;
  const refused = unprocessable('current_password', 'is not your password');
  if (!(await context.passwords.matches(context, { email, hash: before }, passwords.current))) throw refused;
  const hash = await context.passwords.hash(context, passwords.next);
  await context.write(async (tx) => {
    await requireLiveCredential(tx, context);
    if ((await findUser(tx, actor.userId))?.password_hash !== before) throw refused;
    await setPassword(tx, { id: actor.userId, hash, now: now.toISOString() });
    await deleteSessionsOf(tx, actor.userId, credential.session);
    await recheckStreams(tx, context, actor.userId);
  });
}

/**
 * `hubline server set-password`, for an operator with access to the database. All sessions of the user end. If the
 * address was never proved, the API keys of the account are revoked, too, unless `keepKeys`.
 */
export async function resetPassword(
  deps: Pick<Deps, 'store' | 'clock' | 'ids'>,
  {
    email,
    password,
    keepKeys,
    passwordCost,
  }: { email: string; password: string; keepKeys: boolean; passwordCost?: HashCost | undefined },
): Promise<{ user_id: string; email: string; keys_revoked: number }> {
  const hash = await hashPassword(password, passwordCost);
  const context = { ids: deps.ids, now: deps.clock() };
  return deps.store.write(async (tx) => {
    const found = await findUserByEmail(tx, email);
    if (!found) throw await noSuchUser(tx, email);
    await lockUser(tx, found.id);
    const user = (await findUser(tx, found.id)) ?? found;
    const revokeKeys = user.mailbox_proved_at === null && !keepKeys;
    const { keysRevoked } = await handOver(tx, context, { user, hash, revokeKeys });
    return { user_id: user.id, email, keys_revoked: keysRevoked };
  });
}

/** The refusal of an address that the operator has named and that no user has. */
export async function noSuchUser(tx: Tx, email: string): Promise<Fault> {
  const first = await findFirstUser(tx);
  const cure =
    first === undefined
      ? 'There is none yet: create the first one with the link that hubline server setup-link prints.'
      : `Name an existing user, such as ${first.email}.`;
  return new Fault('not_found', `There is no user ${email}. ${cure}`);
}
