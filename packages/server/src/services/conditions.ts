import type { Condition } from '@hubline/contract';
import { compileConditions, OCCURRENCE_ROOTS } from '../domain/conditions/conditions.ts';
import { invalidFields } from '../domain/faults/fault.ts';

/** Refuses conditions that cannot be asked: 400 with the path of each fault, such as `filters.conditions.all[1].value`. */
export function requireConditions(
  field: string,
  condition: Condition | null | undefined,
  roots: readonly string[] = OCCURRENCE_ROOTS,
): void {
  if (condition == null) return;
  const compiled = compileConditions(condition, { field, roots });
  if (!compiled.ok) throw invalidFields(compiled.problems);
}
