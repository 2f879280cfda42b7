import type { Condition } from '@hubline/contract';
import type { WorkContext } from '../context.ts';
import { compileConditions } from '../domain/conditions/conditions.ts';
import { WorkBudget } from '../domain/conditions/work-budget.ts';
import { invalidFields } from '../domain/faults/fault.ts';
import { OCCURRENCE_NAMES } from '../domain/value-names.ts';

/** Refuses conditions that cannot be evaluated: `invalid_request` with the path of each fault, such as `filters.conditions.all[1].value`. */
export function requireConditions(field: string, condition: Condition | null | undefined): void {
  if (condition == null) return;
  const compiled = compileConditions(condition, { field, names: OCCURRENCE_NAMES });
  if (!compiled.ok) throw invalidFields(compiled.problems);
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
    'conditions took too much work and count as not true; a dry run shows them',
  );
}
