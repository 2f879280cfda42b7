import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** The position of a recovery in each of its webhooks, so that one that hangs does not stop the others. */
export const recoveryWebhooks: Migration = {
  name: '0009-recovery-webhooks',
  async up(tx, dialect) {
    const [text, long, strict] =
      dialect === 'postgres' ? ['text collate "C"', 'bigint', ''] : ['text', 'integer', 'strict'];
    await sql
      .raw(
        `create table recovery_webhooks (
          recovery_id ${text} not null references recoveries(id) on delete cascade,
          webhook_id ${text} not null,
          "position" ${long} not null,
          primary key (recovery_id, webhook_id)
        ) ${strict}`,
      )
      .execute(tx);
    await sql.raw(`alter table recoveries add column last_seq ${long}`).execute(tx);
    await sql.raw(`alter table recoveries add column last_webhook_id ${text}`).execute(tx);
    // They look for their webhooks from their current position.
    await sql`update recoveries set status = 'queued' where status = 'running'`.execute(tx);
  },
};
