import type { Updateable } from 'kysely';
import { updatingUncached } from '../core/cache/changing.ts';
import type { Database, Tx } from '../core/schema.ts';
import type { IntegrationRow } from './integrations.ts';

/**
 * A row with the sync that was begun last. Its column has an older name, `catch_up`, which only this file knows: while an upgrade
 * replaces one process after the other, both versions must read the same column.
 */
export type SyncedRow = Pick<IntegrationRow, 'catch_up'>;

/** The columns of an integration that was never synced. */
export const NEVER_SYNCED = { catch_up: null, last_synced_at: null } as const;

/** The stored state of the last sync; `null` for none. */
export const storedSync = ({ catch_up: sync }: SyncedRow): string | null => sync;

interface SyncChange extends Pick<Updateable<Database['integrations']>, 'last_synced_at' | 'last_event'> {
  sync: string;
}

/** Changes the sync of a row, if it is still the same; `false` when it is not, or the integration is gone. */
export async function setSync(
  tx: Tx,
  before: SyncedRow & Pick<IntegrationRow, 'id'>,
  { sync, ...changes }: SyncChange,
): Promise<boolean> {
  const { numUpdatedRows } = await updatingUncached(tx, 'integrations')
    .set({ catch_up: sync, ...changes })
    .where('id', '=', before.id)
    .where('catch_up', 'is not distinct from', storedSync(before))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
