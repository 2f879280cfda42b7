import { sql } from 'kysely';
import type { Migration } from './migration.ts';

// The steps of the histogram of latencies.
const LATENCIES = 43;

/**
 * Statistics. This is a separate step although no version was without it, so that every run of the tests performs an upgrade, and kills
 * one.
 */
export const statistics: Migration = {
  name: '0002-statistics',
  async up(tx, dialect) {
    const onPostgres = dialect === 'postgres';
    const text = onPostgres ? 'text collate "C"' : 'text';
    const statements = [
      // No foreign keys: counts are stored a few seconds later, when their webhook or workspace may be gone. The primary key puts
      // new rows together at the end of their resolution, and old ones at its beginning: no other index is needed.
      `create table workspace_stats (
        resolution integer not null,
        at ${text} not null,
        workspace_id ${text} not null,
        webhook_id ${text} not null,
        events integer not null,
        attempts_succeeded integer not null,
        attempts_failed integer not null,
        deliveries_delivered integer not null,
        deliveries_failed integer not null,
        ${Array.from({ length: LATENCIES }, (_, step) => `latency_${step} integer not null`).join(', ')},
        primary key (resolution, at, workspace_id, webhook_id)
      ) ${onPostgres ? '' : 'without rowid'}`,

      // A separate table: the rows of `webhooks` are cached and change rarely.
      `create table webhook_failures (
        webhook_id ${text} primary key references webhooks(id) on delete cascade,
        at ${text} not null,
        response_status integer,
        error_kind ${text},
        duration_ms integer not null
      )`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(tx);
  },
};
