// Steps are counted and not timed, so that the same event always has the same result. A step takes 30 to 100 ns.
/** All conditions of an event, and of events that are published together: about 100 ms. */
const EVENT_STEPS = 2_000_000;
/** The conditions of one webhook, rule, automation or step. An ordinary comparison takes ten steps. */
const CONDITIONS_STEPS = 500_000;

/** The reason why conditions were given up. */
export const OVER_BUDGET =
  'too expensive to evaluate; compare shorter strings or fewer items, or use smaller patterns';

/** The work that conditions may do for an event. All share it, but each gets only a part, so costly ones fail before they harm others. */
export class WorkBudget {
  #left = EVENT_STEPS;
  #floor = 0;
  #exceeded = 0;

  /** The number of conditions that were given up. */
  get exceeded(): number {
    return this.#exceeded;
  }

  /** Spends steps. Throws when too few are left. */
  use(steps: number): void {
    this.#left -= steps;
    if (this.#left < this.#floor) throw new OverBudget();
  }

  /** Runs `work` within one part of the budget; `null` if it was given up. */
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

/** Thrown to give up conditions that cost too much. */
class OverBudget extends Error {}
