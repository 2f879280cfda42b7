import type { HublineError } from '../core/errors.ts';
import type { ResponseInfo } from '../core/response.ts';

/** The longest delay of `setTimeout`, which fires at once for anything longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after `ms`, or at once when `signal` aborts. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.min(ms, LONGEST_TIMER_MS));
    signal?.addEventListener('abort', wake);
    if (signal?.aborted) wake();
  });
}

/** The life of one attempt: ends with the caller's signal, or when its time is up. */
export class Connection {
  /** True when it ended because its time was up. */
  timedOut = false;
  readonly #controller = new AbortController();
  readonly signal: AbortSignal = this.#controller.signal;
  readonly #parent: AbortSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Rejects the promise of `race`. A listener on our own signal would take 7 µs in Node. */
  #interrupt: ((reason: unknown) => void) | undefined;

  constructor(parent: AbortSignal | undefined) {
    this.#parent = parent;
    parent?.addEventListener('abort', this.#abort);
    if (parent?.aborted) this.#abort();
  }

  readonly #abort = () => {
    this.#controller.abort();
    this.#interrupt?.(this.signal.reason);
  };

  /** Sets the time left to `ms` milliseconds; `Infinity` for no limit. With none left, it ends at once: data that has come already is late. */
  limit(ms: number): void {
    clearTimeout(this.#timer);
    if (ms === Infinity) return;
    const end = () => {
      this.timedOut = true;
      this.#abort();
    };
    if (ms <= 0) return end();
    this.#timer = setTimeout(end, Math.min(ms, LONGEST_TIMER_MS));
  }

  /** Waits for `work`, but no longer than the connection lives: a transport may ignore its signal. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#interrupt = reject;
      if (this.signal.aborted) reject(this.signal.reason as Error);
      work.then(resolve, reject);
    });
  }

  /** Removes the timer, and the listener on the caller's signal. */
  release(): void {
    this.limit(Infinity);
    this.#parent?.removeEventListener('abort', this.#abort);
  }

  /** Releases the connection and ends the request if it is still under way. */
  close(): void {
    this.release();
    this.#abort();
  }
}

/** A response with a status of success, its body still unread. */
export interface Success {
  readonly info: ResponseInfo;
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Makes the error for a body that fails: the rest of it is lost, or the caller has aborted. */
  readonly lost: (cause: unknown) => HublineError;
  /** The connection, which the reader of the body closes. */
  readonly connection: Connection;
}
