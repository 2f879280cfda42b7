import { type Expression, type ExpressionBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import type { AutomationRow } from './automations.ts';
import type { FoundRows, PageRequest } from '../core/queries/paging.ts';
import { lastLookedAt } from '../core/queries/seq-range.ts';
import type { Awaitable } from '../core/awaitable.ts';
import { prepared, preparedChange, preparedRow } from '../core/queries/prepared-query.ts';
import type { SetBack } from '../jobs.ts';
import type { Database, Db, RunStatus, Tx } from '../core/schema.ts';

export type RunRow = Selectable<Database['automation_runs']>;
export type NewRun = Omit<RunRow, 'seq'>;
export type StepRow = Selectable<Database['automation_steps']>;

const insertOnce = preparedChange<NewRun>((db, p) =>
  db
    .insertInto('automation_runs')
    .values({
      id: p('id'),
      workspace_id: p('workspace_id'),
      automation_id: p('automation_id'),
      version: p('version'),
      trigger: p('trigger'),
      once_key: p('once_key'),
      event_id: p('event_id'),
      data: p('data'),
      depth: p('depth'),
      allowance: p('allowance'),
      concurrency: p('concurrency'),
      status: p('status'),
      error: p('error'),
      created_at: p('created_at'),
      started_at: p('started_at'),
      resume_at: p('resume_at'),
      completed_at: p('completed_at'),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Adds a run; `false` if one was already started for the same event or time. */
export const insertRun = async (tx: Tx, row: NewRun): Promise<boolean> =>
  (await insertOnce(tx, row)).rows > 0;

const byId = preparedRow<{ workspaceId: string; id: string }, RunRow>((db, p) =>
  db
    .selectFrom('automation_runs')
    .selectAll()
    .where('id', '=', p('id'))
    .where('workspace_id', '=', p('workspaceId')),
);

export const findRun = (db: Db, workspaceId: string, id: string): Awaitable<RunRow | undefined> =>
  byId(db, { workspaceId, id });

// The order of `seq` differs from that of the times by less than this.
const MARGIN_MS = 60_000;

/** Chooses the runs of an automation after a time. Goes back to the first run that is certainly too old: those before it are not read. */
const startedAfter = (
  eb: ExpressionBuilder<Database, 'automation_runs'>,
  automationId: string,
  since: number,
): Expression<SqlBool> =>
  eb.and([
    eb('created_at', '>', since),
    eb(
      'seq',
      '>',
      eb.fn.coalesce(
        eb
          .selectFrom('automation_runs as older')
          .select('older.seq')
          .where('older.automation_id', '=', automationId)
          .where('older.created_at', '<=', since - MARGIN_MS)
          .orderBy('older.seq', 'desc')
          .limit(1),
        eb.lit(0),
      ),
    ),
  ]);

interface RunFilter {
  workspaceId: string;
  automationId: string;
  status?: RunStatus | undefined;
  eventId?: string | undefined;
  /** Milliseconds. */
  since?: number | undefined;
}

/** Runs of an automation, newest first. */
export async function listRuns(
  db: Db,
  { workspaceId, automationId, status, eventId, since }: RunFilter,
  { after, limit }: PageRequest,
): Promise<FoundRows<RunRow>> {
  let list = db.selectFrom('automation_runs').where('automation_id', '=', automationId);
  if (after !== null) list = list.where('seq', '<', Number(after));
  const hasIndex = status === undefined && eventId === undefined;
  const resume = hasIndex ? null : await lastLookedAt(list);
  let query = list.selectAll().where('workspace_id', '=', workspaceId);
  if (resume !== null) query = query.where('seq', '>=', resume);
  if (status !== undefined) query = query.where('status', '=', status);
  if (eventId !== undefined) query = query.where('event_id', '=', eventId);
  if (since !== undefined) query = query.where((eb) => startedAfter(eb, automationId, since));
  const rows = await query.orderBy('seq', 'desc').limit(limit).execute();
  return { rows, resume: rows.length < limit ? resume : null };
}

/** The start of a run, and its state. */
export type RecentRun = Pick<RunRow, 'created_at' | 'status'>;

const RECENT = 10;

/** The last runs of an automation, newest first. */
export function recentRuns(
  db: Db,
  { id, workspace_id: workspaceId }: Pick<AutomationRow, 'id' | 'workspace_id'>,
): Promise<RecentRun[]> {
  return db
    .selectFrom('automation_runs')
    .select(['created_at', 'status'])
    .where('automation_id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .orderBy('seq', 'desc')
    .limit(RECENT)
    .execute();
}

/** Counts the runs since a time, without those that were skipped, up to `limit`. */
export async function countRunsSince(
  db: Db,
  { id, workspace_id: workspaceId }: Pick<AutomationRow, 'id' | 'workspace_id'>,
  { since, limit }: { since: number; limit: number },
): Promise<number> {
  const recent = db
    .selectFrom('automation_runs')
    .select('created_at')
    .where('automation_id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('status', '<>', 'skipped')
    .where((eb) => startedAfter(eb, id, since))
    .orderBy('seq', 'desc')
    .limit(limit)
    .as('recent');
  const { count } = await db
    .selectFrom(recent)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The oldest queued run with a concurrency key: it goes next. */
export async function nextOfKey(
  db: Db,
  { automation_id: automationId, concurrency }: Pick<RunRow, 'automation_id' | 'concurrency'>,
): Promise<Pick<RunRow, 'seq' | 'id'> | undefined> {
  return db
    .selectFrom('automation_runs')
    .select(['seq', 'id'])
    .where('automation_id', '=', automationId)
    .where('concurrency', '=', concurrency)
    .where('completed_at', 'is', null)
    .where('status', '=', 'queued')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
}

/** Reports whether a run with a concurrency key is under way. It need not be the oldest open one: an older one may have been reopened. */
export async function hasBegunOfKey(
  db: Db,
  { automation_id: automationId, concurrency }: Pick<RunRow, 'automation_id' | 'concurrency'>,
): Promise<boolean> {
  const found = await db
    .selectFrom('automation_runs')
    .select('seq')
    .where('automation_id', '=', automationId)
    .where('concurrency', '=', concurrency)
    .where('completed_at', 'is', null)
    .where('status', '<>', 'queued')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The parts of a run that change while it is open. */
export type RunChanges = Partial<
  Pick<RunRow, 'status' | 'error' | 'started_at' | 'resume_at' | 'completed_at'>
>;

const CHANGING = ['status', 'error', 'started_at', 'resume_at', 'completed_at'] as const;

const updateOpen = preparedChange<{ seq: number } & RunChanges>((db, p, given) =>
  db
    .updateTable('automation_runs')
    .set(Object.fromEntries(CHANGING.filter(given).map((name) => [name, p(name)])))
    .where('seq', '=', p('seq'))
    .where('completed_at', 'is', null),
);

/** Changes a run that has not ended; `false` if it has, because somebody cancelled it. */
export const updateOpenRun = async (
  tx: Tx,
  { seq }: Pick<RunRow, 'seq'>,
  changes: RunChanges,
): Promise<boolean> => (await updateOpen(tx, { seq, ...changes })).rows > 0;

/** Reopens a run that has failed or was cancelled, at the step that was not done. */
export async function reopenRun(tx: Tx, { seq }: Pick<RunRow, 'seq'>): Promise<boolean> {
  const result = await tx
    .updateTable('automation_runs')
    .set({ status: 'queued', error: null, completed_at: null, resume_at: null })
    .where('seq', '=', seq)
    .where('status', 'in', ['failed', 'cancelled'])
    .executeTakeFirst();
  if (Number(result.numUpdatedRows) === 0) return false;
  await tx
    .deleteFrom('automation_steps')
    .where('run', '=', seq)
    .where((eb) => eb.or([eb('status', 'in', ['waiting', 'retrying']), isLastFailed(seq)]))
    .execute();
  return true;
}

// The run continued after a step that failed with `on_error: continue`: only the last failed step ended it.
const isLastFailed = (seq: number) => sql<boolean>`(
  status = 'failed' and "position" = (select max("position") from automation_steps where run = ${seq})
)`;

const ofRun = prepared<{ seq: number }, StepRow>((db, p) =>
  db.selectFrom('automation_steps').selectAll().where('run', '=', p('seq')).orderBy('position'),
);

export const listSteps = (db: Db, { seq }: Pick<RunRow, 'seq'>): Awaitable<StepRow[]> => ofRun(db, { seq });

const putOpen = preparedChange<StepRow>((db, p) => {
  const state = {
    status: p('status'),
    attempt: p('attempt'),
    started_at: p('started_at'),
    due_at: p('due_at'),
    completed_at: p('completed_at'),
    request: p('request'),
    response: p('response'),
    output: p('output'),
    error: p('error'),
  };
  return db
    .insertInto('automation_steps')
    .values({ run: p('run'), position: p('position'), ...state })
    .onConflict((conflict) =>
      conflict
        .columns(['run', 'position'])
        .doUpdateSet(state)
        .where('automation_steps.status', 'in', ['waiting', 'retrying']),
    );
});

/** Moves the ends of waits with the jobs of this kind that wait for them, which are named after their runs. */
export async function moveWaits(tx: Tx, kind: string, { now, since, ms }: SetBack): Promise<void> {
  const waiting = tx
    .selectFrom('jobs')
    .select('key')
    .where('kind', '=', kind)
    .where('failed_at', 'is', null)
    .where('lease_owner', 'is', null)
    .where('due_at', '>', now);
  await tx
    .updateTable('automation_steps')
    .set((eb) => ({ due_at: eb('due_at', '+', ms) }))
    .where('run', 'in', (eb) => eb.selectFrom('automation_runs').select('seq').where('id', 'in', waiting))
    .where('status', 'in', ['waiting', 'retrying'])
    .where('due_at', '>', now)
    .where((eb) => eb.or([eb('started_at', '<', since), eb('started_at', '>', now)]))
    .execute();
  await tx
    .updateTable('automation_runs')
    .set((eb) => ({
      resume_at: eb
        .selectFrom('automation_steps')
        .select('automation_steps.due_at')
        .whereRef('run', '=', 'automation_runs.seq')
        .where('automation_steps.status', 'in', ['waiting', 'retrying'])
        .orderBy('position', 'desc')
        .limit(1),
    }))
    .where('id', 'in', waiting)
    .where('resume_at', '>', now)
    .execute();
}

/** Stores the progress of a step; `false` if it was done already, which changes nothing. */
export const putStep = async (tx: Tx, row: StepRow): Promise<boolean> => (await putOpen(tx, row)).rows > 0;
