import { type RawBuilder, sql } from 'kysely';
import { changing } from '../core/cache/changing.ts';
import { dialectOf } from '../dialect-of.ts';
import type { Tx } from '../core/schema.ts';
import type { NumberedTable } from '../core/statements.ts';

interface Deleted {
  workspaceId: string;
  now: string;
}

/**
 * Deletes a workspace for everybody: nobody has access anymore, and nothing is sent. Removes at once the few rows that grant access,
 * because processes of an older version do not know that the row of a deleted workspace may still exist. `removeSome` removes the rest in
 * steps.
 */
export async function closeWorkspace(tx: Tx, { workspaceId: id, now }: Deleted): Promise<void> {
  // Webhooks before deliveries, as everywhere.
  for (const table of ['webhooks', 'integrations'] as const)
    await changing(tx, table, { workspace_id: id }).delete().execute();
  for (const table of ['oauth_flows', 'invitations'] as const)
    await tx.deleteFrom(table).where('workspace_id', '=', id).execute();
  await changing(tx, 'automations', { workspace_id: id })
    .update()
    .set({ enabled: 0, next_run_at: null })
    .execute();
  for (const table of ['api_keys', 'members'] as const) {
    const users = tx.selectFrom(table).select('user_id').distinct().where('workspace_id', '=', id);
    for (const { user_id } of await users.execute())
      await changing(tx, table, { workspace_id: id, user_id })
        .delete()
        .where('workspace_id', '=', id)
        .execute();
  }
  // Frees the slug: no slug has the underscore of an ID.
  await changing(tx, 'workspaces', { id }).update().set({ slug: id, deleted_at: now }).execute();
}

/** The tables that may have very many rows of a workspace. */
type LargeTable = NumberedTable | 'notifications';

const ofWorkspace = (id: string) => sql<boolean>`workspace_id = ${id}`;
const ofWorkspaceSeq = (id: string) =>
  sql<boolean>`workspace = (select workspaces.seq from workspaces where id = ${id})`;

/** The rows of a workspace, in the order of their removal: what is still open goes first. */
const ROWS_OF: readonly [LargeTable, (id: string) => RawBuilder<boolean>][] = [
  ['deliveries', ofWorkspaceSeq],
  [
    'automation_runs',
    (id) =>
      sql`automation_id in (select automations.id from automations where automations.workspace_id = ${id})`,
  ],
  ['notification_messages', ofWorkspace],
  ['events', ofWorkspaceSeq],
  ['notifications', ofWorkspace],
  ['audit_log', ofWorkspace],
];

/** Removes up to `limit` rows of a deleted workspace. Reports whether there may be more. */
export async function removeSome(tx: Tx, workspaceId: string, limit: number): Promise<boolean> {
  const { isOneOf, lockDeliveries } = dialectOf(tx);
  let left = limit;
  for (const [table, which] of ROWS_OF) {
    const rows = await tx.selectFrom(table).select('seq').where(which(workspaceId)).limit(left).execute();
    if (rows.length === 0) continue;
    const found = isOneOf(
      'seq',
      rows.map(({ seq }) => seq),
    );
    // The delivery engine may be about to record or to cancel some of them.
    if (table === 'deliveries') await lockDeliveries(tx, found);
    await tx.deleteFrom(table).where(found).execute();
    left -= rows.length;
    if (left === 0) return true;
  }
  return false;
}

/** Removes a deleted workspace, and its few remaining rows. */
export async function removeWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await changing(tx, 'workspaces', { id: workspaceId }).delete().execute();
}
