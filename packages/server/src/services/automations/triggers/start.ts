import { type AutomationTriggerName, LIMITS } from '@hubline/contract';
import type { WorkContext } from '../../../context.ts';
import { type AutomationRow, findAutomation, listStarts } from '../../../db/automations/automations.ts';
import { countRunsSince, insertRun, type NewRun } from '../../../db/automations/runs.ts';
import { type Awaitable, andThen } from '../../../db/core/awaitable.ts';
import type { Tx } from '../../../db/core/schema.ts';
import type { Scope } from '../../../domain/conditions/scope.ts';
import { OVER_BUDGET } from '../../../domain/conditions/work-budget.ts';
import { shareRenderBudget } from '../../../domain/templates/render-budget.ts';
import { renderTemplate } from '../../../domain/templates/template.ts';
import { enqueue, enqueueNew, promote } from '../../../jobs/enqueue.ts';
import { FIRST, type Lineage } from '../../../domain/events/lineage.ts';
import { shareOf } from './allowance.ts';
import { budgetOf, logExceeded } from '../../conditions.ts';
import type { ScopedOccurrence } from '../../fan-out/occurrence.ts';
import { automationRun } from './automation-run.ts';
import { type Start, startsOf } from './start-index.ts';

// If conditions take too much work, at most this many automations get a run that says so: ten thousand may wait for an
// event.
const EXCEEDED_SHOWN = 5;

/**
 * Starts the automations that wait for an occurrence, in its transaction: their runs are stored with it. An event that
 * starts none costs one lookup in a map.
 */
export function startAutomations(tx: Tx, context: WorkContext, occurrence: Cause): Awaitable<void> {
  const { workspaceId, trigger, event, scope } = occurrence;
  return andThen(listStarts(tx, workspaceId), (rows) => {
    const about = { trigger, type: event?.type, source: event?.source };
    const starts = startsOf(rows).about(about, () => scope().values);
    return starts.length === 0 ? undefined : startThose(tx, context, { occurrence, starts });
  });
}

/** An occurrence, and the automations that led to it. */
type Cause = ScopedOccurrence & { lineage?: Lineage | undefined };

/** Starts those of these automations whose conditions are met. */
async function startThose(
  tx: Tx,
  context: WorkContext,
  { occurrence, starts }: { occurrence: Cause; starts: readonly Start[] },
): Promise<void> {
  const { workspaceId, trigger, event, scope } = occurrence;
  const budget = budgetOf(context);
  const exceeded: string[] = [];
  const found: { automation: AutomationRow; met: boolean }[] = [];
  for (const start of starts) {
    const before = budget.exceeded;
    const met = meets(start, occurrence);
    const isExceeded = budget.exceeded > before;
    if (isExceeded) exceeded.push(start.id);
    if (!met && !(isExceeded && exceeded.length <= EXCEEDED_SHOWN)) continue;
    const automation = await findAutomation(tx, workspaceId, start.id);
    if (automation) found.push({ automation, met });
  }
  // Rendering concurrency keys uses the same budget: events that are published together share one.
  if (found.length > 0) shareRenderBudget(scope().values, budgetOf(context));
  const { depth, allowance } = occurrence.lineage ?? FIRST;
  const share = shareOf(
    allowance,
    found.filter(({ met }) => met).map(({ automation }) => automation),
  );
  for (const { automation, met } of found)
    await startRun(tx, context, {
      automation,
      trigger: trigger as AutomationTriggerName,
      onceKey: event?.id ?? null,
      eventId: event?.id ?? null,
      data: event ? null : occurrence.data,
      depth,
      allowance: share,
      scope: scope(),
      skip: met ? null : `conditions: ${OVER_BUDGET}`,
    });
  logExceeded(context, { workspace_id: workspaceId, trigger, event_id: event?.id ?? null }, exceeded);
}

function meets({ trigger, conditions }: Start, { event, scope }: ScopedOccurrence): boolean {
  const { sources, integration_ids: integrationIds } = trigger;
  if (sources && !(event && sources.includes(event.source))) return false;
  if (integrationIds && !(event?.integrationId && integrationIds.includes(event.integrationId))) return false;
  return conditions === null || conditions.matches(scope());
}

/** A run to start. */
interface NewStart {
  automation: AutomationRow;
  trigger: AutomationTriggerName;
  /** Identifies the cause, which starts a run only once. `null` if a person starts it, as often as they like. */
  onceKey: string | null;
  eventId: string | null;
  data: Record<string, unknown> | null;
  /** The number of automations that led to it. Default: none. */
  depth?: number;
  /**
   * The share of the allowance for each action that publishes an event. Default: the whole allowance, divided among
   * them.
   */
  allowance?: number;
  scope: Scope;
  /** The reason why the run is skipped. Default: `reasonToSkip` decides. */
  skip?: string | null;
}

/** Stores a run and the job that does it; `null` if it was started before. */
export const startRun = (tx: Tx, context: WorkContext, start: NewStart): Promise<NewRun | null> =>
  start.automation.throttle === null
    ? storeRun(tx, context, start)
    : inTurn(tx, start.automation.id, () => storeRun(tx, context, start));

/** The last start of each throttled automation that is under way in a transaction. */
const starting = new WeakMap<Tx, Map<string, Promise<unknown>>>();

/**
 * Starts the runs of a throttled automation one after another. Events of a batch, and of units that share a transaction, are stored side by
 * side, and each has to count the runs of those before it.
 */
function inTurn<Result>(tx: Tx, id: string, start: () => Promise<Result>): Promise<Result> {
  const last = starting.get(tx) ?? new Map<string, Promise<unknown>>();
  starting.set(tx, last);
  const turn = (last.get(id) ?? Promise.resolve()).then(start, start);
  last.set(id, turn);
  const leave = () => void (last.get(id) === turn && last.delete(id));
  turn.then(leave, leave);
  return turn;
}

async function storeRun(tx: Tx, context: WorkContext, start: NewStart): Promise<NewRun | null> {
  const { automation, scope } = start;
  const now = context.now.getTime();
  const skipped = start.skip ?? (await reasonToSkip(tx, start, now));
  const run: NewRun = {
    id: context.ids('run'),
    workspace_id: automation.workspace_id,
    automation_id: automation.id,
    version: automation.version,
    trigger: start.trigger,
    once_key: start.onceKey,
    event_id: start.eventId,
    data: start.data && JSON.stringify(start.data),
    depth: start.depth ?? 0,
    allowance: start.allowance ?? shareOf(FIRST.allowance, [automation]),
    concurrency: concurrencyOf(automation, scope),
    status: skipped === null ? 'queued' : 'skipped',
    error: skipped,
    created_at: now,
    started_at: null,
    resume_at: null,
    completed_at: skipped === null ? null : now,
  };
  if (!(await insertRun(tx, run))) return null;
  if (skipped === null)
    await enqueueNew(tx, context, {
      kind: automationRun,
      key: run.id,
      payload: { workspace_id: run.workspace_id, run_id: run.id },
    });
  return run;
}

/** Continues a run. If its job still waits, because the run was cancelled during a wait, the job is due now. */
export async function continueRun(
  tx: Tx,
  context: WorkContext,
  { id, workspace_id }: Pick<NewRun, 'id' | 'workspace_id'>,
): Promise<void> {
  const job = { kind: automationRun, key: id };
  const added = await enqueue(tx, context, { ...job, payload: { workspace_id, run_id: id } });
  if (!added) await promote(tx, context, job);
}

async function reasonToSkip(
  tx: Tx,
  { automation, depth = 0, trigger }: NewStart,
  now: number,
): Promise<string | null> {
  if (depth >= LIMITS.automationDepthMax)
    return `loop: ${LIMITS.automationDepthMax} automations in a row led to this`;
  if (automation.throttle === null || trigger === 'manual') return null;
  const { max_runs: limit, per_seconds: seconds } = JSON.parse(automation.throttle) as {
    max_runs: number;
    per_seconds: number;
  };
  const recent = await countRunsSince(tx, automation, { since: now - seconds * 1_000, limit });
  return recent >= limit ? `throttled: ${limit} runs in ${seconds} seconds` : null;
}

/** The rendered concurrency key; `null` if it cannot be rendered, so that the run waits for no other. */
export function concurrencyOf({ concurrency_key: key }: AutomationRow, scope: Scope): string | null {
  if (key === null) return null;
  const rendered = renderTemplate(key, scope.values);
  return rendered.ok && rendered.text !== '' ? rendered.text.slice(0, 200) : null;
}
