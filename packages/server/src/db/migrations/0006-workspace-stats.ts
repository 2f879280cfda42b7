import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

// The steps of the histogram of latencies, as they were then.
const LATENCIES = 43;

/** What happened in workspaces, counted. */
export const workspaceStats: Migration = {
  name: '0006-workspace-stats',
  async up(tx, dialect) {
    const text = dialect === 'postgres' ? sql`text collate "C"` : 'text';
    const counts = [
      'events',
      'attempts_succeeded',
      'attempts_failed',
      'deliveries_delivered',
      'deliveries_failed',
      ...Array.from({ length: LATENCIES }, (_, step) => `latency_${step}`),
    ];
    // No foreign keys: what is counted is stored a few seconds later, when its webhook or workspace may be gone. In this order
    // new rows stand together at the end of their resolution, and old ones at its beginning: no other index is needed.
    let table = tx.schema
      .createTable('workspace_stats')
      .addColumn('resolution', 'integer', (column) => column.notNull())
      .addColumn('at', text, (column) => column.notNull())
      .addColumn('workspace_id', text, (column) => column.notNull())
      .addColumn('webhook_id', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('workspace_stats_pk', ['resolution', 'at', 'workspace_id', 'webhook_id']);
    for (const count of counts) table = table.addColumn(count, 'integer', (column) => column.notNull());
    await (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table).execute();
  },
};
