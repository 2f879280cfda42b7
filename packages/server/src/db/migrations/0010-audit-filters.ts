import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Indexes for the filters of the audit log: without them, a filter that few entries match read all of them. */
export const auditFilters: Migration = {
  name: '0010-audit-filters',
  async up(tx) {
    for (const column of ['action', 'actor_id', 'target_id'])
      await sql`create index ${sql.ref(`audit_log_${column}`)} on audit_log (workspace_id, ${sql.ref(column)}, seq)`.execute(
        tx,
      );
  },
};
