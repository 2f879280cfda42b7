import { chaos } from '#chaos';
import { LIMITS } from '@hubline/contract';
import type { WorkContext } from '../../../context.ts';
import { findRun, putStep, type RunRow, type StepRow, updateOpenRun } from '../../../db/automations/runs.ts';
import type { Tx } from '../../../db/core/schema.ts';
import type { JobRun } from '../../../jobs/job-kind.ts';
import type { Action, ActionOutcome } from '../actions/action.ts';
import { continueRun } from '../triggers/start.ts';
import { kept } from './kept.ts';
import { fireCompleted, lockConcurrencyKey } from './run-end.ts';

/** The number of retries of an action that does not set `retries`. They have the delays of deliveries. */
const RETRIES = 2;
const ERROR_MAX = 500;

/** The columns of a run that is under way. */
export const begun = (work: WorkContext, run: RunRow) => ({
  status: 'running' as const,
  started_at: run.started_at ?? work.now.getTime(),
  resume_at: null,
});

/** A run that is under way. */
interface Plan {
  job: JobRun;
  run: RunRow;
  name: string;
  /** The step under way is the last: its end is that of the run. */
  isLast: boolean;
}

interface EndedStep extends Plan {
  action: Exclude<Action, { type: 'wait' }>;
  row: StepRow;
  outcome: ActionOutcome;
}

/**
 * Stores the end of an attempt, and after the last step that of the run. Returns the delay before the next step or attempt, or
 * `null` at the end. Throws `TakenOver`, like the other functions here.
 */
export async function storeOutcome(work: WorkContext, ended: EndedStep): Promise<number | null> {
  const { run, action, row, outcome, isLast } = ended;
  const now = work.clock().getTime();
  const { retries = RETRIES } = action;
  const again =
    !outcome.ok && outcome.retryAfterMs !== null && row.attempt <= retries
      ? delayAfter(row.attempt, outcome.retryAfterMs)
      : null;
  const ends = !outcome.ok && again === null && action.on_error !== 'continue';
  const error = outcome.ok ? null : outcome.error.slice(0, ERROR_MAX).toWellFormed().replaceAll('\0', '');
  const isOver = ends || (isLast && again === null);
  const store = async (tx: Tx) => {
    if (isOver) await lockConcurrencyKey(tx, run);
    await outcome.commit?.(tx);
    const stored = await putStep(tx, {
      ...row,
      ...(again === null
        ? { status: outcome.ok ? 'succeeded' : 'failed', completed_at: now }
        : { status: 'retrying', due_at: now + again, completed_at: null }),
      response: kept(outcome.response),
      output: outcome.ok ? JSON.stringify(outcome.output) : null,
      error,
    });
    if (!stored) throw new TakenOver();
    if (again !== null) await storeWait(tx, work, { ...ended, until: now + again });
    else if (ends)
      await finishAll(tx, work, { ...ended, error: `${action.id ?? `a${row.position + 1}`}: ${error}` });
    else if (isLast) await finishAll(tx, work, { ...ended, error: null });
    else await updateOpenRun(tx, run, begun(work, run));
  };
  await work.write(store);
  chaos.reach('automation.recorded');
  return isOver ? null : (again ?? 0);
}

/** The delays are those of deliveries; a longer `Retry-After` is honored, up to its limit. */
const delayAfter = (attempt: number, askedMs: number): number =>
  Math.min(LIMITS.retryAfterMaxMs, Math.max(askedMs, LIMITS.retryDelaysMs[attempt] ?? 0));

/** Another process has taken the run over: nothing of this step is stored here. */
export class TakenOver extends Error {}

/** Stores a step without effects outside the database. Returns `null` after the last step. */
export async function record(work: WorkContext, plan: Plan, row: StepRow): Promise<number | null> {
  const { run, isLast } = plan;
  const until = row.status === 'waiting' ? row.due_at : null;
  const ends = isLast && until === null;
  await work.write(async (tx) => {
    if (ends) await lockConcurrencyKey(tx, plan.run);
    if (!(await putStep(tx, row))) throw new TakenOver();
    if (ends) await finishAll(tx, work, { ...plan, error: null });
    else if (until !== null) await storeWait(tx, work, { ...plan, until });
    else await updateOpenRun(tx, run, begun(work, run));
  });
  chaos.reach('automation.recorded');
  return ends ? null : 0;
}

/** Stores that a run waits, and its job with it: if the clock were set between the two, they would continue at different times. */
async function storeWait(
  tx: Tx,
  work: WorkContext,
  { job, run, until }: Plan & { until: number },
): Promise<void> {
  await updateOpenRun(tx, run, { ...begun(work, run), status: 'waiting', resume_at: until });
  if (!(await job.putOff(tx, until - work.clock().getTime()))) throw new TakenOver();
}

/** Ends a run whose steps are done. */
export async function end(work: WorkContext, plan: Plan): Promise<null> {
  await work.write(async (tx) => {
    await lockConcurrencyKey(tx, plan.run);
    await finishAll(tx, work, { ...plan, error: null });
  });
  return null;
}

/**
 * Ends a run and its job, in the transaction of its last step. `error`: the reason why the run failed; `null` if it did
 * not.
 */
async function finishAll(
  tx: Tx,
  work: WorkContext,
  { job, run, name, error }: Plan & Pick<Ending, 'error'>,
): Promise<void> {
  const isEnd = await finish(tx, work, { run, name, error });
  if (!(await job.finish(tx))) throw new TakenOver();
  if (!isEnd) await continueIfReopened(tx, work, run);
}

/** Ends the job of a run that is over. */
export async function endJob(work: WorkContext, job: JobRun, run: RunRow): Promise<null> {
  await work.write(async (tx) => {
    if (!(await job.finish(tx))) throw new TakenOver();
    await continueIfReopened(tx, work, run);
  });
  return null;
}

/** Continues a run that was cancelled and is retried: the retry has found the job that this transaction ends, and added no other. */
async function continueIfReopened(tx: Tx, work: WorkContext, { workspace_id, id }: RunRow): Promise<void> {
  const run = await findRun(tx, workspace_id, id);
  if (run?.completed_at === null) await continueRun(tx, work, run);
}

interface Ending {
  run: RunRow;
  name: string;
  /** The reason why the run failed; `null` if it did not. */
  error: string | null;
}

/** Ends a run, fires `automation.completed`, and lets the next one with its concurrency key begin; `false` if it was cancelled before. */
export async function finish(tx: Tx, work: WorkContext, { run, name, error }: Ending): Promise<boolean> {
  const status = error === null ? 'succeeded' : 'failed';
  const { started_at } = begun(work, run);
  const completed = {
    status,
    error,
    started_at,
    completed_at: work.clock().getTime(),
    resume_at: null,
  } as const;
  const isEnd = await updateOpenRun(tx, run, completed);
  if (isEnd) await fireCompleted(tx, work, { run, name, status });
  return isEnd;
}
