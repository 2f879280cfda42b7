import type { InsertQueryBuilder, InsertResult } from 'kysely';
import type { Placeholder } from './core/queries/prepared-query.ts';
import type { Database, Db } from './core/schema.ts';
import type { JobInsert } from './core/statements.ts';

/** Inserts one job with a lease. */
export const leasedJob = (
  db: Db,
  p: Placeholder<JobInsert>,
): InsertQueryBuilder<Database, 'jobs', InsertResult> =>
  db.insertInto('jobs').values({
    kind: p('kind'),
    key: p('key'),
    payload: p('payload'),
    due_at: p('due_at'),
    lease_owner: p('lease_owner'),
    lease_token: 1,
    attempts: 1,
    last_error: null,
    created_at: p('created_at'),
    failed_at: null,
  });
