import type { Context, Deps } from '../../context.ts';
import { dialectOf } from '../../db/dialect-of.ts';
import { readMeta, removeMeta, writeMeta } from '../../db/meta.ts';
import type { Db, Tx } from '../../db/core/schema.ts';
import { ensureUser, findUserByEmail, hasUsers, proveMailbox, setPassword } from '../../db/identity/users.ts';
import type { Actor } from '../../domain/identity/actor.ts';
import { Fault } from '../../domain/faults/fault.ts';
import { hashToken, newToken } from '../../secrets/token.ts';
import { audit } from '../audit-log.ts';
import { insertNewApiKey } from '../identity/api-keys.ts';
import { makeOperator } from '../identity/operator.ts';
import { noSuchUser } from '../identity/sessions.ts';
import { insertOwnedWorkspace } from './workspaces.ts';

const META_KEY = 'setup_token';
const VALID_MS = 30 * 60_000;

/** The first owner, and the first workspace if one is named. */
export interface Owner {
  email: string;
  workspace: { name: string; slug: string } | null;
}

/** The key and IDs of the first owner. */
export interface Bootstrapped {
  user_id: string;
  api_key: string;
  workspace_id: string | null;
}

/** The dependencies for setup tokens. */
type SetupDeps = Pick<Deps, 'store' | 'clock' | 'vault'>;

/**
 * The one-time token of the setup link, valid for 30 minutes from now; `null` if there is a user already. A valid token
 * is returned again, so that the link of one process still works after the start of another. `anew` replaces it.
 */
export async function issueSetupToken(
  { store, clock, vault }: SetupDeps,
  { anew = false }: { anew?: boolean } = {},
): Promise<string | null> {
  const now = clock().getTime();
  const until = new Date(now + VALID_MS).toISOString();
  return store.write(async (tx) => {
    await dialectOf(tx).lock(tx, META_KEY);
    if (await hasUsers(tx)) return null;
    const [known = '', , nonce] = ((await readMeta(tx, META_KEY)) ?? '').split(' ');
    const kept = !anew && nonce !== undefined && Date.parse(known) > now ? nonce : newToken();
    // Derived from the nonce, because only the hash of the token is stored.
    const token = vault.mac('setup token', kept);
    await writeMeta(tx, META_KEY, `${until} ${hashToken(token)} ${kept}`);
    return token;
  });
}

/**
 * Refuses a setup token that cannot be used. A valid one is not used up: mail scanners and previews open links, too.
 */
export async function requireSetupToken(db: Db, now: Date, token: string): Promise<void> {
  const [until = '', stored] = ((await readMeta(db, META_KEY)) ?? '').split(' ');
  if (await hasUsers(db)) {
    throw new Fault(
      'forbidden',
      'This server already has an owner. Log in, or ask the owner for an invitation.',
    );
  }
  // Compares hashes, so that the duration reveals nothing about the token.
  if (until > now.toISOString() && stored === hashToken(token)) return;
  throw new Fault(
    'forbidden',
    'The setup link was replaced, or has expired. For a new one, run on the machine of the server: hubline server setup-link',
  );
}

/** Uses the setup token: makes the owner, with a password for the dashboard, the first workspace and a key. */
export async function setUp(
  context: Context,
  token: string,
  { password, ...owner }: Owner & { password: string },
): Promise<Bootstrapped> {
  await requireSetupToken(context.store.read, context.now, token);
  const hash = await context.passwords.hash(context, password);
  return context.write(async (tx) => {
    await dialectOf(tx).lock(tx, META_KEY);
    await requireSetupToken(tx, context.now, token);
    await removeMeta(tx, META_KEY);
    const made = await createOwner(tx, context, owner);
    await setPassword(tx, { id: made.user_id, hash, now: context.now.toISOString() });
    return made;
  });
}

/**
 * `hubline server bootstrap`: makes the first owner without a browser. With `newKey`, makes another key for an existing
 * user.
 */
export async function bootstrap(
  deps: Pick<Deps, 'store' | 'clock' | 'ids'>,
  owner: Owner,
  { newKey }: { newKey: boolean },
): Promise<Bootstrapped> {
  const context = { ids: deps.ids, now: deps.clock() };
  return deps.store.write(async (tx) => {
    await dialectOf(tx).lock(tx, META_KEY);
    if (!(await hasUsers(tx))) {
      await removeMeta(tx, META_KEY);
      return createOwner(tx, context, owner);
    }
    if (!newKey)
      throw new Fault('conflict', 'There is already a user. Add --new-key to make another key for a user.');
    const user = await findUserByEmail(tx, owner.email);
    if (!user) throw await noSuchUser(tx, owner.email);
    return giveWorkspace(tx, context, { user, workspace: owner.workspace });
  });
}

type OwnerContext = Pick<Context, 'ids' | 'now'> & Partial<Pick<Context, 'ip' | 'userAgent' | 'requestId'>>;

async function createOwner(
  tx: Tx,
  context: OwnerContext,
  { email, workspace }: Owner,
): Promise<Bootstrapped> {
  const now = context.now.toISOString();
  const user = await ensureUser(tx, { id: context.ids('user'), email, now });
  await makeOperator(tx, user.id);
  // The operator vouches for the email address.
  await proveMailbox(tx, user.id, now);
  return giveWorkspace(tx, context, { user, workspace });
}

/** Makes a key, and a workspace with its first entry in the audit log if one is asked for. */
async function giveWorkspace(
  tx: Tx,
  context: OwnerContext,
  { user: { id, email }, workspace }: Pick<Owner, 'workspace'> & { user: { id: string; email: string } },
): Promise<Bootstrapped> {
  const made =
    workspace && (await insertOwnedWorkspace(tx, context, { ...workspace, plan: 'free', userId: id }));
  if (made)
    await audit(
      tx,
      { ...context, actor: { userId: id, email, credential: NO_KEY } },
      {
        workspaceId: made.id,
        action: 'workspace.created',
        target: { type: 'workspace', id: made.id, name: made.name },
      },
    );
  return {
    user_id: id,
    api_key: await newPersonalKey(tx, context, id),
    workspace_id: made?.id ?? null,
  };
}

/** The credential of the person who sets up the server, who has no key yet, only a link or access to the machine. */
const NO_KEY: Actor['credential'] = {
  kind: 'session',
  id: null,
  session: null,
  workspaceId: null,
  scopes: ['*'],
  role: null,
  expiresAt: null,
  overlapEndsAt: null,
};

async function newPersonalKey(tx: Tx, context: OwnerContext, userId: string): Promise<string> {
  const { secret } = await insertNewApiKey(tx, context, {
    userId,
    workspaceId: null,
    name: 'Setup',
    scopes: ['*'],
    role: null,
    expiresAt: null,
  });
  return secret;
}
