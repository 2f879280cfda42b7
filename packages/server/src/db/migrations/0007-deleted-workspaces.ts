import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Workspaces that are deleted, and whose rows a job removes. */
export const deletedWorkspaces: Migration = {
  name: '0007-deleted-workspaces',
  async up(tx, dialect) {
    const text = dialect === 'postgres' ? 'text collate "C"' : 'text';
    await sql.raw(`alter table workspaces add column deleted_at ${text}`).execute(tx);
    // Without it, each step of the job would read the notifications of all workspaces.
    await sql`create index notifications_workspace on notifications (workspace_id, seq)`.execute(tx);
  },
};
