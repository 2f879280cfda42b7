import type { Condition } from '@hubline/contract';
import { compileConditions, type Conditions, OCCURRENCE_ROOTS } from './conditions.ts';

/**
 * Conditions as they were stored, of which this version understands all: they were compiled before. Those of a newer version, which it
 * may not, match nothing.
 */
export function storedConditions(condition: Condition | null | undefined): Conditions | null {
  if (condition == null) return null;
  const compiled = compileConditions(condition, { field: '', roots: OCCURRENCE_ROOTS, isStored: true });
  return compiled.ok ? compiled.conditions : { matches: () => false, explain: () => [] };
}
