import { sql } from 'kysely';
import { nextTurn } from '../../clock/timer.ts';
import type { Dialect } from '../core/dialect.ts';
import { likePattern } from '../core/queries/like-pattern.ts';
import { hexOf } from './hex-of.ts';
import { isUniqueViolation } from './sqlite-error.ts';
import { findBody, insertDeliveries, lockDeliveries } from './statements/deliveries.ts';
import { claimDeliveries, nextDueAt, releaseUnbegun, recordResults } from './statements/claim-and-record.ts';
import { deleteMany } from './statements/delete-many.ts';
import { insertEvent } from './statements/events.ts';
import { findOutcome, insertOutcome } from './statements/idempotency.ts';
import { insertLeasedJob } from './statements/jobs.ts';
import { countQueue } from './statements/queue-levels.ts';
import { databaseBytes } from './statements/size.ts';
import { addStats } from './statements/stats.ts';
import { findWebhooks } from './statements/webhooks.ts';

/** Units run one after another: there is nothing to lock. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  // A lookup by another connection takes twice as long.
  findsOutcomeInUnit: true,
  lock: () => undefined,
  lockRows: (query) => query,
  lockFreeRows: (query) => query,
  lockForMigration: async () => {},
  waitBriefly: async () => {},
  yieldToEventLoop: nextTurn,
  moved: (column, ms) =>
    sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.ref(column)}, ${`${(ms / 1_000).toFixed(3)} seconds`})`,
  isUniqueViolation,
  lockDeliveries,
  insertEvent,
  findOutcome,
  insertOutcome,
  insertLeasedJob,
  takeRefreshLease: () => Promise.resolve(true),
  endRefreshLease: async () => {},
  insertDeliveries,
  findBody,
  claimDeliveries,
  recordResults,
  releaseUnbegun,
  nextDueAt,
  countQueue,
  deleteMany,
  databaseBytes,
  findWebhooks,
  addStats,
  valueAt(column, path) {
    const json = sql.ref(column);
    const pointer = `$${path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${JSON.stringify(step)}`)).join('')}`;
    return sql`case json_type(${json}, ${pointer}) when 'text' then ${json} ->> ${pointer} else ${json} -> ${pointer} end`;
  },
  contains: (text, part) => sql`${text} like ${likePattern(part)} escape '\\'`,
  bytesIn: (column) => sql`cast(${sql.ref(column)} as blob)`,
  isOneOf: (column, numbers) =>
    sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(numbers)}))`,
  hexOf,
};
