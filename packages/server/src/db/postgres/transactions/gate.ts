import { StorageUnavailable } from '../../../domain/faults/storage-unavailable.ts';

/**
 * Lets one transaction of this process at a time request each lock. The others wait here, in memory, in the order in which they came,
 * and hold no connection in the meantime: otherwise a busy workspace would take the whole pool, and everybody else would get 503.
 */
export class Gate {
  /** The longest wait for a lock, the same as for a connection, in milliseconds. */
  readonly patienceMs: number;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(patienceMs: number) {
    this.patienceMs = patienceMs;
  }

  /** Enters; `false` if another transaction is in. */
  tryEnter(name: string): boolean {
    if (this.#waiting.has(name)) return false;
    this.#waiting.set(name, new Set());
    return true;
  }

  /** Enters after those that came before. Throws `StorageUnavailable` if that takes too long. */
  async enter(name: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = this.enterInTurn(name, resolve);
    const late = setTimeout(() => {
      giveUp();
      reject(this.refusal(name));
    }, this.patienceMs);
    await promise.finally(() => clearTimeout(late));
  }

  /** Enters after those that came before, and then calls `onEntered`. Returns a function that gives up the place in line. */
  enterInTurn(name: string, onEntered: () => void): () => void {
    const waiting = this.#waiting.get(name);
    if (this.tryEnter(name)) onEntered();
    else waiting?.add(onEntered);
    return () => waiting?.delete(onEntered);
  }

  /** The error of a transaction that has waited too long. */
  refusal(name: string): StorageUnavailable {
    const seconds = this.patienceMs / 1_000;
    const text = `Other transactions of this process have kept the lock of ${name} for ${seconds} s.`;
    return new StorageUnavailable({ cause: new Error(text) });
  }

  /** Leaves, and lets the next one in line enter. */
  leave(name: string): void {
    const waiting = this.#waiting.get(name);
    const [next] = waiting ?? [];
    if (!next) return void this.#waiting.delete(name);
    waiting?.delete(next);
    next();
  }
}
