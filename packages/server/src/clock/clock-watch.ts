/** Smaller corrections, such as those of a time server, are not treated as a jump. */
export const JUMP_MS = 2_000;

/** A jump of the wall clock. */
export interface ClockJump {
  /** The milliseconds by which the clock jumped; negative if it jumped back. */
  ms: number;
  /** The longest time that can have passed since the jump, in milliseconds. */
  withinMs: number;
}

/** Notices when the wall clock is set, by comparing it with the monotonic clock. */
export class ClockWatch {
  readonly #clock: () => Date;
  readonly #monotonic: () => number;
  #difference = 0;
  /** The time of the last check that found no jump, by the monotonic clock. */
  #steadyAt = 0;

  constructor(clock: () => Date, monotonic: () => number) {
    this.#clock = clock;
    this.#monotonic = monotonic;
    this.follow();
  }

  /** The jump since the last `follow`; `null` for none. */
  look(): ClockJump | null {
    const elapsed = this.#monotonic();
    const ms = this.#clock().getTime() - elapsed - this.#difference;
    if (Math.abs(ms) >= JUMP_MS) return { ms, withinMs: elapsed - this.#steadyAt };
    this.#steadyAt = elapsed;
    return null;
  }

  /** Accepts the current time of the wall clock. */
  follow(): void {
    this.#steadyAt = this.#monotonic();
    this.#difference = this.#clock().getTime() - this.#steadyAt;
  }
}
