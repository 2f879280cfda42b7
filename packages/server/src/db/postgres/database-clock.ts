/**
 * An estimate of the clock of the database. It is read over the network, and advanced by the monotonic clock of this machine: a wall clock
 * that is wrong, or that is set, does not matter.
 */
export class DatabaseClock {
  readonly #elapsed: () => number;
  /** The time of the database when `elapsed` was 0, in milliseconds since the epoch; before the first reading, that of this machine. */
  #origin: number;

  constructor(elapsed = () => performance.now(), origin = performance.timeOrigin) {
    this.#elapsed = elapsed;
    this.#origin = origin;
  }

  now(): Date {
    return new Date(Math.round(this.#origin + this.#elapsed()));
  }

  /** Reads the clock. The result was true at some moment during the query: an estimate that agrees with it stays, and does not jitter. */
  async read(ask: () => Promise<number>): Promise<void> {
    const asked = this.#elapsed();
    const time = await ask();
    const [earliest, latest] = [time - this.#elapsed(), time - asked];
    if (this.#origin < earliest || this.#origin > latest) this.#origin = (earliest + latest) / 2;
  }
}
