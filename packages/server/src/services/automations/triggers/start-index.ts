import type { Automation, Condition } from '@hubline/contract';
import type { z } from 'zod';
import type { StartRow } from '../../../db/automations/automations.ts';
import { indexedOnce } from '../../../domain/conditions/choice-index.ts';
import type { Conditions } from '../../../domain/conditions/conditions.ts';
import { storedConditions } from '../../../domain/conditions/stored-conditions.ts';

export type AutomationTrigger = z.output<typeof Automation>['trigger'];

/** The parts of an automation that decide whether it starts. */
export interface Start {
  readonly id: string;
  readonly trigger: AutomationTrigger;
  readonly conditions: Conditions | null;
}

/** The automations of a workspace, indexed by trigger. */
export const startsOf = indexedOnce(readStarts, ({ trigger: { event, types, sources }, conditions }) => ({
  triggers: [event],
  types,
  sources,
  needs: conditions?.needs,
}));

function readStarts(rows: readonly StartRow[]): Start[] {
  return rows.flatMap(({ id, trigger, conditions }) => {
    if (id === null || trigger === null) return [];
    const condition = conditions === null ? null : (JSON.parse(conditions) as Condition);
    return [
      { id, trigger: JSON.parse(trigger) as AutomationTrigger, conditions: storedConditions(condition) },
    ];
  });
}
