import type { Selectable } from 'kysely';
import type { Database, Db } from '../../core/schema.ts';
import { webhookById } from '../../webhooks/webhook-by-id.ts';

export async function findWebhooks(
  db: Db,
  ids: readonly string[],
): Promise<Selectable<Database['webhooks']>[]> {
  const found = await Promise.all(ids.map(async (id) => webhookById(db, { id })));
  return found.filter((row) => row !== undefined);
}
