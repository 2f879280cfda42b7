import { sql } from 'kysely';
import type { Migration } from './migration.ts';

// The steps of the histogram of latencies.
const LATENCIES = 43;

/**
 * Statistics. A step of its own although no version has been without it, so that an upgrade is walked and killed in every
 * run of the tests.
 */
export const statistics: Migration = {
  name: '0002-statistics',
  async up(tx, dialect) {
    const onPostgres = dialect === 'postgres';
    const text = onPostgres ? 'text collate "C"' : 'text';
    const statements = [
      // No foreign keys: what is counted is stored a few seconds later, when its webhook or workspace may be gone. In this order
      // new rows stand together at the end of their resolution, and old ones at its beginning: no other index is needed.
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

      // Apart from the webhooks, whose rows are cached and change rarely.
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
