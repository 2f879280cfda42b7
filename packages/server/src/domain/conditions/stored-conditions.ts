import type { Condition } from '@hubline/contract';
import { OCCURRENCE_NAMES } from '../value-names.ts';
import { compileConditions, type Conditions } from './conditions.ts';

/**
 * Conditions as they were stored. Conditions of a newer version that this one does not understand match nothing.
 */
export function storedConditions(condition: Condition | null | undefined): Conditions | null {
  if (condition == null) return null;
  const compiled = compileConditions(condition, { field: '', names: OCCURRENCE_NAMES, isStored: true });
  return compiled.ok ? compiled.conditions : { needs: null, matches: () => false, explain: () => [] };
}
