import { nextTurn } from './timer.ts';

/** The longest time without a turn of the event loop, in milliseconds. */
const TURN_MS = 2;
/** The time of a statement that stores megabytes, which nothing can interrupt, in milliseconds. */
const LONG_MS = 20;

/**
 * Yields to the event loop during long database work, so that requests that only read are served meanwhile.
 */
export class EventLoopYield {
  #last = performance.now();

  /** True when the event loop has not had its turn for too long. The check costs nothing beside a statement. */
  get isDue(): boolean {
    return performance.now() - this.#last > TURN_MS;
  }

  /** True when a single statement has held up the event loop: another long one must not follow at once. */
  get isLate(): boolean {
    return performance.now() - this.#last > LONG_MS;
  }

  async yield(): Promise<void> {
    await nextTurn();
    this.#last = performance.now();
  }
}
