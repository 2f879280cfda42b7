import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** The last attempt of a delivery and the last failed one of a webhook: lists show them without reading the attempts. */
export const lastAttempt: Migration = {
  name: '0008-last-attempt',
  async up(tx, dialect) {
    const text = dialect === 'postgres' ? sql`text collate "C"` : 'text';
    const { schema } = tx;
    await schema.alterTable('deliveries').addColumn('last_at', text).execute();
    await schema.alterTable('deliveries').addColumn('last_status', 'integer').execute();
    await schema.alterTable('deliveries').addColumn('last_error_kind', text).execute();
    await schema.alterTable('deliveries').addColumn('last_duration_ms', 'integer').execute();
    await sql`
      update deliveries set (last_at, last_status, last_error_kind, last_duration_ms) = (
        select started_at, response_status, error_kind, duration_ms from attempts
        where attempts.delivery_id = deliveries.id order by attempt desc, attempts.id desc limit 1
      )
      where attempt_count > 0`.execute(tx);
    // Apart from the webhooks, whose rows are cached and change rarely.
    await schema
      .createTable('webhook_failures')
      .addColumn('webhook_id', text, (column) =>
        column.primaryKey().references('webhooks.id').onDelete('cascade'),
      )
      .addColumn('at', text, (column) => column.notNull())
      .addColumn('response_status', 'integer')
      .addColumn('error_kind', text)
      .addColumn('duration_ms', 'integer', (column) => column.notNull())
      .execute();
  },
};
