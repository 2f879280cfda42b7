import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** The log by which processes on one PostgreSQL learn what others have changed (docs/decisions/caches.md). */
export const rowChanges: Migration = {
  name: '0003-row-changes',
  async up(tx, dialect) {
    if (dialect === 'sqlite') return;
    const statements = [
      `create table row_changes (
        seq bigint generated always as identity primary key,
        xid xid8 not null default pg_current_xact_id(),
        source text not null,
        at timestamptz not null default now()
      )`,
      'create index row_changes_xid on row_changes (xid)',
    ];
    for (const statement of statements) await sql.raw(statement).execute(tx);
  },
};
