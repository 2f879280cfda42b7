import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../core/dialect.ts';
import { runningUnit } from './transactions/running-unit.ts';
import { likePattern } from '../core/queries/like-pattern.ts';
import { hexOf } from './hex-of.ts';
import { ALLOW_LONG_MIGRATION, WAIT_BRIEFLY } from './transactions/lock-timeout.ts';
import { isUniqueViolation } from './postgres-error.ts';
import { findBody, insertDeliveries, lockDeliveries } from './statements/deliveries.ts';
import { claimDeliveries, nextDueAt, releaseUnbegun, recordResults } from './statements/claim-and-record.ts';
import { deleteMany } from './statements/delete-many.ts';
import { insertEvent } from './statements/events.ts';
import { findOutcome, insertOutcome } from './statements/idempotency.ts';
import { insertLeasedJob } from './statements/jobs.ts';
import { countQueue } from './statements/queue-levels.ts';
import { endRefreshLease, takeRefreshLease } from './statements/refresh-leases.ts';
import { databaseBytes } from './statements/size.ts';
import { addStats } from './statements/stats.ts';
import { findWebhooks } from './statements/webhooks.ts';

// Any constant: processes that start at the same time queue up behind it.
const MIGRATION_LOCK = 4_839_201;

// JSON escapes that PostgreSQL cannot store as text, NUL and half a surrogate pair: one of them would fail the whole query. An escaped
// backslash before such letters matches, too, and the result is still JSON.
const NO_TEXT = String.raw`\\u(0000|d[89ab][0-9a-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][0-9a-f]{2}\\u)d[c-f][0-9a-f]{2})`;

/**
 * Every unit is a transaction that runs beside others. A unit that locks several rows does it in the order of `seq`, so that units never
 * deadlock.
 */
export const postgresDialect: Dialect = {
  name: 'postgres',
  findsOutcomeInUnit: false,
  async lock(tx, name) {
    const unit = runningUnit();
    const locked = unit?.locked;
    if (locked?.has(name)) return;
    if (locked)
      throw new Error(
        `A unit with addsTo takes no further locks, and this one locks ${name}: leave addsTo out, or lock in a unit of its own.`,
      );
    unit?.enter(name);
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
  },
  lockRows: (query) => query.forUpdate() as unknown as typeof query,
  lockFreeRows: (query) => query.forUpdate().skipLocked() as typeof query,
  async lockForMigration(tx) {
    await sql.raw(ALLOW_LONG_MIGRATION).execute(tx);
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx);
  },
  async waitBriefly(tx) {
    await sql.raw(WAIT_BRIEFLY).execute(tx);
  },
  // Each statement waits for the server.
  yieldToEventLoop: () => undefined,
  moved: (column, ms) => sql`
    to_char((${sql.ref(column)}::timestamptz + ${ms} * interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  isUniqueViolation,
  lockDeliveries,
  insertEvent,
  findOutcome,
  insertOutcome,
  insertLeasedJob,
  takeRefreshLease,
  endRefreshLease,
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
    // Most texts have no numeric escapes, and are not searched for them.
    const replaced = sql`regexp_replace(${json}, ${NO_TEXT}, '\\\\ufffd', 'gi')`;
    const readable = sql`(case when position('\\u' in ${json}) = 0 then ${json} else ${replaced} end)::json`;
    // A number is a position in a list, a text a name in an object. One operator for the whole path, `#>`, takes each for the other, and
    // counts from the end of a list for "-1".
    const found = path.reduce<RawBuilder<unknown>>(
      (json, step) =>
        typeof step === 'number' ? sql`${json} -> ${step}::int` : sql`${json} -> ${step}::text`,
      readable,
    );
    // `offset 0` keeps the JSON from being parsed for each use of `found`.
    return sql`(select case json_typeof(found) when 'string' then found #>> '{}' else found::text end
      from (select ${found} as found offset 0) as at_path)`;
  },
  contains: (text, part) => sql`${text} ilike ${likePattern(part)}`,
  bytesIn: (column) => sql.ref(column),
  isOneOf: (column, numbers) => sql`${sql.ref(column)} = any(${numbers}::bigint[])`,
  hexOf,
};
