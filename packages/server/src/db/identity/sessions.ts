import type { Selectable } from 'kysely';
import type { Database, Db, Tx } from '../core/schema.ts';

export type SessionRow = Selectable<Database['sessions']>;

export async function insertSession(tx: Tx, session: SessionRow): Promise<void> {
  await tx.insertInto('sessions').values(session).execute();
}

/** The user of a session that has not expired by `now`. */
export async function findSessionUser(
  db: Db,
  tokenHash: string,
  now: string,
): Promise<{ id: string; email: string } | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.email'])
    .where('sessions.token_hash', '=', tokenHash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst();
}

/** Reports whether a user is logged in anywhere. */
export async function hasSession(db: Db, userId: string, now: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSession(tx: Tx, tokenHash: string): Promise<void> {
  await tx.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute();
}

/** Ends every session of a user but the one named. */
export async function deleteSessionsOf(tx: Tx, userId: string, except: string | null): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== null, (query) => query.where('token_hash', '!=', except ?? ''))
    .execute();
}
