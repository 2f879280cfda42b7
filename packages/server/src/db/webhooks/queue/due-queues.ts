import { sql } from 'kysely';
import { nextTurn } from '../../../clock/timer.ts';
import type { DueQueue } from '../../../domain/deliveries/due-queue.ts';
import { type QueuePart, QUEUE_PARTS } from '../../../domain/deliveries/queue-part.ts';
import { type IdBytes, idBytes, idText, isoTimeOrNull } from '../../core/columns/columns.ts';
import { millis } from '../../../domain/time.ts';
import { dialectOf } from '../../dialect-of.ts';
import type { Claim } from './delivery-leases.ts';
import { waitsIn } from './waits-in.ts';
import type { Db } from '../../core/schema.ts';

// Webhooks in one statement, which blocks SQLite's loop for 1 or 2 ms. All at once, 50,000 blocked it for 240 to 470 ms (measured).
const PAGE = 256;
// Sorts before every ID.
const NO_ID = Buffer.alloc(0);

/**
 * The webhooks that have open deliveries, and when the first of each is due, page by page. Hops from webhook to webhook in the partial
 * indexes: the cost grows with the webhooks, not with their deliveries. SQLite yields to the event loop after each page.
 */
export async function* listDueQueues(db: Db): AsyncGenerator<DueQueue[]> {
  for (const part of QUEUE_PARTS) {
    for (let after: IdBytes | undefined = NO_ID; after;) {
      const rows: PageRow[] = await pageOf(db, part, after);
      yield rows.map(({ webhook_id, due_at: dueAt, workspace_id: workspaceId }) => ({
        webhookId: idText('webhook', webhook_id),
        workspaceId,
        part,
        dueAt,
      }));
      after = rows.length === PAGE ? rows.at(-1)?.webhook_id : undefined;
      await nextTurn();
    }
  }
}

interface PageRow {
  webhook_id: IdBytes;
  due_at: number;
  workspace_id: string;
}

/** The first webhooks after one that have open deliveries in a part of their queue. */
async function pageOf(db: Db, part: QueuePart, after: IdBytes): Promise<PageRow[]> {
  const { rows } = await sql<PageRow>`
    with recursive waiting(webhook_id, number) as (
      select (
        select d.webhook_id from deliveries d
        where ${waitsIn[part]} and d.webhook_id > ${after} order by d.webhook_id limit 1
      ), 1
      union all
      select (
        select d.webhook_id from deliveries d
        where ${waitsIn[part]} and d.webhook_id > waiting.webhook_id order by d.webhook_id limit 1
      ), number + 1
      from waiting where waiting.webhook_id is not null and number < ${sql.lit(PAGE)}
    )
    select webhook_id,
           (select min(due_at) from deliveries d where d.webhook_id = waiting.webhook_id and ${waitsIn[part]}) as due_at,
           (select w.id from deliveries d join workspaces w on w.seq = d.workspace
            where d.webhook_id = waiting.webhook_id and ${waitsIn[part]} limit 1) as workspace_id
    from waiting where webhook_id is not null order by webhook_id`.execute(db);
  return rows;
}

/**
 * The time at which the next delivery in a part of a webhook queue is due; `null` for none. The asking owner's own leases do not count:
 * it records or returns those deliveries.
 */
export async function nextDueAt(
  db: Db,
  { webhookId, part, owner, now }: Pick<Claim, 'webhookId' | 'part' | 'owner' | 'now'>,
): Promise<string | null> {
  const next = { webhookId: idBytes(webhookId), owner, now: millis(now) };
  return isoTimeOrNull(await dialectOf(db).nextDueAt(db, part, next));
}
