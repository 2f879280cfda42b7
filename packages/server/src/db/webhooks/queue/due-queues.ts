import { sql } from 'kysely';
import type { DueQueue } from '../../../domain/deliveries/due-queue.ts';
import { type QueuePart, QUEUE_PARTS } from '../../../domain/deliveries/queue-part.ts';
import { type IdBytes, idBytes, idText, isoTimeOrNull } from '../../core/columns/columns.ts';
import { dialectOf } from '../../dialect-of.ts';
import { waitsIn } from './waits-in.ts';
import type { Db } from '../../core/schema.ts';

/**
 * The webhooks that have open deliveries, and when the first of each is due. Hops from webhook to webhook in the
 * partial indexes: the cost grows with the webhooks, not with their deliveries.
 */
export async function listDueQueues(db: Db): Promise<DueQueue[]> {
  const found: DueQueue[] = [];
  for (const part of QUEUE_PARTS) {
    const { rows } = await sql<{ webhook_id: IdBytes; due_at: number; workspace_id: string }>`
      with recursive waiting(webhook_id) as (
        select (select d.webhook_id from deliveries d where ${waitsIn[part]} order by d.webhook_id limit 1)
        union all
        select (
          select d.webhook_id from deliveries d
          where ${waitsIn[part]} and d.webhook_id > waiting.webhook_id order by d.webhook_id limit 1
        )
        from waiting where waiting.webhook_id is not null
      )
      select webhook_id,
             (select min(due_at) from deliveries d where d.webhook_id = waiting.webhook_id and ${waitsIn[part]}) as due_at,
             (select w.id from deliveries d join workspaces w on w.seq = d.workspace
              where d.webhook_id = waiting.webhook_id and ${waitsIn[part]} limit 1) as workspace_id
      from waiting where webhook_id is not null`.execute(db);
    for (const { webhook_id: webhookId, due_at: dueAt, workspace_id: workspaceId } of rows)
      found.push({ webhookId: idText('webhook', webhookId), workspaceId, part, dueAt });
  }
  return found;
}

/** The time at which the next delivery in a part of a webhook queue is due; `null` for none. */
export async function nextDueAt(db: Db, webhookId: string, part: QueuePart): Promise<string | null> {
  return isoTimeOrNull(await dialectOf(db).firstDueAt(db, part, idBytes(webhookId)));
}
