import { type Selectable, sql } from 'kysely';
import type { Database, Db, Tx } from '../core/schema.ts';
import type { WebhookRow } from './webhooks.ts';

export type WebhookFailureRow = Selectable<Database['webhook_failures']>;

/** Stores the last failed attempts of webhooks that still exist. A later one, of another process, stays. */
export async function setLastFailures(tx: Tx, rows: readonly WebhookFailureRow[]): Promise<void> {
  for (const { webhook_id, at, response_status, error_kind, duration_ms } of rows) {
    await sql`
      insert into webhook_failures (webhook_id, at, response_status, error_kind, duration_ms)
      select id, ${at}, ${response_status}, ${error_kind}, ${duration_ms} from webhooks where id = ${webhook_id}
      on conflict (webhook_id) do update set
        at = excluded.at, response_status = excluded.response_status,
        error_kind = excluded.error_kind, duration_ms = excluded.duration_ms
      where webhook_failures.at < excluded.at`.execute(tx);
  }
}

/** The last failed attempt of each of these webhooks that has had one. The caller has checked their workspace. */
export async function lastFailuresOf(db: Db, webhooks: readonly WebhookRow[]): Promise<WebhookFailureRow[]> {
  if (webhooks.length === 0) return [];
  const webhookIds = webhooks.map(({ id }) => id);
  return db.selectFrom('webhook_failures').selectAll().where('webhook_id', 'in', webhookIds).execute();
}
