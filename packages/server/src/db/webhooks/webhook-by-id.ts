import type { Selectable } from 'kysely';
import { cachedRow } from '../core/cache/cache.ts';
import type { Database } from '../core/schema.ts';

type WebhookRow = Selectable<Database['webhooks']>;

/** A webhook of any workspace. */
export const webhookById = cachedRow<{ id: string }, WebhookRow, 'webhooks'>(
  'any webhook',
  (webhooks) => ({ webhooks }),
  (db, p) => db.selectFrom('webhooks').selectAll().where('id', '=', p('id')),
);
