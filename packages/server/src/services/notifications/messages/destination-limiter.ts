/** The permit to send to a destination, or the delay before asking again. */
export type SendPermit = { granted: true } | { granted: false; waitMs: number };

interface DestinationState {
  busy: boolean;
  /** Nothing is sent before this time: the destination has asked to be left alone, or has just failed. */
  closedUntil: number;
  /** The time at which the message that was last made to wait is tried again. */
  next: number;
}

// Spaces waiting messages out, so that they come back one after the other.
const SPACING_MS = 250;

/**
 * Lets one message at a time through to each destination. A destination that hangs, or has asked to be left alone,
 * blocks no worker: further messages are put off.
 */
export class DestinationLimiter {
  readonly #monotonic: () => number;
  readonly #states = new Map<string, DestinationState>();

  /** `monotonic`: a monotonic clock, in milliseconds. */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  acquire(destination: string): SendPermit {
    const now = this.#monotonic();
    const state = this.#states.get(destination) ?? { busy: false, closedUntil: 0, next: 0 };
    this.#states.set(destination, state);
    if (!state.busy && state.closedUntil <= now) {
      state.busy = true;
      return { granted: true };
    }
    state.next = Math.max(state.next + SPACING_MS, state.closedUntil, now + SPACING_MS);
    return { granted: false, waitMs: Math.ceil(state.next - now) };
  }

  /** Gives a permit back. `closedMs`: the time for which the destination must not be used, in milliseconds. */
  release(destination: string, closedMs: number): void {
    const state = this.#states.get(destination);
    if (!state) return;
    const now = this.#monotonic();
    state.busy = false;
    state.closedUntil = now + closedMs;
    if (closedMs <= 0 && state.next <= now) this.#states.delete(destination);
  }
}
