import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Leases on the refresh of a token, for processes that share a database (docs/decisions/oauth.md). */
export const refreshLeases: Migration = {
  name: '0008-refresh-leases',
  async up(tx, dialect) {
    if (dialect === 'sqlite') return;
    await sql`create table refresh_leases (
      integration_id text collate "C" primary key references integrations(id) on delete cascade,
      lease_until bigint not null
    )`.execute(tx);
  },
};
