import { StorageUnavailable } from '../../../domain/faults/storage-unavailable.ts';

/**
 * Lets one transaction of this process at a time ask for each lock. The others wait here, in memory, and hold no connection in the meantime:
 * a workspace that is busy would otherwise take the whole pool, and everybody else would get 503.
 */
export class Gate {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #patienceMs: number;
  readonly #onFree: () => void;

  /** `patienceMs`: the longest wait for a lock, the same as for a connection. `onFree` is called when nobody waits for a lock anymore. */
  constructor(patienceMs: number, onFree: () => void) {
    this.#patienceMs = patienceMs;
    this.#onFree = onFree;
  }

  /** Enters, unless another transaction is in. */
  tryEnter(name: string): boolean {
    if (this.#waiting.has(name)) return false;
    this.#waiting.set(name, []);
    return true;
  }

  /** Enters, after those that have come before. Throws `StorageUnavailable` when that takes too long. */
  async enter(name: string): Promise<void> {
    if (this.tryEnter(name)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(name) ?? [];
    waiting.push(resolve);
    const late = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1);
      reject(new StorageUnavailable({ cause: new Error(`The lock of ${name} was taken for too long.`) }));
    }, this.#patienceMs);
    await promise.finally(() => clearTimeout(late));
  }

  /** Leaves, and lets the next one enter. */
  leave(name: string): void {
    const next = this.#waiting.get(name)?.shift();
    if (next) return next();
    this.#waiting.delete(name);
    this.#onFree();
  }
}
