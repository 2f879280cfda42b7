import { setImmediate as turnOfTheLoop } from 'node:timers/promises';

/** Others wait no longer than this, in milliseconds. */
const TURN_MS = 2;

/** Lets the event loop turn now and then within long work on the database: requests that only read are answered meanwhile. */
export class LoopTurns {
  #last = performance.now();

  /** True when the loop has not turned for too long. To ask costs nothing beside a statement. */
  get isDue(): boolean {
    return performance.now() - this.#last > TURN_MS;
  }

  async turn(): Promise<void> {
    await turnOfTheLoop();
    this.#last = performance.now();
  }
}
