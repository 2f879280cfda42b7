import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Durable background work. */
export const jobs: Migration = {
  name: '0010-jobs',
  async up(tx, dialect) {
    const text = dialect === 'postgres' ? sql`text collate "C"` : 'text';
    const time = dialect === 'postgres' ? 'bigint' : 'integer';
    const seq =
      dialect === 'postgres'
        ? sql`bigint generated always as identity primary key`
        : sql`integer primary key autoincrement`;
    const { schema } = tx;
    await schema
      .createTable('jobs')
      .addColumn('seq', seq)
      .addColumn('kind', text, (column) => column.notNull())
      .addColumn('key', text, (column) => column.notNull())
      .addColumn('payload', text, (column) => column.notNull())
      .addColumn('due_at', time, (column) => column.notNull())
      .addColumn('lease_owner', text)
      .addColumn('lease_token', 'integer', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('last_error', text)
      .addColumn('created_at', time, (column) => column.notNull())
      .addColumn('failed_at', time)
      .execute();
    await schema.createIndex('jobs_key').on('jobs').columns(['kind', 'key']).unique().execute();
    await schema
      .createIndex('jobs_due')
      .on('jobs')
      .columns(['kind', 'due_at'])
      .where(sql.ref('failed_at'), 'is', null)
      .execute();
  },
};
