/** A clock that does not move until it is set forward. */
export class VirtualClock {
  #ms: number;

  constructor(ms: number) {
    this.#ms = ms;
  }

  readonly now = (): Date => new Date(this.#ms);

  get ms(): number {
    return this.#ms;
  }

  set(ms: number): void {
    this.#ms = Math.max(this.#ms, ms);
  }

  pass(ms: number): void {
    this.#ms += ms;
  }
}
