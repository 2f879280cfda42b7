import type { Logger } from '../log/log.ts';
import { TransientSet } from '../collections/transient.ts';

/** The work of the engine that must end before it stops. */
export class UnderWay {
  readonly #log: Logger;
  readonly #works = new TransientSet<Promise<unknown>>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Adds work. It handles its own failures: one that comes here is a bug. */
  add(work: Promise<unknown>): void {
    const added: Promise<unknown> = work.then(
      () => this.#works.delete(added),
      (error: unknown) => {
        this.#works.delete(added);
        this.#log.error({ err: error }, 'unexpected error in the delivery engine');
      },
    );
    this.#works.add(added);
  }

  /** Waits until nothing is under way, including what is added meanwhile. */
  async ended(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works.values());
  }
}
