import { LIMITS } from '@hubline/contract';
import { sql } from 'kysely';
import { idBytes } from '../core/columns/columns.ts';
import type { Db } from '../core/schema.ts';

/** Conditions of open deliveries, with literals as in `waitsIn`. */
const OPEN = {
  pending: sql<boolean>`due_at is not null and status = 0`,
  retrying: sql<boolean>`due_at is not null and status <> 0 and status = 1`,
  held: sql<boolean>`status = 4`,
};

/** The most webhooks in one statement. */
const TOGETHER = 500;

/** Counts the open deliveries of these webhooks, each state up to `LIMITS.queueCounted`. */
export async function countOpen(
  db: Db,
  webhooks: readonly { readonly id: string }[],
): Promise<Record<keyof typeof OPEN, number>> {
  const counts = { pending: 0, retrying: 0, held: 0 };
  for (let from = 0; from < webhooks.length; from += TOGETHER) {
    const ids = webhooks.slice(from, from + TOGETHER).map(({ id }) => idBytes(id));
    for (const state of Object.keys(counts) as (keyof typeof counts)[]) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from (
          select 1 from deliveries where webhook_id in (${sql.join(ids)}) and ${OPEN[state]}
          limit ${LIMITS.queueCounted - counts[state]}
        ) as open`.execute(db);
      counts[state] += rows[0]?.count ?? 0;
    }
  }
  return counts;
}
