import { preparedChange } from '../core/queries/prepared-query.ts';
import type { EventInsert } from '../core/statements.ts';

/** Inserts one event, unless its integration already has one with the same dedupe key. */
export const insertAlone = preparedChange<EventInsert>((db, p) =>
  db
    .insertInto('events')
    .values({
      id: p('id'),
      workspace: p('workspace'),
      integration_id: p('integration_id'),
      occurred_at: p('occurred_at'),
      created_at: p('created_at'),
      type: p('type'),
      source: p('source'),
      provider: p('provider'),
      dedupe_key: p('dedupe_key'),
      summary: p('summary'),
      payload: p('payload'),
    })
    .onConflict((conflict) => conflict.doNothing()),
);
