import type { Condition } from '@hubline/contract';
import type { WorkContext } from '../context.ts';
import { compileConditions } from '../domain/conditions/conditions.ts';
import { WorkBudget } from '../domain/conditions/work-budget.ts';
import type { Draft } from '../domain/draft.ts';
import { type Fault, invalid } from '../domain/faults/fault.ts';
import { OCCURRENCE_NAMES, type ValueNames } from '../domain/value-names.ts';

/**
 * The reasons why conditions cannot be evaluated, each with its path, such as `filters.conditions.all[1].value`. `budget`: for conditions
 * that are checked together.
 */
export function conditionFaults(
  field: string,
  condition: Draft<Condition> | null | undefined,
  { names = OCCURRENCE_NAMES, budget = new WorkBudget() }: { names?: ValueNames; budget?: WorkBudget } = {},
): Fault[] {
  if (condition == null) return [];
  const compiled = compileConditions(condition, { field, names, budget });
  return compiled.ok ? [] : compiled.problems.map((problem) => invalid(problem.field, problem.issue));
}

const budgets = new WeakMap<WorkContext, WorkBudget>();

/** The work budget for all conditions that one context evaluates: events that are published together share it. */
export function budgetOf(context: WorkContext): WorkBudget {
  const budget = budgets.get(context) ?? new WorkBudget();
  budgets.set(context, budget);
  return budget;
}

const NAMED_MAX = 10;

/** Logs, once for each event, that conditions took too much work and count as not true. */
export function logExceeded(
  { log }: Pick<WorkContext, 'log'>,
  about: { workspace_id: string; trigger: string; event_id: string | null },
  ids: readonly string[],
): void {
  if (ids.length === 0) return;
  log.warn(
    { ...about, count: ids.length, conditions_of: ids.slice(0, NAMED_MAX) },
    'conditions took too much work and count as false; a dry run shows them',
  );
}
