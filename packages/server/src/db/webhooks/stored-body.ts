import { ifShort, lengthOf } from '../core/columns/large-text.ts';
import type { Db } from '../core/schema.ts';

/** Selects the bodies of deliveries: their own texts, or the parts of their events. */
export const selectBody = (db: Db) =>
  db
    .selectFrom('deliveries')
    .leftJoin('events', 'events.id', 'deliveries.event_id')
    .select(['events.id as event_id', 'events.integration_id', 'events.occurred_at', 'events.provider'])
    .select(({ ref }) => [
      ref('events.created_at').$notNull().as('created_at'),
      ref('events.type').$notNull().as('type'),
      ref('events.source').$notNull().as('source'),
      ref('events.summary').$notNull().as('summary'),
    ])
    .select([
      ifShort('body').as('body'),
      lengthOf('body').as('body_bytes'),
      ifShort('payload').as('payload'),
      lengthOf('payload').as('payload_bytes'),
    ]);
