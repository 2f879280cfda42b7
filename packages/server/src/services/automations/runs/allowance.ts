import { LIMITS } from '@hubline/contract';
import type { AutomationRow } from '../../../db/automations/automations.ts';
import { actionsOf } from '../actions/actions-of.ts';

/** The origin of an event that automations published: the chain from the first cause to it. */
export interface Lineage {
  /** The number of automations in the chain. */
  depth: number;
  /**
   * The number of further events that may come from it. They are divided among the publishing actions that it starts, and each passes its
   * share on, less its own event: at most a hundred come from one cause, however the automations branch, and without a counter.
   */
  allowance: number;
}

/** No automation has led to it. */
export const FIRST: Lineage = { depth: 0, allowance: LIMITS.automationEventsMax };

/** The share of each action that publishes an event, of all automations that something starts. */
export function shareOf(allowance: number, started: readonly Pick<AutomationRow, 'actions'>[]): number {
  const publishing = started.flatMap(actionsOf).filter(({ type }) => type === 'create_event').length;
  return publishing === 0 ? 0 : Math.floor(allowance / publishing);
}
