import type { Deps } from '../../context.ts';
import { touchApiKeys } from '../../db/identity/api-keys.ts';

// `last_used_at` is exact to the minute: a write for every request would cost more than the request.
const EXACT_TO_MS = 60_000;
// The number of keys for which the stored time is remembered. Beyond it, the oldest are forgotten, and stored again at
// their next use.
const KNOWN_MAX = 10_000;

/** Stores when keys are used: the first use at once, later ones at most once a minute. No request waits for it. */
export class KeyUsage {
  readonly #deps: Pick<Deps, 'store' | 'log' | 'clock'>;
  /** The stored times by key, oldest first. */
  readonly #stored = new Map<string, number>();
  #uses = new Map<string, Date>();
  #storing: Promise<void> | null = null;

  constructor(deps: Pick<Deps, 'store' | 'log' | 'clock'>) {
    this.#deps = deps;
  }

  note(keyId: string, now: Date): void {
    const ms = now.getTime();
    if (Math.abs(ms - (this.#stored.get(keyId) ?? -Infinity)) < EXACT_TO_MS) return;
    this.#stored.delete(keyId);
    this.#stored.set(keyId, ms);
    if (this.#stored.size > KNOWN_MAX) this.#stored.delete(this.#stored.keys().next().value ?? '');
    this.#uses.set(keyId, now);
    this.#storing ??= this.#storeAll();
  }

  /** Stores all pending uses, as far as possible. */
  async stop(): Promise<void> {
    await this.#storing;
    await this.#storeAll();
  }

  /** Stores all pending uses. Uses that come in the meantime are stored together afterwards. */
  async #storeAll(): Promise<void> {
    while (this.#uses.size > 0) {
      const uses = this.#uses;
      this.#uses = new Map();
      try {
        await this.#deps.store.write((tx) => touchApiKeys(tx, uses, this.#deps.clock()));
      } catch (error) {
        this.#deps.log.warn(
          { err: error },
          'the last use of keys could not be stored; it is kept for the next time',
        );
        this.#uses = new Map([...uses, ...this.#uses]);
        break;
      }
    }
    this.#storing = null;
  }
}
