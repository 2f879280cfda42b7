import { LIMITS } from '@hubline/contract';
import type { AutomationRow } from '../../../db/automations/automations.ts';
import { actionsOf } from '../actions/actions-of.ts';

/** The way from what somebody did, over automations that publish events, to an event of theirs. */
export interface Lineage {
  /** How many automations in a row. */
  depth: number;
  /**
   * How many more events may come from it. An event shares them out among the actions that it starts and that publish, and each passes
   * its share on, less the event of its own: a hundred come from one at most, however the automations branch, and nobody counts.
   */
  allowance: number;
}

/** Nothing has led to it. */
export const FIRST: Lineage = { depth: 0, allowance: LIMITS.automationEventsMax };

/** The share of each action that publishes an event, of all automations that something starts. */
export function shareOf(allowance: number, started: readonly Pick<AutomationRow, 'actions'>[]): number {
  const publishing = started.flatMap(actionsOf).filter(({ type }) => type === 'create_event').length;
  return publishing === 0 ? 0 : Math.floor(allowance / publishing);
}
