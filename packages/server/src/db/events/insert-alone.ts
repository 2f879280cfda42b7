import { sql } from 'kysely';
import { type Build, preparedChange } from '../core/queries/prepared-query.ts';
import type { EventInsert } from '../core/statements.ts';

/** The statement of `insertAlone`. */
export const insertsEvent: Build<EventInsert, unknown> = (db, p) =>
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
      // The database turns the bytes of a large payload into text. As a string here, they would take twice the memory and half again as
      // much time.
      payload: sql<string>`cast(${p('payload')} as text)`,
    } satisfies Record<keyof EventInsert, unknown>)
    .onConflict((conflict) => conflict.doNothing());

/** Inserts one event, unless its integration already has one with the same dedupe key. */
export const insertAlone = preparedChange(insertsEvent);
