import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { AutomationRow } from './automations.ts';
import type { PageRequest } from '../core/paging.ts';
import type { Database, Db, RunStatus, Tx } from '../core/schema.ts';

export type RunRow = Selectable<Database['automation_runs']>;
export type NewRun = Omit<RunRow, 'seq'>;
export type StepRow = Selectable<Database['automation_steps']>;

/** Adds a run; `false` if one was started for the same event or time before. */
export async function insertRun(tx: Tx, row: NewRun): Promise<boolean> {
  const result = await tx
    .insertInto('automation_runs')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0;
}

export function findRun(db: Db, workspaceId: string, id: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('automation_runs')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
}

// Between the order of runs and that of their times.
const MARGIN_MS = 60_000;

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
): Promise<RunRow[]> {
  let query = db
    .selectFrom('automation_runs')
    .selectAll()
    .where('automation_id', '=', automationId)
    .where('workspace_id', '=', workspaceId);
  if (after !== null) query = query.where('seq', '<', Number(after));
  if (status !== undefined) query = query.where('status', '=', status);
  if (eventId !== undefined) query = query.where('event_id', '=', eventId);
  if (since !== undefined) {
    // From the newest back to the first that is certainly older: those before it are not looked at.
    query = query.where('created_at', '>', since).where((eb) =>
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
    );
  }
  return query.orderBy('seq', 'desc').limit(limit).execute();
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

/** How many of the last `limit` runs that were not skipped are younger than a time. */
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
    .where('created_at', '>', since)
    .orderBy('seq', 'desc')
    .limit(limit)
    .as('recent');
  const { count } = await db
    .selectFrom(recent)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The oldest open run with a concurrency key: it goes first. */
export async function firstOfKey(
  db: Db,
  { automation_id: automationId, concurrency }: Pick<RunRow, 'automation_id' | 'concurrency'>,
): Promise<Pick<RunRow, 'seq' | 'id'> | undefined> {
  return db
    .selectFrom('automation_runs')
    .select(['seq', 'id'])
    .where('automation_id', '=', automationId)
    .where('concurrency', '=', concurrency)
    .where('completed_at', 'is', null)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
}

/** Changes a run that has not ended; `false` if it has, because somebody cancelled it. */
export async function updateOpenRun(
  tx: Tx,
  { seq }: Pick<RunRow, 'seq'>,
  changes: Updateable<Database['automation_runs']>,
): Promise<boolean> {
  const result = await tx
    .updateTable('automation_runs')
    .set(changes)
    .where('seq', '=', seq)
    .where('completed_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

/** Opens a run that has failed or was cancelled, at the step that was not done. */
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

// A step that failed with `on_error: continue` was passed: only the last one ended the run.
const isLastFailed = (seq: number) => sql<boolean>`(
  status = 'failed' and "position" = (select max("position") from automation_steps where run = ${seq})
)`;

export async function listSteps(db: Db, { seq }: Pick<RunRow, 'seq'>): Promise<StepRow[]> {
  return db.selectFrom('automation_steps').selectAll().where('run', '=', seq).orderBy('position').execute();
}

/** Stores how far a step is. One that is done stays as it is: `false`. */
export async function putStep(tx: Tx, row: Insertable<Database['automation_steps']>): Promise<boolean> {
  const result = await tx
    .insertInto('automation_steps')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['run', 'position'])
        .doUpdateSet(row)
        .where('automation_steps.status', 'in', ['waiting', 'retrying']),
    )
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) > 0;
}
