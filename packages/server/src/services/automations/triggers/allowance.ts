import type { AutomationRow } from '../../../db/automations/automations.ts';
import { actionsOf } from '../actions/actions-of.ts';

/** The share of the allowance for each action that publishes an event, over all automations that one cause starts. */
export function shareOf(allowance: number, started: readonly Pick<AutomationRow, 'actions'>[]): number {
  const publishing = started.flatMap(actionsOf).filter(({ type }) => type === 'create_event').length;
  return publishing === 0 ? 0 : Math.floor(allowance / publishing);
}
