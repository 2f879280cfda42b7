import type { Deps } from '../../context.ts';
import { touchApiKeys } from '../../db/identity/api-keys.ts';
import { Flush } from '../../jobs/flush.ts';

// `last_used_at` is exact to the minute: a write for every request would cost more than the request.
const FLUSH_MS = 60_000;

/** Notes when keys are used, and stores it once a minute, outside of any request: at most one entry for each key. */
export class KeyUsage {
  readonly #deps: Pick<Deps, 'store' | 'log'>;
  readonly #flush: Flush;
  #uses = new Map<string, Date>();

  constructor(deps: Pick<Deps, 'store' | 'log'>) {
    this.#deps = deps;
    this.#flush = new Flush(() => this.#store(), FLUSH_MS);
  }

  note(keyId: string, now: Date): void {
    this.#uses.set(keyId, now);
  }

  stop(): Promise<void> {
    return this.#flush.stop();
  }

  async #store(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await this.#deps.store.write((tx) => touchApiKeys(tx, uses));
    } catch (error) {
      this.#deps.log.warn(
        { err: error },
        'the last use of keys could not be stored; it is kept for the next time',
      );
      this.#uses = new Map([...uses, ...this.#uses]);
    }
  }
}
