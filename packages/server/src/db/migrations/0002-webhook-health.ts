import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** How fast a webhook may be called, since when it fails, and why it is disabled. */
export const webhookHealth: Migration = {
  name: '0002-webhook-health',
  async up(tx, dialect) {
    const text = dialect === 'postgres' ? sql`text collate "C"` : 'text';
    // One column for each statement: SQLite's ALTER TABLE adds no more.
    const columns = [
      ['rate_per_second', 'integer'],
      ['paced_until', 'double precision'],
      ['failing_since', text],
      ['disabled_reason', text],
      ['disabled_at', text],
    ] as const;
    for (const [name, type] of columns)
      await tx.schema.alterTable('webhooks').addColumn(name, type).execute();
    // Until now, only people disabled webhooks.
    await sql`
      update webhooks set disabled_reason = 'manual', disabled_at = updated_at where status = 'disabled'`.execute(
      tx,
    );
  },
};
