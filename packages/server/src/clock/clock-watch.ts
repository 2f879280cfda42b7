/** Smaller corrections, such as those of a time server, are followed without notice. */
export const JUMP_MS = 2_000;

/** Notices when the wall clock is set, by comparing it with the monotonic clock. */
export class ClockWatch {
  readonly #clock: () => Date;
  readonly #monotonic: () => number;
  #difference: number;

  constructor(clock: () => Date, monotonic: () => number) {
    this.#clock = clock;
    this.#monotonic = monotonic;
    this.#difference = this.#now();
  }

  /** The milliseconds by which the clock was set forward or back since the last `follow`; 0 if it was not. */
  get jumpMs(): number {
    const jump = this.#now() - this.#difference;
    return Math.abs(jump) < JUMP_MS ? 0 : jump;
  }

  follow(): void {
    this.#difference = this.#now();
  }

  #now(): number {
    return this.#clock().getTime() - this.#monotonic();
  }
}
