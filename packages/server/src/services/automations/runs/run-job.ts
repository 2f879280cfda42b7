import { setImmediate as nextTurn } from 'node:timers/promises';
import { chaos } from '#chaos';
import type { Deps, WorkContext } from '../../../context.ts';
import { findAutomation, findVersion } from '../../../db/automations/automations.ts';
import {
  findRun,
  firstOfKey,
  listSteps,
  putStep,
  type RunRow,
  type StepRow,
  updateOpenRun,
} from '../../../db/automations/runs.ts';
import type { Tx } from '../../../db/core/schema.ts';
import { findEvent } from '../../../db/events/events.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import { compileConditions } from '../../../domain/conditions/conditions.ts';
import { stepNames } from '../../../domain/value-names.ts';
import { plainScope, type Scope } from '../../../domain/conditions/scope.ts';
import { OVER_BUDGET } from '../../../domain/conditions/work-budget.ts';
import { parseExact } from '../../../domain/json/exact-number.ts';
import { StorageUnavailable } from '../../../domain/faults/storage-unavailable.ts';
import { type Again, defineJob, type JobRun } from '../../../jobs/job-kind.ts';
import { scopeOf } from '../../events/event-scope.ts';
import { workContext } from '../../../work-context.ts';
import type { Action, Outcome, StepWork } from '../actions/action.ts';
import { actionsOf } from '../actions/actions-of.ts';
import { kindOf } from '../actions/index.ts';
import { kept } from './kept.ts';
import { Shares } from './shares.ts';
import { tellEnd } from './run-end.ts';
import { runJobName } from '../triggers/start.ts';

// Each may wait ten seconds for somebody who does not answer.
const CONCURRENCY = 32;
// Most runs take milliseconds. Those of receivers that hang are put off.
const AHEAD = 128;
// The end of the run before wakes the next: this is for a process that died in between.
const TURN_MS = 30_000;
/** Between the tries of a step; a longer `Retry-After` is honored, up to an hour. */
const RETRY_DELAYS_MS = [5_000, 25_000, 120_000, 600_000];
const RETRY_AFTER_MAX_MS = 60 * 60_000;
const RETRIES = 2;
const ERROR_MAX = 500;
/** A step that takes longer shows its run as running. */
const SHOWN_AFTER_MS = 500;
const DONE: ReadonlySet<string> = new Set(['succeeded', 'failed', 'skipped']);

const shares = new Shares({ most: 24, whileSlow: 8 });

/**
 * Takes a run from step to step. What is done is a row before the next step begins: a process that dies repeats no finished step
 * and loses none. The action that was under way is done again, with the same key.
 */
export const automationRunJob = defineJob({
  ...runJobName,
  concurrency: CONCURRENCY,
  ahead: AHEAD,
  async run(deps, { workspace_id: workspaceId, run_id: id }, job): Promise<Again | void> {
    const now = deps.clock().getTime();
    const later = await shares.enter(workspaceId, now);
    // One workspace whose receivers hang must not keep all others waiting.
    if (later !== null) return { againInMs: later };
    try {
      for (;;) {
        const inMs = await advance(deps, job, { workspaceId, id });
        if (inMs === null) return;
        if (inMs > 0 || job.signal.aborted) return { againInMs: inMs };
        // Each step may use a whole budget: between them, others are served.
        await nextTurn();
      }
    } finally {
      shares.release(workspaceId, now);
    }
  },
  async failed(tx, work, { payload, reason }) {
    const run = await findRun(tx, payload.workspace_id, payload.run_id);
    if (run) await finish(tx, work, { run, name: '', error: reason });
  },
});

/** Makes one step; in how many milliseconds to go on, or `null` when the run is over. */
async function advance(
  deps: Deps,
  job: JobRun,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<number | null> {
  const work = workContext(deps);
  const run = await findRun(deps.store.read, workspaceId, id);
  // Over, cancelled, or deleted with its automation.
  if (!run || run.completed_at !== null) return null;
  const automation = await findAutomation(deps.store.read, workspaceId, run.automation_id);
  const version = await findVersion(deps.store.read, run);
  if (!automation || !version) return null;
  if (run.status === 'queued' && run.concurrency !== null && !(await begin(work, job, run))) return null;

  // A run that never began has none.
  const steps = run.started_at === null ? [] : await listSteps(deps.store.read, run);
  const actions = actionsOf(version);
  const position = actions.findIndex((_, at) => !DONE.has(steps[at]?.status ?? ''));
  const action = actions[position];
  const named = { id: automation.id, name: version.name, secret: automation.secret };
  const plan = { job, run, name: version.name, isLast: position === actions.length - 1 };
  if (!action) return end(work, plan);
  const step = steps[position];
  const now = work.now.getTime();
  if (step?.due_at && step.due_at > now) return step.due_at - now;

  const scope = await scopeFor(deps, run, { automation: named, actions, steps });
  const stepId = action.id ?? `a${position + 1}`;
  const row: StepRow = {
    run: run.seq,
    position,
    status: 'succeeded',
    attempt: step?.attempt ?? 0,
    started_at: step?.started_at ?? now,
    due_at: null,
    completed_at: now,
    request: null,
    response: null,
    output: null,
    error: null,
  };
  if (!step && action.if && !holds(action.if, scope)) {
    const error = scope.budget.exceeded > 0 ? `if: ${OVER_BUDGET}` : null;
    return record(work, plan, { ...row, status: 'skipped', error });
  }
  if (action.type === 'wait') {
    if (step) return record(work, plan, row);
    const due = now + action.seconds * 1_000;
    await record(work, plan, { ...row, status: 'waiting', due_at: due, completed_at: null });
    return action.seconds * 1_000;
  }
  const attempt = row.attempt + 1;
  const stepWork: StepWork = {
    work,
    run,
    automation: named,
    answers: version.answers,
    values: scope.values,
    key: `${run.id}.${stepId}`,
    attempt,
    // After a crash the job knows it, and after `retryRun` the run.
    again: step !== undefined || job.attempt > 1 || (run.status === 'queued' && run.started_at !== null),
  };
  const { request, outcome } = await showing(work, run, perform(action, stepWork));
  chaos.reach('automation.acted');
  const done = { ...row, attempt, started_at: now, request: kept(request) };
  return settle(work, { ...plan, action, row: done, outcome });
}

/** Begins a run with a concurrency key; `false` while another with that key goes first, whose end wakes this one. */
async function begin(work: WorkContext, job: JobRun, run: RunRow): Promise<boolean> {
  return work.store.write(async (tx) => {
    await lockWorkspace(tx, run.workspace_id);
    if ((await firstOfKey(tx, run))?.seq === run.seq) return updateOpenRun(tx, run, begun(work, run));
    await job.putOff(tx, TURN_MS);
    return false;
  });
}

const begun = (work: WorkContext, run: RunRow) => ({
  status: 'running' as const,
  started_at: run.started_at ?? work.now.getTime(),
  resume_at: null,
});

/** Shows that a run has begun while its first step takes long. A short one is stored with the end of the step. */
async function showing<Result>(work: WorkContext, run: RunRow, acting: Promise<Result>): Promise<Result> {
  if (run.status === 'running') return acting;
  let shown: Promise<unknown> = Promise.resolve();
  const timer = setTimeout(() => {
    shown = work.store
      .write((tx) => updateOpenRun(tx, run, begun(work, run)))
      .catch((error: unknown) => {
        work.log.warn({ err: error, run_id: run.id }, 'the beginning of a run could not be shown');
      });
  }, SHOWN_AFTER_MS);
  try {
    return await acting;
  } finally {
    clearTimeout(timer);
    // Before the end of the step is stored.
    await shown;
  }
}

async function perform(action: Exclude<Action, { type: 'wait' }>, step: StepWork) {
  const kind = kindOf(action);
  try {
    const rendered = await kind.render(action, {
      ...step,
      read: step.work.store.read,
      providers: step.work.providers,
    });
    if (!rendered.ok) return { request: null, outcome: failure(rendered.error) };
    const { request } = rendered;
    return { request, outcome: await kind.perform(request, step, action) };
  } catch (error) {
    if (error instanceof StorageUnavailable) throw error;
    step.work.log.error({ err: error, run_id: step.run.id }, 'a step of an automation failed on this side');
    return {
      request: null,
      outcome: failure('the step failed on the side of this server; the log says why'),
    };
  }
}

const failure = (error: string): Outcome => ({ ok: false, error, response: null, retryAfterMs: null });

/** A run on its way. */
interface Plan {
  job: JobRun;
  run: RunRow;
  name: string;
  /** The step under way is the last: its end is that of the run. */
  isLast: boolean;
}

interface Settling extends Plan {
  action: Exclude<Action, { type: 'wait' }>;
  row: StepRow;
  outcome: Outcome;
}

/** Stores the end of a try, and with the last one that of the run. */
async function settle(work: WorkContext, settling: Settling): Promise<number | null> {
  const { run, action, row, outcome, isLast } = settling;
  const now = work.clock().getTime();
  const { retries = RETRIES } = action;
  const again =
    !outcome.ok && outcome.retryAfterMs !== null && row.attempt <= retries
      ? Math.min(RETRY_AFTER_MAX_MS, Math.max(outcome.retryAfterMs, RETRY_DELAYS_MS[row.attempt - 1] ?? 0))
      : null;
  const ends = !outcome.ok && again === null && action.on_error !== 'continue';
  const error = outcome.ok ? null : outcome.error.slice(0, ERROR_MAX).toWellFormed().replaceAll('\0', '');
  const store = async (tx: Tx) => {
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
    if (!stored) throw new AlreadyDone();
    const started = begun(work, run);
    if (again !== null)
      await updateOpenRun(tx, run, { ...started, status: 'waiting', resume_at: now + again });
    else if (ends)
      await finishAll(tx, work, { ...settling, error: `${action.id ?? `a${row.position + 1}`}: ${error}` });
    else if (isLast) await finishAll(tx, work, { ...settling, error: null });
    else await updateOpenRun(tx, run, started);
  };
  await work.write(store).catch((failed: unknown) => {
    if (!(failed instanceof AlreadyDone)) throw failed;
  });
  chaos.reach('automation.recorded');
  return ends || (isLast && again === null) ? null : (again ?? 0);
}

/** Another process has made the step: of this one's work nothing is stored. */
class AlreadyDone extends Error {}

/** Stores a step that does nothing outside, and goes on; `null` after the last. */
async function record(work: WorkContext, plan: Plan, row: StepRow): Promise<number | null> {
  const { run, isLast } = plan;
  const waits = row.status === 'waiting';
  const ends = isLast && !waits;
  await work.write(async (tx) => {
    await putStep(tx, row);
    const started = begun(work, run);
    if (ends) await finishAll(tx, work, { ...plan, error: null });
    else
      await updateOpenRun(
        tx,
        run,
        waits ? { ...started, status: 'waiting', resume_at: row.due_at } : started,
      );
  });
  chaos.reach('automation.recorded');
  return ends ? null : 0;
}

/** Ends a run whose steps are done. */
async function end(work: WorkContext, plan: Plan): Promise<null> {
  await work.write((tx) => finishAll(tx, work, { ...plan, error: null }));
  return null;
}

/** Ends a run and its job, in the transaction of its last step. `error`: why it failed; `null`: it did not. */
async function finishAll(
  tx: Tx,
  work: WorkContext,
  { job, run, name, error }: Plan & Pick<Ending, 'error'>,
): Promise<void> {
  await finish(tx, work, { run, name, error });
  if (!(await job.finish(tx))) throw new AlreadyDone();
}

interface Ending {
  run: RunRow;
  name: string;
  /** Why it failed; `null`: it did not. */
  error: string | null;
}

/** Ends a run, tells webhooks, and lets the next one with its concurrency key begin. */
async function finish(tx: Tx, work: WorkContext, { run, name, error }: Ending): Promise<void> {
  const status = error === null ? 'succeeded' : 'failed';
  const { started_at } = begun(work, run);
  const completed = {
    status,
    error,
    started_at,
    completed_at: work.clock().getTime(),
    resume_at: null,
  } as const;
  if (await updateOpenRun(tx, run, completed)) await tellEnd(tx, work, { run, name, status });
}

function holds(condition: NonNullable<Action['if']>, scope: Scope): boolean {
  const compiled = compileConditions(condition, { field: 'if', names: stepNames([]), isStored: true });
  return compiled.ok && compiled.conditions.matches(scope);
}

interface Past {
  automation: { id: string; name: string };
  actions: readonly Action[];
  steps: readonly StepRow[];
}

/** The values that a step may name: what happened, and what earlier steps brought. */
async function scopeFor(deps: Deps, run: RunRow, { automation, actions, steps }: Past): Promise<Scope> {
  const event =
    run.event_id === null ? undefined : await findEvent(deps.store.read, run.workspace_id, run.event_id);
  const data = run.data === null ? {} : (parseExact(run.data) as Record<string, unknown>);
  const scope = event ? await scopeOf(deps, event) : plainScope(run.trigger, data);
  const past = steps.map(({ status, output, error }, at) => [
    actions[at]?.id ?? `a${at + 1}`,
    { status, output: output === null ? null : parseExact(output), error },
  ]);
  const values = {
    ...scope.values,
    automation: { id: automation.id, name: automation.name },
    run: { id: run.id, trigger: run.trigger, created_at: new Date(run.created_at).toISOString() },
    steps: Object.fromEntries(past) as Record<string, unknown>,
  };
  return { ...scope, values };
}
