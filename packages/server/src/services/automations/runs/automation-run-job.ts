import { LIMITS } from '@hubline/contract';
import { chaos } from '#chaos';
import { nextTurn } from '../../../clock/timer.ts';
import type { Deps, WorkContext } from '../../../context.ts';
import { findAutomation, findVersion } from '../../../db/automations/automations.ts';
import {
  findRun,
  hasBegunOfKey,
  listSteps,
  moveWaits,
  nextOfKey,
  type RunRow,
  type StepRow,
  updateOpenRun,
} from '../../../db/automations/runs.ts';
import { findEvent } from '../../../db/events/events.ts';
import { isLive } from '../../../db/workspaces/live-workspace.ts';
import { lockWorkspace } from '../../../db/workspaces/workspaces.ts';
import { compileConditions } from '../../../domain/conditions/conditions.ts';
import { plainScope, type Scope } from '../../../domain/conditions/scope.ts';
import { OVER_BUDGET } from '../../../domain/conditions/work-budget.ts';
import { StorageUnavailable } from '../../../domain/faults/storage-unavailable.ts';
import { parseExact } from '../../../domain/json/numbers/exact-number.ts';
import { stepNames } from '../../../domain/value-names.ts';
import { type RunAgain, defineJob, type JobRun } from '../../../jobs/job-kind.ts';
import { workContext } from '../../../work-context.ts';
import { scopeOf } from '../../events/event-scope.ts';
import type { Action, ActionOutcome, StepWork } from '../actions/action.ts';
import { actionsOf } from '../actions/actions-of.ts';
import { kindOf } from '../actions/index.ts';
import { automationRun } from '../triggers/automation-run.ts';
import { kept } from './kept.ts';
import { Shares } from './shares.ts';
import { begun, end, endJob, finish, record, storeOutcome, TakenOver } from './store-step.ts';

// Each may wait ten seconds for a receiver that does not respond.
const CONCURRENCY = 32;
// Most runs take milliseconds. Runs with hanging receivers are put off.
const PREFETCH = 128;
// A run that ends makes the job of the next run with its concurrency key due. In case that is missed, each waiting run checks by itself:
// the next one often, and the others, of which there may be ten thousand, seldom.
const CHECK_AGAIN_MS = { next: 30_000, behind: 60 * 60_000 };
/** A step that takes longer shows its run as running. */
const SHOWN_AFTER_MS = 500;
const DONE: ReadonlySet<string> = new Set(['succeeded', 'failed', 'skipped']);

/**
 * Takes a run from step to step. Each step is stored before the next begins: after a crash, no finished step is
 * repeated or lost. The action that was under way is performed again, with the same key.
 */
export const automationRunJob = (monotonic?: () => number) => {
  const shares = new Shares({ most: 24, whileSlow: 8 }, monotonic);
  return defineJob({
    ...automationRun,
    concurrency: CONCURRENCY,
    prefetch: PREFETCH,
    async run(deps, { workspace_id: workspaceId, run_id: id }, job): Promise<RunAgain | void> {
      const taken = await shares.enter(workspaceId);
      // One workspace with hanging receivers must not keep all others waiting.
      if (typeof taken === 'number') return { againInMs: taken };
      try {
        for (;;) {
          const inMs = await advance(deps, job, { workspaceId, id });
          if (inMs === null) return;
          if (inMs > 0 || job.signal.aborted) return { againInMs: inMs };
          // Each step may use a whole budget: between them, others are served.
          await nextTurn();
        }
      } catch (error) {
        // If this process still has the job, it reads in a moment how far the other one came.
        if (error instanceof TakenOver) return { againInMs: 0 };
        throw error;
      } finally {
        taken.release();
      }
    },
    moveTimes: (tx, setBack) => moveWaits(tx, automationRun.name, setBack),
    beforeFailed: (tx, { workspace_id: workspaceId }) => lockWorkspace(tx, workspaceId),
    async failed(tx, work, { payload, reason }) {
      const run = await findRun(tx, payload.workspace_id, payload.run_id);
      if (run) await finish(tx, work, { run, name: '', error: reason });
    },
  });
};

/** Takes one step. Returns the delay before the next, in milliseconds, or `null` when the run is over. */
async function advance(
  deps: Deps,
  job: JobRun,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<number | null> {
  const work = workContext(deps);
  const run = await findRun(deps.store.read, workspaceId, id);
  // Deleted with its automation.
  if (!run) return null;
  // Over, or cancelled.
  if (run.completed_at !== null) return endJob(work, job, run);
  if (!(await isLive(deps.store.read, workspaceId))) return null;
  const automation = await findAutomation(deps.store.read, workspaceId, run.automation_id);
  const version = await findVersion(deps.store.read, run);
  if (!automation || !version) return null;
  if (run.status === 'queued' && run.concurrency !== null && !(await begin(work, job, run))) return null;

  // A run that has not started has no steps.
  const steps = run.started_at === null ? [] : await listSteps(deps.store.read, run);
  const actions = actionsOf(version);
  const position = actions.findIndex((_, at) => !DONE.has(steps[at]?.status ?? ''));
  const action = actions[position];
  const named = { id: automation.id, name: version.name, secret: automation.secret };
  const plan = { job, run, name: version.name, isLast: position === actions.length - 1 };
  if (!action) return end(work, plan);
  const step = steps[position];
  const now = work.now.getTime();
  const waitMs = (step?.due_at ?? 0) - now;
  // A step that would wait longer than it may was stored by a clock that was ahead: then its job knows better.
  const longestMs = action.type === 'wait' ? action.seconds * 1_000 : LIMITS.retryAfterMaxMs;
  if (waitMs > 0 && waitMs <= longestMs) return waitMs;

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
    responsibleUserId: version.responsible_user_id,
    values: scope.values,
    key: `${run.id}.${stepId}`,
    attempt,
    // After a crash, the job counts more than one attempt; after `retryRun`, the run does.
    again: step !== undefined || job.attempt > 1 || (run.status === 'queued' && run.started_at !== null),
  };
  const { request, outcome } = await showing(work, run, perform(action, stepWork));
  chaos.reach('automation.acted');
  const done = { ...row, attempt, started_at: now, request: kept(request) };
  return storeOutcome(work, { ...plan, action, row: done, outcome });
}

/**
 * Begins a run with a concurrency key; `false` while another with that key goes first. The end of that one wakes this
 * one.
 */
async function begin(work: WorkContext, job: JobRun, run: RunRow): Promise<boolean> {
  return work.store.write(async (tx) => {
    await lockWorkspace(tx, run.workspace_id);
    const next = await nextOfKey(tx, run);
    const isBehind = next !== undefined && next.seq < run.seq;
    const mayBegin = !isBehind && !(await hasBegunOfKey(tx, run));
    if (!mayBegin) await job.putOff(tx, isBehind ? CHECK_AGAIN_MS.behind : CHECK_AGAIN_MS.next);
    // Otherwise it was cancelled in the meantime.
    else if (!(await updateOpenRun(tx, run, begun(work, run)))) throw new TakenOver();
    return mayBegin;
  });
}

/**
 * Shows a run as running if its first step takes long. For a short step, the beginning is stored with the end of the
 * step.
 */
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
    // The beginning has to be stored before the end of the step.
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
    step.work.log.error(
      { err: error, run_id: step.run.id },
      'a step of an automation failed because of an error in this server',
    );
    return {
      request: null,
      outcome: failure('the step failed because of an error in this server; its log says why'),
    };
  }
}

const failure = (error: string): ActionOutcome => ({ ok: false, error, response: null, retryAfterMs: null });

function holds(condition: NonNullable<Action['if']>, scope: Scope): boolean {
  const compiled = compileConditions(condition, { field: 'if', names: stepNames([]), isStored: true });
  return compiled.ok && compiled.conditions.matches(scope);
}

interface Past {
  automation: { id: string; name: string };
  actions: readonly Action[];
  steps: readonly StepRow[];
}

/** The values that a step may name: the cause of the run, and the results of earlier steps. */
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
