import { type Selectable, sql } from 'kysely';
import type { Database, Db } from '../../core/schema.ts';

export const findWebhooks = (db: Db, ids: readonly string[]): Promise<Selectable<Database['webhooks']>[]> =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
