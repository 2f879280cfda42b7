import type { RefreshLease } from '../../core/statements.ts';
import type { Tx } from '../../core/schema.ts';

export async function takeRefreshLease(tx: Tx, lease: RefreshLease, now: number): Promise<boolean> {
  // Locked, so that nobody deletes the integration before the lease refers to it.
  const integration = tx
    .selectFrom('integrations')
    .select('id')
    .where('id', '=', lease.integration_id)
    .forUpdate();
  if (!(await integration.executeTakeFirst())) return false;
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

export async function endRefreshLease(tx: Tx, lease: RefreshLease): Promise<void> {
  await tx
    .deleteFrom('refresh_leases')
    .where('integration_id', '=', lease.integration_id)
    .where('lease_until', '=', lease.lease_until)
    .execute();
}
