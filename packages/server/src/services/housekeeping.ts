import { LIMITS } from '@hubline/contract';
import type { Deps } from '../context.ts';
import { pruneIdempotent } from '../db/idempotency.ts';

const EVERY_MS = 10 * 60_000;
// A step holds the write lock for a few milliseconds; requests get in between.
const STEP_ROWS = 500;

/** Removes what has expired, in small steps. */
export class Housekeeping {
  readonly #deps: Pick<Deps, 'store' | 'log' | 'clock'>;
  readonly #timer: NodeJS.Timeout;

  constructor(deps: Pick<Deps, 'store' | 'log' | 'clock'>) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.run(), EVERY_MS);
    this.#timer.unref();
  }

  async run(): Promise<void> {
    const oldest = new Date(this.#deps.clock().getTime() - LIMITS.idempotencyWindowMs).toISOString();
    try {
      let removed: number;
      do {
        removed = await this.#deps.store.write((tx) => pruneIdempotent(tx, oldest, STEP_ROWS));
      } while (removed === STEP_ROWS);
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'expired idempotency keys could not be removed');
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
