import type { Role } from '@hubline/contract';
import type { Selectable, Updateable } from 'kysely';
import { cachedRow, type Reading } from '../core/cache/cache.ts';
import { changing, updatingUncached } from '../core/cache/changing.ts';
import type { Uncached } from '../core/cache/sources.ts';
import { type Awaitable, andThen } from '../core/awaitable.ts';
import type { PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

export type ApiKeyRow = Selectable<Database['api_keys']>;

/** A key with its creator: everything that decides whether it may be used, in one statement. */
export interface HeldApiKeyRow extends Omit<ApiKeyRow, Uncached['api_keys']> {
  email: string;
  /** The role of the creator in the workspace that the key is bound to; `null` for none, and for a personal key. */
  maker_role: Role | null;
}

type Behind = 'api_keys' | 'users' | 'members';

const withMaker = (db: Reading<Behind>) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .leftJoin('members', (join) =>
      join
        .onRef('members.workspace_id', '=', 'api_keys.workspace_id')
        .onRef('members.user_id', '=', 'api_keys.user_id')
        .on('members.status', '=', 'active'),
    )
    .selectAll('api_keys')
    .select(['users.email', 'members.role as maker_role']);

const rowsBehind = (key: HeldApiKeyRow) => ({
  api_keys: key,
  users: { id: key.user_id },
  members: key.workspace_id === null ? null : { workspace_id: key.workspace_id, user_id: key.user_id },
});
const byHash = cachedRow<{ hash: string }, HeldApiKeyRow, Behind>('key', rowsBehind, (db, p) =>
  withMaker(db).where('api_keys.hash', '=', p('hash')),
);
const byPreviousHash = cachedRow<{ hash: string }, HeldApiKeyRow, Behind>(
  'previous key',
  rowsBehind,
  (db, p) => withMaker(db).where('api_keys.previous_hash', '=', p('hash')),
);

/** The key with this hash, now or until a rotation's overlap ends. */
export function findApiKeyByHash(db: Db, hash: string): Awaitable<HeldApiKeyRow | undefined> {
  return andThen(byHash(db, { hash }), (row) => row ?? byPreviousHash(db, { hash }));
}

/** A key of a user, whatever it is bound to. */
export async function findApiKey(db: Db, userId: string, id: string): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

export async function findWorkspaceApiKey(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

export async function findPersonalApiKey(db: Db, userId: string, id: string): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('workspace_id', 'is', null)
    .executeTakeFirst();
}

export async function listWorkspaceApiKeys(
  db: Db,
  workspaceId: string,
  page: PageRequest,
): Promise<ApiKeyRow[]> {
  let query = db.selectFrom('api_keys').selectAll().where('workspace_id', '=', workspaceId);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

export async function listPersonalApiKeys(db: Db, userId: string, page: PageRequest): Promise<ApiKeyRow[]> {
  let query = db
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('workspace_id', 'is', null);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

export async function insertApiKey(tx: Tx, row: ApiKeyRow): Promise<void> {
  await changing(tx, 'api_keys', row).insert(row).execute();
}

/** `undefined` for a key that was removed in the meantime, with its workspace. */
export async function updateApiKey(
  tx: Tx,
  key: Pick<ApiKeyRow, 'id' | 'user_id'>,
  changes: Updateable<Database['api_keys']>,
): Promise<ApiKeyRow | undefined> {
  return changing(tx, 'api_keys', key)
    .update()
    .set(changes)
    .where('id', '=', key.id)
    .returningAll()
    .executeTakeFirst();
}

/** Revokes the keys that a member made for a workspace: a key must not come back to life with a second invitation. */
export async function revokeApiKeysOf(
  tx: Tx,
  { workspace_id, user_id }: { workspace_id: string; user_id: string },
  now: string,
): Promise<void> {
  await changing(tx, 'api_keys', { user_id })
    .update()
    .set({ revoked_at: now })
    .where('workspace_id', '=', workspace_id)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Reports whether a user has a key that is not revoked. */
export async function hasLiveApiKey(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Revokes every key of a user, personal ones and those of workspaces, and counts them. */
export async function revokeAllApiKeysOf(tx: Tx, userId: string, now: string): Promise<number> {
  const { numUpdatedRows } = await changing(tx, 'api_keys', { user_id: userId })
    .update()
    .set({ revoked_at: now })
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Stores the use of keys; `uses` maps IDs to times. A later use that another process stored stays, unless it is later than `now`, which
 * only a wrong clock can cause.
 */
export async function touchApiKeys(tx: Tx, uses: ReadonlyMap<string, Date>, now: Date): Promise<void> {
  for (const [id, usedAt] of uses) {
    const last_used_at = usedAt.toISOString();
    await updatingUncached(tx, 'api_keys')
      .set({ last_used_at })
      .where('id', '=', id)
      .where(({ eb, or }) =>
        or([
          eb('last_used_at', 'is', null),
          eb('last_used_at', '<', last_used_at),
          eb('last_used_at', '>', now.toISOString()),
        ]),
      )
      .execute();
  }
}
