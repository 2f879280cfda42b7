import type { Selectable } from 'kysely';
import { cachedRow, type Source, webhooksOf, workspace } from '../core/cache/cache.ts';
import type { Database } from '../core/schema.ts';

type WebhookRow = Selectable<Database['webhooks']>;

/** The sources of a cached webhook. */
export const sourcesOf = ({ workspace_id: id }: WebhookRow): Source[] => [webhooksOf(id), workspace(id)];

/** A webhook of any workspace. */
export const webhookById = cachedRow<{ id: string }, WebhookRow>('any webhook', sourcesOf, (db, p) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', p('id')),
);
