import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Jobs that send deliveries again. */
export const recoveries: Migration = {
  name: '0003-recoveries',
  async up(tx, dialect) {
    const text = dialect === 'postgres' ? sql`text collate "C"` : 'text';
    const { schema } = tx;
    await schema
      .createTable('recoveries')
      .addColumn('id', text, (column) => column.primaryKey())
      .addColumn('workspace_id', text, (column) =>
        column.notNull().references('workspaces.id').onDelete('cascade'),
      )
      .addColumn('webhook_id', text)
      .addColumn('status', text, (column) => column.notNull())
      .addColumn('filters', text, (column) => column.notNull())
      .addColumn('matched', 'integer', (column) => column.notNull())
      .addColumn('done', 'integer', (column) => column.notNull())
      .addColumn('position', dialect === 'postgres' ? 'bigint' : 'integer', (column) => column.notNull())
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('completed_at', text)
      .execute();
    await schema
      .createIndex('recoveries_open')
      .on('recoveries')
      .column('id')
      .where(sql.ref('completed_at'), 'is', null)
      .execute();
    // A recovery of a hundred failed deliveries must not read through five million delivered ones.
    for (const column of ['webhook_id', 'workspace_id']) {
      await schema
        .createIndex(`deliveries_failed_${column === 'webhook_id' ? 'webhook' : 'workspace'}`)
        .on('deliveries')
        .columns([column, 'seq'])
        .where(sql.ref('status'), '=', 'failed')
        .execute();
    }
  },
};
