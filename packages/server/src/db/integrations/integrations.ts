import type { ExpressionBuilder, Selectable, Updateable } from 'kysely';
import { changing, updatingUncached } from '../core/cache/changing.ts';
import type { Awaitable } from '../core/awaitable.ts';
import { preparedRow } from '../core/queries/prepared-query.ts';
import type { PageRequest } from '../core/queries/paging.ts';
import type { Database, Db, Tx } from '../core/schema.ts';

type Stored = Selectable<Database['integrations']>;

/** An integration with the current definition of its provider; `null`: the provider is built in. */
export type IntegrationRow = Stored & { definition: string | null };

const definition = (builder: ExpressionBuilder<Database, 'integrations'>) =>
  builder
    .selectFrom('provider_definitions')
    .select('provider_definitions.definition')
    .whereRef('provider_definitions.id', '=', 'integrations.definition_id')
    .as('definition');

const all = (db: Db) => db.selectFrom('integrations').selectAll('integrations').select(definition);

const inWorkspace = preparedRow<{ workspaceId: string; id: string }, IntegrationRow>((db, p) =>
  all(db).where('id', '=', p('id')).where('workspace_id', '=', p('workspaceId')),
);

export function findIntegration(
  db: Db,
  workspaceId: string,
  id: string,
): Awaitable<IntegrationRow | undefined> {
  return inWorkspace(db, { workspaceId, id });
}

const byId = preparedRow<{ id: string }, IntegrationRow>((db, p) =>
  all(db)
    .innerJoin('workspaces', 'workspaces.id', 'integrations.workspace_id')
    .where('integrations.id', '=', p('id'))
    .where('workspaces.deleted_at', 'is', null),
);

/** An integration of any workspace: for calls that are authenticated by its secret. */
export function findIntegrationById(db: Db, id: string): Awaitable<IntegrationRow | undefined> {
  return byId(db, { id });
}

export async function findIntegrationByProvider(
  db: Db,
  workspaceId: string,
  provider: string,
): Promise<IntegrationRow | undefined> {
  return all(db).where('workspace_id', '=', workspaceId).where('provider', '=', provider).executeTakeFirst();
}

export async function listIntegrations(
  db: Db,
  workspaceId: string,
  page: PageRequest,
): Promise<IntegrationRow[]> {
  let query = all(db).where('workspace_id', '=', workspaceId);
  if (page.after !== null) query = query.where('id', '>', page.after);
  return query.orderBy('id').limit(page.limit).execute();
}

/** The integrations that have a hook registered at their provider. */
export async function listHookedIntegrations(db: Db, workspaceId: string): Promise<IntegrationRow[]> {
  return all(db).where('workspace_id', '=', workspaceId).where('hook', 'is not', null).execute();
}

/** The integrations of these providers in all workspaces, in the order of their IDs. */
export async function listIntegrationsFrom(
  db: Db,
  { providers, after, limit }: { providers: readonly string[]; after: string; limit: number },
): Promise<Pick<Stored, 'id' | 'workspace_id'>[]> {
  return db
    .selectFrom('integrations')
    .select(['id', 'workspace_id'])
    .where('provider', 'in', providers)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The first few integrations of a workspace that use a definition. */
export async function listIntegrationsOf(
  db: Db,
  definition: Pick<Selectable<Database['provider_definitions']>, 'id' | 'workspace_id'>,
  limit: number,
): Promise<Pick<Stored, 'id'>[]> {
  return db
    .selectFrom('integrations')
    .select('id')
    .where('workspace_id', '=', definition.workspace_id)
    .where('definition_id', '=', definition.id)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function insertIntegration(tx: Tx, { definition: _, ...row }: IntegrationRow): Promise<void> {
  await changing(tx, 'integrations', row).insert(row).execute();
}

export async function updateIntegration(
  tx: Tx,
  integration: Pick<IntegrationRow, 'id' | 'workspace_id'>,
  changes: Updateable<Database['integrations']>,
): Promise<IntegrationRow | undefined> {
  return changing(tx, 'integrations', integration)
    .update()
    .set(changes)
    .where('id', '=', integration.id)
    .returningAll()
    .returning(definition)
    .executeTakeFirst();
}

/** Changes the problem of a row, if it is still the same; `false` if it is not, or if the integration is gone. */
export async function setProblem(
  tx: Tx,
  before: Pick<IntegrationRow, 'id' | 'problem'>,
  { after, now }: { after: string | null; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await updatingUncached(tx, 'integrations')
    .set({ problem: after, updated_at: now })
    .where('id', '=', before.id)
    .where('problem', 'is not distinct from', before.problem)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Changes the webhook of a row, if it is still the same; `false` when it is not, or the integration is gone. */
export async function setHook(
  tx: Tx,
  before: Pick<IntegrationRow, 'id' | 'hook'>,
  changes: Pick<IntegrationRow, 'hook' | 'hook_refusal'>,
): Promise<boolean> {
  const { numUpdatedRows } = await updatingUncached(tx, 'integrations')
    .set(changes)
    .where('id', '=', before.id)
    .where('hook', 'is not distinct from', before.hook)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores credentials that a call brought; `false` when they were replaced in the meantime. */
export async function storeCredentials(
  tx: Tx,
  { id, credentials, now }: AuthenticCall,
  sealed: string,
): Promise<boolean> {
  const { numUpdatedRows } = await updatingUncached(tx, 'integrations')
    .set({ credentials: sealed, updated_at: now })
    .where('id', '=', id)
    .where('credentials', '=', credentials)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** A call that was authentic by these sealed credentials. They may have been replaced since then. */
export type AuthenticCall = Pick<IntegrationRow, 'id' | 'credentials'> & { now: string };

/** Notes an authentic call, and the event that it made; `false` when the integration is gone. */
export async function markSynced(
  tx: Tx,
  { id, now }: Pick<AuthenticCall, 'id' | 'now'>,
  lastEvent: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await updatingUncached(tx, 'integrations')
    .set({ last_synced_at: now, ...(lastEvent === null ? {} : { last_event: lastEvent }) })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes the first authentic call since the webhook or its secret changed. */
export async function markVerified(tx: Tx, { id, credentials, now }: AuthenticCall): Promise<void> {
  await updatingUncached(tx, 'integrations')
    .set({ verified_at: now, updated_at: now })
    .where('id', '=', id)
    .where('credentials', '=', credentials)
    .where('verified_at', 'is', null)
    .execute();
}

/** Notes a call that was refused, unless somebody else was first. */
export async function setRefusedCall(
  tx: Tx,
  before: Pick<IntegrationRow, 'id' | 'refused_call'>,
  refusedCall: string,
): Promise<void> {
  await updatingUncached(tx, 'integrations')
    .set({ refused_call: refusedCall })
    .where('id', '=', before.id)
    .where('verified_at', 'is', null)
    .where('refused_call', 'is not distinct from', before.refused_call)
    .execute();
}

/** Marks a disconnected integration as connected; `false` when another call has done so. */
export async function markConnected(tx: Tx, { id, credentials, now }: AuthenticCall): Promise<boolean> {
  const { numUpdatedRows } = await updatingUncached(tx, 'integrations')
    .set({ status: 'connected', connected_at: now, updated_at: now })
    .where('id', '=', id)
    .where('credentials', '=', credentials)
    .where('status', '=', 'disconnected')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteIntegration(
  tx: Tx,
  integration: Pick<IntegrationRow, 'id' | 'workspace_id'>,
): Promise<void> {
  await changing(tx, 'integrations', integration).delete().where('id', '=', integration.id).execute();
}
