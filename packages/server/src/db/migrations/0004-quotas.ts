import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Request limits that processes on one PostgreSQL share (docs/decisions/rate-limits.md). Unlogged: rows matter for a minute only. */
export const quotas: Migration = {
  name: '0004-quotas',
  async up(tx, dialect) {
    if (dialect === 'sqlite') return;
    await sql`create unlogged table quotas (
      name text primary key,
      window_start bigint not null,
      used bigint not null,
      granted bigint not null,
      cap bigint not null,
      waiting bigint not null,
      wanted bigint not null
    ) with (fillfactor = 50)`.execute(tx);
  },
};
