import type { Selectable } from 'kysely';
import { changing } from '../core/cache/changing.ts';
import { dialectOf } from '../dialect-of.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

export type UserRow = Selectable<Database['users']>;

export async function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

export async function findUser(db: Db, userId: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await findFirstUser(db)) !== undefined;
}

/** The user who was made first; `undefined` if there is none yet. */
export async function findFirstUser(db: Db): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().orderBy('id').limit(1).executeTakeFirst();
}

/** The user with this email address; made with `id` if there is none. */
export async function ensureUser(
  tx: Tx,
  { id, email, now }: { id: string; email: string; now: string },
): Promise<UserRow> {
  const row = { id, email, password_hash: null, mailbox_proved_at: null, created_at: now, updated_at: now };
  await changing(tx, 'users', row)
    .insert(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  return tx.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
}

export async function setPassword(tx: Tx, change: { id: string; hash: string; now: string }): Promise<void> {
  await changing(tx, 'users', change)
    .update()
    .set({ password_hash: change.hash, updated_at: change.now })
    .execute();
}

/** Marks the mailbox of a user as proved. */
export async function proveMailbox(tx: Tx, id: string, now: string): Promise<void> {
  await changing(tx, 'users', { id }).update().set({ mailbox_proved_at: now, updated_at: now }).execute();
}

/** Serializes units that change who has access to an account. */
export async function lockUser(tx: Tx, id: string): Promise<void> {
  await dialectOf(tx).lock(tx, id);
}
