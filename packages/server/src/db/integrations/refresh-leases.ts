import type { Selectable } from 'kysely';
import type { Database, Tx } from '../core/schema.ts';
import { dialectOf } from '../dialect-of.ts';

export type RefreshLease = Selectable<Database['refresh_leases']>;

/** Takes the lease if nobody has it, or if the last one has run out. `false` if another process has it, or the integration is gone. */
export async function takeRefreshLease(tx: Tx, lease: RefreshLease, now: number): Promise<boolean> {
  // Locked, so that nobody deletes the integration before the lease refers to it.
  const integration = tx.selectFrom('integrations').select('id').where('id', '=', lease.integration_id);
  if (!(await dialectOf(tx).lockRows(integration).executeTakeFirst())) return false;
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('refresh_leases')
    .values(lease)
    .onConflict((conflict) =>
      conflict
        .column('integration_id')
        .doUpdateSet({ lease_until: lease.lease_until })
        .where('refresh_leases.lease_until', '<=', now),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Ends a lease, unless it has ended and another process has taken the next one. */
export async function endRefreshLease(tx: Tx, lease: RefreshLease): Promise<void> {
  await tx
    .deleteFrom('refresh_leases')
    .where('integration_id', '=', lease.integration_id)
    .where('lease_until', '=', lease.lease_until)
    .execute();
}
