// Not the default export: esbuild's CommonJS output cannot reach that of an ES module.
import { makeRetriable } from 'p-retry';
import { Connection } from '../internal/connection.ts';
import { APIError } from './api-error.ts';
import type { Config } from './config.ts';
import { aborted, ConnectionError, TimeoutError } from './errors.ts';
import type { Prepared } from './prepare.ts';
import { isRetriedStatus, retryDelay } from './retry-policy.ts';
import { roundTrip, type Success } from './round-trip.ts';

/** What becomes of a success. It belongs to the attempt: its time counts, and its failure may be retried. */
export type Consume<T> = (success: Success) => Promise<T>;

/** Keeps calls that waited for the same pause from leaving in one burst. */
const PAUSE_JITTER_MS = 250;

/** Makes a call: attempts, and the waits between them, until one succeeds or the specification says to stop. */
export async function exchange<T>(config: Config, prepared: Prepared, consume: Consume<T>): Promise<T> {
  const { clock, log, state } = config;
  const { operation, name, idempotencyKey, signal, deadline } = prepared;
  const { timeout, totalTimeout, maxRetries, maxRetryAfter } = prepared.limits;
  let attempts = 0;
  /** Milliseconds from the last failure to the next attempt; `null` when the failure is final. */
  let wait: number | null = null;

  async function attempt(): Promise<T> {
    const number = ++attempts;
    wait = null;
    await passPause();
    const start = clock.now();
    const connection = new Connection(clock, signal);
    connection.limit(Math.min(timeout, deadline - start));
    const report = (outcome: string) =>
      log('debug', `${name} ${outcome}`, { operation, attempt: number, ms: Math.round(clock.now() - start) });
    try {
      const result = await connection.race(roundTrip(config, prepared, { number, connection }).then(consume));
      connection.limit(Infinity);
      report('succeeded');
      return result;
    } catch (cause) {
      connection.close();
      const error = explain(cause, connection);
      wait = planWait(error, number - 1);
      report(`failed: ${error instanceof Error ? error.name : typeof error}`);
      throw error;
    }
  }

  /** Waits for the next attempt; resolves to false when there is none. */
  async function shouldRetry(): Promise<boolean> {
    if (wait === null || clock.now() + wait >= deadline) return false;
    log('info', `${name} will be retried`, { operation, wait_ms: Math.round(wait) });
    await clock.sleep(wait, signal);
    throwIfAborted();
    return true;
  }

  /** Waits while a 429, of whatever call, keeps the client quiet: more requests would only be refused as well. */
  async function passPause(): Promise<void> {
    for (;;) {
      throwIfAborted();
      const pause = state.pausedUntil - clock.now();
      if (pause <= 0) return;
      if (state.pausedUntil >= deadline) throw timedOut('totalTimeout, since a 429 pauses the client');
      await clock.sleep(pause + PAUSE_JITTER_MS * clock.random(), signal);
    }
  }

  /** How long to wait after a failure; `null` when it is final. A 429 pauses the whole client for as long. */
  function planWait(error: unknown, retry: number): number | null {
    const { status, retryAfter } = error instanceof APIError ? error : { status: 0, retryAfter: null };
    if (!(error instanceof ConnectionError) && !isRetriedStatus(status, retryAfter)) return null;
    if (retryAfter !== null && retryAfter * 1_000 > maxRetryAfter) return null;
    const delay = retryDelay(retry, retryAfter, clock.random());
    if (status === 429) state.pausedUntil = Math.max(state.pausedUntil, clock.now() + delay);
    return delay;
  }

  /** An attempt that was cut off failed for the reason that it was cut off. */
  function explain(error: unknown, connection: Connection): unknown {
    if (signal?.aborted) return aborted(name, signal.reason, idempotencyKey);
    if (!connection.timedOut) return error;
    return timedOut(clock.now() >= deadline ? 'totalTimeout' : 'timeout of one attempt');
  }

  function throwIfAborted(): void {
    if (signal?.aborted) throw aborted(name, signal.reason, idempotencyKey);
  }

  const timedOut = (limit: string) =>
    new TimeoutError(
      `${name} had no complete response within the ${limit} (timeout ${timeout} ms, totalTimeout ${totalTimeout} ms).`,
      { idempotencyKey },
    );

  // p-retry keeps the count and the loop. When to go on is decided here, by the specification and our clock.
  return makeRetriable(attempt, { retries: maxRetries, minTimeout: 0, shouldRetry })();
}
