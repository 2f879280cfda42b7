import type { Deps } from '../context.ts';
import { touchApiKeys } from '../db/api-keys.ts';

// `last_used_at` is exact to the minute: a write for every request would cost more than the request.
const FLUSH_MS = 60_000;

/** Notes when keys are used, and writes it down once a minute, off the path of any request. */
export class KeyUsage {
  readonly #deps: Pick<Deps, 'store' | 'log'>;
  readonly #timer: NodeJS.Timeout;
  #uses = new Map<string, Date>();

  constructor(deps: Pick<Deps, 'store' | 'log'>) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS);
    this.#timer.unref();
  }

  note(keyId: string, now: Date): void {
    this.#uses.set(keyId, now);
  }

  async flush(): Promise<void> {
    const uses = this.#uses;
    if (uses.size === 0) return;
    this.#uses = new Map();
    try {
      await this.#deps.store.write((tx) => touchApiKeys(tx, uses));
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the last use of keys could not be stored');
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
