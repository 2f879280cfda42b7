/** The system's clock, which a test may advance. */
export class AdvancingClock {
  #ahead = 0;
  readonly #waiting = new Set<() => void>();

  readonly clock = (): Date => new Date(Date.now() + this.#ahead);
  readonly monotonic = (): number => performance.now() + this.#ahead;

  readonly timer = (run: () => void, ms: number): (() => void) => {
    const due = this.monotonic() + ms;
    let timer = setTimeout(look, ms);
    this.#waiting.add(look);
    const left = () => due - this.monotonic();
    const stop = () => {
      clearTimeout(timer);
      this.#waiting.delete(look);
    };
    function look(): void {
      clearTimeout(timer);
      if (left() > 0) {
        timer = setTimeout(look, left());
      } else {
        stop();
        run();
      }
    }
    return stop;
  };

  advance(ms: number): void {
    this.#ahead += ms;
    for (const look of this.#waiting) look();
  }
}
