import { LIMITS } from '@hubline/contract';

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

/** The lineage of an event that no automation has led to. */
export const FIRST: Lineage = { depth: 0, allowance: LIMITS.automationEventsMax };
