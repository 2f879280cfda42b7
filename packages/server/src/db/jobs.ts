import type { JOB_STATES, JobKindName } from '@hubline/contract';
import { type Selectable, sql } from 'kysely';
import { prepared, preparedChange, preparedRow } from './core/queries/prepared-query.ts';
import type { Database, Db, Tx } from './core/schema.ts';
import { dialectOf } from './dialect-of.ts';

/** A job as it is stored. */
export type JobRow = Selectable<Database['jobs']>;

/**
 * The names that `sync` and `sync_all` had until 2026-11-28. New jobs never get them. An older process may have left such a job, or may add
 * one while an upgrade replaces one process after the other.
 */
export type OlderKindName = 'catch_up' | 'catch_up_all';

/** The name under which a kind of job of this version is stored. A row may have another, which only another version knows. */
export type StoredKindName = JobKindName | OlderKindName;

/** A claimed job: the token is valid only until somebody else claims it. */
export type JobLease = Pick<JobRow, 'seq' | 'lease_token'>;

/** The state of a job: waiting, due, running, waiting after an attempt that failed, or failed for good. */
export type JobState = (typeof JOB_STATES)[number];

/** The rows of the index `jobs_due`. Failed jobs are in no index of the runner. */
const open = sql<boolean>`failed_at is null`;

type NewJob = Pick<JobRow, 'kind' | 'key' | 'payload' | 'due_at' | 'created_at'>;

const insertOpen = preparedChange<NewJob>((db, p) => {
  const job = {
    kind: p('kind'),
    key: p('key'),
    payload: p('payload'),
    due_at: p('due_at'),
    created_at: p('created_at'),
  };
  const begun = { attempts: 0, last_error: null, failed_at: null };
  return db
    .insertInto('jobs')
    .values({ ...job, ...begun, lease_owner: null, lease_token: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'key'])
        .doUpdateSet({ ...job, ...begun })
        .where('jobs.failed_at', 'is not', null),
    );
});

/** Adds a job; `false` if one of that kind and key is open already. One that has failed starts over. */
export const insertJob = async (tx: Tx, job: NewJob): Promise<boolean> =>
  (await insertOpen(tx, job)).rows > 0;

const waitingJob = preparedRow<Pick<JobRow, 'kind' | 'key'>, Pick<JobRow, 'due_at'>>((db, p) =>
  db
    .selectFrom('jobs')
    .select('due_at')
    .where('kind', '=', p('kind'))
    .where('key', '=', p('key'))
    .where('lease_owner', 'is', null)
    .where(open),
);

/** The time at which an open job is due that nobody has claimed; `null` if there is none. */
export const findWaitingJob = async (tx: Tx, job: Pick<JobRow, 'kind' | 'key'>): Promise<number | null> =>
  (await waitingJob(tx, job))?.due_at ?? null;

/** The lease that a new job is stored with, so that nobody has to claim it. */
export interface NewJobLease {
  owner: string;
  until: number;
}

/** Adds a job with a lease. Its key must be new. */
export async function insertLeasedJob(tx: Tx, job: NewJob, { owner, until }: NewJobLease): Promise<JobRow> {
  const row = { ...job, due_at: until, lease_owner: owner };
  const seq = await dialectOf(tx).insertLeasedJob(tx, row);
  return { ...row, seq, lease_token: 1, attempts: 1, last_error: null, failed_at: null };
}

/** Adds a periodic job. An existing one is made due no later than `latest`. */
export async function insertPeriodicJob(tx: Tx, job: NewJob, latest: number): Promise<void> {
  await insertJob(tx, job);
  await tx
    .updateTable('jobs')
    .set({ due_at: latest })
    .where('kind', '=', job.kind)
    .where('key', '=', job.key)
    .where('due_at', '>', latest)
    .where('lease_owner', 'is', null)
    .execute();
}

/** Removes a job that nobody has claimed; `false` if there is none. */
export async function removeIdleJob(tx: Tx, job: Pick<JobRow, 'kind' | 'key'>): Promise<boolean> {
  const result = await tx
    .deleteFrom('jobs')
    .where('kind', '=', job.kind)
    .where('key', '=', job.key)
    .where('lease_owner', 'is', null)
    .executeTakeFirst();
  return Number(result.numDeletedRows) > 0;
}

/** Removes every job of a kind, for a process that knows it is alone. */
export async function removeJobs(tx: Tx, kind: StoredKindName): Promise<void> {
  await tx.deleteFrom('jobs').where('kind', '=', kind).execute();
}

/** Makes a job that waits due now. */
export async function promoteJob(tx: Tx, job: Pick<JobRow, 'kind' | 'key'>, now: number): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ due_at: now })
    .where('kind', '=', job.kind)
    .where('key', '=', job.key)
    .where('lease_owner', 'is', null)
    .where(open)
    .execute();
}

/**
 * The time at which the first open job of each of these kinds is due, without those that `owner` has. One statement looks up each kind
 * at the beginning of the index: ten thousand jobs that wait for next week cost nothing.
 */
export async function listDueTimes(
  db: Db,
  owner: string,
  kinds: readonly string[],
): Promise<readonly Pick<JobRow, 'kind' | 'due_at'>[]> {
  const found = await firstDueTimes(db, { owner });
  return found.flatMap(({ kind, due_at }) =>
    kind !== null && due_at !== null && kinds.includes(kind) ? [{ kind, due_at }] : [],
  );
}

const firstDueTimes = prepared<{ owner: string }, { kind: string | null; due_at: number | null }>((db, p) =>
  db
    // Goes from each kind to the next one in the index, past all jobs of that kind.
    .withRecursive('kinds(kind)', (steps) =>
      steps
        .selectFrom('jobs')
        .select((eb) => eb.fn.min<string | null>('kind').as('kind'))
        .where(open)
        .unionAll(
          steps
            .selectFrom('kinds')
            .select((eb) =>
              eb
                .selectFrom('jobs')
                .select((job) => job.fn.min<string | null>('jobs.kind').as('next'))
                .where(open)
                .whereRef('jobs.kind', '>', 'kinds.kind')
                .as('kind'),
            )
            .where('kinds.kind', 'is not', null),
        ),
    )
    .selectFrom('kinds')
    .select((eb) => [
      'kinds.kind',
      eb
        .selectFrom('jobs')
        .select('due_at')
        .where(open)
        .whereRef('jobs.kind', '=', 'kinds.kind')
        .where((job) => job.or([job('lease_owner', 'is', null), job('lease_owner', '<>', p('owner'))]))
        .orderBy('due_at')
        .limit(1)
        .as('due_at'),
    ]),
);

/** A claim of jobs of one kind: the process that takes them, and the end of the lease. */
export interface JobClaim {
  kind: string;
  owner: string;
  now: number;
  leaseUntil: number;
  limit: number;
}

const claimDue = prepared<JobClaim, JobRow>((db, p) => {
  const due = db
    .selectFrom('jobs')
    .select('seq')
    .where('kind', '=', p('kind'))
    .where(open)
    .where('due_at', '<=', p('now'))
    .where((eb) => eb.or([eb('lease_owner', 'is', null), eb('lease_owner', '<>', p('owner'))]))
    .orderBy('due_at')
    .limit(p('limit'));
  return (
    db
      // Materialized: as a plain subquery PostgreSQL may run it once for each row, and lock more than `limit`.
      .with(
        (cte) => cte('due').materialized(),
        () => dialectOf(db).lockFreeRows(due),
      )
      .updateTable('jobs')
      .set((eb) => ({
        due_at: p('leaseUntil'),
        lease_owner: p('owner'),
        lease_token: eb('lease_token', '+', 1),
        attempts: eb('attempts', '+', 1),
      }))
      .where('seq', 'in', (eb) => eb.selectFrom('due').select('due.seq'))
      .returningAll()
  );
});

/**
 * Leases due jobs of a kind, those that have been due longest first. As for deliveries, the lease moves `due_at` to its own end, so that a
 * job of a dead process becomes due by itself, and the fencing token tells a late result from a current one.
 */
export async function claimJobs(tx: Tx, claim: JobClaim): Promise<JobRow[]> {
  const rows = await claimDue(tx, claim);
  return rows.sort((a, b) => a.seq - b.seq);
}

const removeLeased = preparedChange<JobLease>((db, p) =>
  db
    .deleteFrom('jobs')
    .where('seq', '=', p('seq'))
    .where('lease_token', '=', p('lease_token'))
    .where('lease_owner', 'is not', null),
);

/** Removes a job that is done; `false` if its lease was lost. */
export const finishJob = async (tx: Tx, { seq, lease_token }: JobLease): Promise<boolean> =>
  (await removeLeased(tx, { seq, lease_token })).rows > 0;

/** Ends a lease of a job that is not done, or that has failed for good; `false` if the lease was lost. */
export async function returnJob(
  tx: Tx,
  { seq, lease_token }: JobLease,
  state: Pick<JobRow, 'due_at' | 'attempts' | 'last_error' | 'failed_at'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('jobs')
    .set({ ...state, lease_owner: null })
    .where('seq', '=', seq)
    .where('lease_token', '=', lease_token)
    .where('lease_owner', 'is not', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

function isOneOf(leases: readonly JobLease[]) {
  const rows = leases.map(
    ({ seq, lease_token }) => sql`(cast(${seq} as bigint), cast(${lease_token} as integer))`,
  );
  return sql<boolean>`(seq, lease_token) in (values ${sql.join(rows)})`;
}

/** Moves the end of leases; returns the jobs whose lease is still held. */
export async function renewJobLeases(tx: Tx, leases: readonly JobLease[], until: number): Promise<number[]> {
  if (leases.length === 0) return [];
  const rows = await tx
    .updateTable('jobs')
    .set({ due_at: until })
    .where(isOneOf(leases))
    .where('lease_owner', 'is not', null)
    .where(open)
    .returning('seq')
    .execute();
  return rows.map(({ seq }) => seq);
}

/** Jobs that these owners have leased. Default: all that are leased. */
export async function listLeasedJobs(db: Db, owners?: readonly string[]): Promise<JobRow[]> {
  let leased = db.selectFrom('jobs').selectAll().where('lease_owner', 'is not', null).where(open);
  if (owners) leased = leased.where('lease_owner', 'in', owners);
  return leased.orderBy('seq').execute();
}

/** Takes back the count of attempts under way: how they end says nothing about their jobs. */
export async function uncountAttempts(tx: Tx, leases: readonly JobLease[]): Promise<void> {
  if (leases.length === 0) return;
  await tx
    .updateTable('jobs')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where(isOneOf(leases))
    .where('lease_owner', 'is not', null)
    .execute();
}

/** Ends every lease, for a process that knows it is alone: the owners are dead. */
export async function expireJobLeases(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ due_at: now, lease_owner: null })
    .where('lease_owner', 'is not', null)
    .where(open)
    .execute();
}

/** A clock that was set back: jobs from before are moved by `ms` milliseconds, a negative number. */
export interface SetBack {
  now: number;
  /** Jobs that were created between this time and now are due by the new time already. */
  since: number;
  ms: number;
  /** A time that is later than the end of any lease that begins now. */
  leasesEnd: number;
}

/**
 * Moves waiting jobs with a clock that was set back. A lease is moved only if it is longer than any that begins now. Shorter ones may have
 * a living owner, and end soon.
 */
export async function moveJobs(tx: Tx, { now, since, ms, leasesEnd }: SetBack): Promise<void> {
  await tx
    .updateTable('jobs')
    .set((eb) => ({ due_at: eb('due_at', '+', ms) }))
    .where('due_at', '>', now)
    .where((eb) => eb.or([eb('lease_owner', 'is', null), eb('due_at', '>', leasesEnd)]))
    .where((eb) => eb.or([eb('created_at', '<', since), eb('created_at', '>', now)]))
    .where(open)
    .execute();
}

/** Makes all jobs of these kinds due now. */
export async function promoteJobs(tx: Tx, kinds: readonly StoredKindName[], now: number): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ due_at: now })
    .where('kind', 'in', kinds)
    .where('lease_owner', 'is', null)
    .where('due_at', '>', now)
    .where(open)
    .execute();
}

const stateAt = (now: number) => sql<JobState>`
  case
    when failed_at is not null then 'failed'
    when due_at <= ${now} then 'due'
    when lease_owner is not null then 'running'
    when attempts > 0 then 'retrying'
    else 'scheduled'
  end`;

/** A due time before the creation of a job only keeps the order fair, unless the clock was ahead when it was created. */
const shownDueAt = (now: number) =>
  sql<number>`case when due_at < created_at and created_at <= ${now} then created_at else due_at end`;

/** The number of jobs of a kind in a state, and when the first of them was or is due. */
export interface JobCount {
  kind: string;
  state: JobState;
  jobs: number;
  first_due_at: number;
}

export async function countJobs(db: Db, now: number): Promise<JobCount[]> {
  const counted = db
    .selectFrom('jobs')
    .select(['kind', shownDueAt(now).as('due_at'), stateAt(now).as('state')])
    .as('counted');
  return db
    .selectFrom(counted)
    .select((eb) => [
      'kind',
      'state',
      eb.fn.countAll<number>().as('jobs'),
      eb.fn.min('due_at').as('first_due_at'),
    ])
    .groupBy(['kind', 'state'])
    .execute();
}

/** A job as it is shown: without its payload, which may hold personal data. */
export type ListedJob = Omit<JobRow, 'payload' | 'lease_token'> & { state: JobState };

export async function listJobs(
  db: Db,
  now: number,
  { kind, state, seq }: { kind?: string | undefined; state?: JobState | undefined; seq?: number },
): Promise<ListedJob[]> {
  const listed = db
    .selectFrom('jobs')
    .select([
      'seq',
      'kind',
      'key',
      shownDueAt(now).as('due_at'),
      'lease_owner',
      'attempts',
      'last_error',
      'created_at',
      'failed_at',
      stateAt(now).as('state'),
    ])
    .as('listed');
  let query = db.selectFrom(listed).selectAll().orderBy('seq');
  if (kind !== undefined) query = query.where('kind', '=', kind);
  if (state !== undefined) query = query.where('state', '=', state);
  if (seq !== undefined) query = query.where('seq', '=', seq);
  return query.execute();
}

/** Lets a job start over now; `false` if there is none, or a process has it. */
export async function retryJob(tx: Tx, seq: number, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('jobs')
    .set({ due_at: now, attempts: 0, failed_at: null })
    .where('seq', '=', seq)
    .where((eb) => eb.or([eb('lease_owner', 'is', null), eb('due_at', '<=', now)]))
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}
