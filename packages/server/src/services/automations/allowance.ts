import { LIMITS } from '@hubline/contract';
import type { AutomationRow } from '../../db/automations/automations.ts';
import type { Action } from './action.ts';

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
  const publishing = started.reduce((sum, { actions }) => sum + publishingIn(actions), 0);
  return publishing === 0 ? 0 : Math.floor(allowance / publishing);
}

// Most automations publish nothing, which their text tells without being parsed.
const publishingIn = (actions: string): number =>
  actions.includes('"create_event"')
    ? (JSON.parse(actions) as Action[]).filter(({ type }) => type === 'create_event').length
    : 0;
