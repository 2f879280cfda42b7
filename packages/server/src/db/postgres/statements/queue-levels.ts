import { sql } from 'kysely';
import type { Db } from '../../core/schema.ts';
import type { QueueCounts } from '../../core/statements.ts';
import { waitsIn } from '../../webhooks/queue/waits-in.ts';

export const countQueue = (db: Db, now: number): Promise<QueueCounts> =>
  db
    .selectFrom('deliveries')
    .select(({ fn }) => [fn.countAll<number>().as('open')])
    .select(sql<number>`count(*) filter (where due_at <= ${now})`.as('due'))
    .select(sql<number | null>`min(due_at) filter (where due_at <= ${now})`.as('first'))
    .where(({ or }) => or(Object.values(waitsIn)))
    .executeTakeFirstOrThrow();
