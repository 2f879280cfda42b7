import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Statistics by name: events by their source, and, of a webhook, failed attempts by their cause. */
export const statisticsByName: Migration = {
  name: '0005-statistics-by-name',
  async up(tx, dialect) {
    const onPostgres = dialect === 'postgres';
    const text = onPostgres ? 'text collate "C"' : 'text';
    // Some databases have the table from an earlier form of 0002.
    await sql
      .raw(
        `create table if not exists stats_groups (
          resolution integer not null,
          at ${text} not null,
          workspace_id ${text} not null,
          webhook_id ${text} not null,
          name ${text} not null,
          count integer not null,
          first_at ${text} not null,
          last_at ${text} not null,
          message ${text},
          primary key (resolution, at, workspace_id, webhook_id, name)
        ) ${onPostgres ? '' : 'without rowid'}`,
      )
      .execute(tx);
  },
};
