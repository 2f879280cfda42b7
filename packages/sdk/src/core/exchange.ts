// Not the default export: esbuild's CommonJS output cannot reach that of an ES module.
import { makeRetriable } from 'p-retry';
import { Connection } from '../internal/connection.ts';
import { APIError } from './api-error.ts';
import type { Call } from './call.ts';
import { resolveLimits, type Config } from './config.ts';
import { aborted, type AbortError, ConnectionError, TimeoutError } from './errors.ts';
import { prepare, type Prepared } from './prepare.ts';
import { isRetriedStatus, retryDelay } from './retry-policy.ts';
import { roundTrip, type Success } from './round-trip.ts';

/** What becomes of a success. It belongs to the attempt: its time counts, and its failure may be retried. */
export type Consume<T> = (success: Success) => Promise<T>;

/** Keeps calls that waited for the same pause from leaving in one burst. */
const PAUSE_JITTER_MS = 250;

/** Makes a call: attempts, and the waits between them, until one succeeds or the specification says to stop. */
export async function exchange<T>(config: Config, call: Call, consume: Consume<T>): Promise<T> {
  const current = new Exchange(config, call);
  const attempts = makeRetriable(() => current.attempt(consume), {
    retries: current.limits.maxRetries,
    // p-retry keeps the count and the loop. When to go on is decided here, by the specification and our clock.
    minTimeout: 0,
    shouldRetry: () => current.waitForRetry(),
  });
  return attempts();
}

class Exchange {
  readonly limits: Config['limits'];
  readonly #config: Config;
  readonly #prepared: Prepared;
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;
  #attempts = 0;
  /** Milliseconds from the last failure to the next attempt; `null` when the failure is final. */
  #wait: number | null = null;

  constructor(config: Config, call: Call) {
    this.#config = config;
    this.#signal = call.options?.signal;
    this.#prepared = prepare(config, call);
    this.limits = resolveLimits(config.limits, call.options ?? {});
    this.#deadline = config.clock.now() + this.limits.totalTimeout;
  }

  async attempt<T>(consume: Consume<T>): Promise<T> {
    const number = ++this.#attempts;
    this.#wait = null;
    await this.#passPause();
    const { clock, log } = this.#config;
    const { name, operation } = this.#prepared;
    const start = clock.now();
    const connection = new Connection(clock, this.#signal);
    connection.limit(Math.min(this.limits.timeout, this.#deadline - start));
    const report = (outcome: string) =>
      log('debug', `${name} ${outcome}`, { operation, attempt: number, ms: Math.round(clock.now() - start) });
    try {
      const work = roundTrip(this.#config, this.#prepared, { number, connection }).then(consume);
      const result = await connection.race(work);
      connection.limit(Infinity);
      report('succeeded');
      return result;
    } catch (cause) {
      connection.close();
      const error = this.#explain(cause, connection);
      this.#wait = this.#planWait(error, number - 1);
      report(`failed: ${error instanceof Error ? error.name : typeof error}`);
      throw error;
    }
  }

  /** Waits for the next attempt; resolves to false when there is none. */
  async waitForRetry(): Promise<boolean> {
    const { clock, log } = this.#config;
    const { name, operation } = this.#prepared;
    if (this.#wait === null || clock.now() + this.#wait >= this.#deadline) return false;
    log('info', `${name} will be retried`, { operation, wait_ms: Math.round(this.#wait) });
    await clock.sleep(this.#wait, this.#signal);
    if (this.#signal?.aborted) throw this.#aborted();
    return true;
  }

  /** Waits while a 429, of whatever call, keeps the client quiet: more requests would only be refused as well. */
  async #passPause(): Promise<void> {
    const { clock, state } = this.#config;
    for (;;) {
      if (this.#signal?.aborted) throw this.#aborted();
      const pause = state.pausedUntil - clock.now();
      if (pause <= 0) return;
      if (state.pausedUntil >= this.#deadline)
        throw this.#timedOut('totalTimeout, since a 429 pauses the client');
      await clock.sleep(pause + PAUSE_JITTER_MS * clock.random(), this.#signal);
    }
  }

  /** How long to wait after a failure; `null` when it is final. A 429 pauses the whole client for as long. */
  #planWait(error: unknown, retry: number): number | null {
    const { clock, state } = this.#config;
    const { status, retryAfter } = error instanceof APIError ? error : { status: 0, retryAfter: null };
    if (!(error instanceof ConnectionError) && !isRetriedStatus(status, retryAfter)) return null;
    if (retryAfter !== null && retryAfter * 1_000 > this.limits.maxRetryAfter) return null;
    const wait = retryDelay(retry, retryAfter, clock.random());
    if (status === 429) state.pausedUntil = Math.max(state.pausedUntil, clock.now() + wait);
    return wait;
  }

  /** An attempt that was cut off failed for the reason that it was cut off. */
  #explain(error: unknown, { timedOut }: Connection): unknown {
    if (this.#signal?.aborted) return this.#aborted();
    if (!timedOut) return error;
    return this.#timedOut(
      this.#config.clock.now() >= this.#deadline ? 'totalTimeout' : 'timeout of one attempt',
    );
  }

  #aborted(): AbortError {
    const { name, idempotencyKey } = this.#prepared;
    return aborted(name, this.#signal?.reason, idempotencyKey);
  }

  #timedOut(limit: string): TimeoutError {
    const { name, idempotencyKey } = this.#prepared;
    const { timeout, totalTimeout } = this.limits;
    return new TimeoutError(
      `${name} had no complete response within the ${limit} (timeout ${timeout} ms, totalTimeout ${totalTimeout} ms).`,
      { idempotencyKey },
    );
  }
}
