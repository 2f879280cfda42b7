import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Who is logged in to the dashboard. */
export const sessions: Migration = {
  name: '0005-sessions',
  async up(tx, dialect) {
    const text = dialect === 'postgres' ? sql`text collate "C"` : 'text';
    await tx.schema
      .createTable('sessions')
      .addColumn('token_hash', text, (column) => column.primaryKey())
      .addColumn('user_id', text, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', text, (column) => column.notNull())
      .addColumn('expires_at', text, (column) => column.notNull())
      .execute();
    await tx.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
  },
};
