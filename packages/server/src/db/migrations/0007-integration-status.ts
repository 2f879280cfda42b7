import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** What keeps an integration from working, and whether its provider has called. */
export const integrationStatus: Migration = {
  name: '0007-integration-status',
  async up(tx, dialect) {
    const text = dialect === 'postgres' ? sql`text collate "C"` : 'text';
    for (const name of ['problem', 'hook_refusal', 'verified_at'])
      await tx.schema.alterTable('integrations').addColumn(name, text).execute();
    // Until now, every authentic call was noted in this column alone.
    await sql`update integrations set verified_at = last_synced_at`.execute(tx);
  },
};
