// Steps are counted and not timed, so that the same event always has the same answer. A step takes 30 to 100 ns.
/** All conditions of an event, and of events that are published together: about 100 ms. */
const EVENT_STEPS = 2_000_000;
/** The conditions of one webhook, rule, automation or step. An ordinary comparison takes ten steps. */
const CONDITIONS_STEPS = 500_000;

/** The reason of conditions that were given up. */
export const OVER_BUDGET =
  'not evaluated: conditions take too much work here; compare shorter texts, fewer items, or use smaller patterns';

/** Work that conditions may do for what happens. They share it, and each has a part of it: costly ones cost themselves first. */
export class WorkBudget {
  #left = EVENT_STEPS;
  #floor = 0;
  #exceeded = 0;

  /** How many conditions were given up. */
  get exceeded(): number {
    return this.#exceeded;
  }

  /** Spends steps. Throws when there are not as many. */
  use(steps: number): void {
    this.#left -= steps;
    if (this.#left < this.#floor) throw new OverBudget();
  }

  /** Does what takes one part of the budget at most; `null`: it was given up. */
  within<Result>(work: () => Result): Result | null {
    this.#floor = Math.max(0, this.#left - CONDITIONS_STEPS);
    try {
      return work();
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      this.#left = this.#floor;
      this.#exceeded += 1;
      return null;
    } finally {
      this.#floor = 0;
    }
  }
}

/** Leaves conditions that cost too much. */
class OverBudget extends Error {}
