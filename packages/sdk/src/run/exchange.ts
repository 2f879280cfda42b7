import pRetry, { AbortError as Stop } from 'p-retry';
import { isAPIError, RateLimitedError } from '../core/api-error.ts';
import type { Prepared } from '../core/call.ts';
import type { Config } from '../core/config.ts';
import { aborted, TimeoutError } from '../core/errors.ts';
import { Connection } from './connection.ts';
import { CAP_MS, FIRST_MS, isRetried, jittered } from './retry-policy.ts';
import { roundTrip, type Success } from './round-trip.ts';
import { sleep } from './sleep.ts';

/** Reads a success. It belongs to the attempt: its time counts, and its failure may be retried. */
export type Consume<T> = (success: Success) => Promise<T>;

/** Keeps calls that wait for the same moment from leaving in one burst. */
const SPREAD_MS = 250;

/** A shorter wait is for every call: whoever waited on a timer of their own may come that much too early. */
const SOON_MS = 50;

/** The client asks again after an hour at the latest: one absurd header must not silence it for good. */
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Makes a call: attempts until one succeeds or the specification says to stop. p-retry runs the loop, its schedule and its
 * waits; what is added here is the specification's: which failures are retried, and what a server asks for.
 */
export async function exchange<T>(config: Config, prepared: Prepared, consume: Consume<T>): Promise<T> {
  const { log, state } = config;
  const { operation, name, idempotencyKey, signal, deadline } = prepared;
  const { timeout, totalTimeout, maxRetries, maxRetryAfter } = prepared.limits;
  /** When the server wants to see this call again. */
  let notBefore = -Infinity;

  async function attempt(number: number): Promise<T> {
    await turn();
    const connection = new Connection(signal);
    connection.limit(Math.min(timeout, deadline - performance.now()));
    try {
      const result = await connection.race(roundTrip(config, prepared, { number, connection }).then(consume));
      connection.limit(Infinity);
      return result;
    } catch (error) {
      connection.close();
      if (!connection.timedOut) throw error;
      const limit = performance.now() < deadline ? `timeout, ${timeout}` : `totalTimeout, ${totalTimeout}`;
      throw new TimeoutError(`${name} got no complete response within its ${limit} ms.`, { idempotencyKey });
    }
  }

  /** Waits until the call may be sent: for as long as the server asked, or while a 429 of another call pauses the client. */
  async function turn(): Promise<void> {
    for (;;) {
      const now = performance.now();
      const wait = Math.max(notBefore, state.pausedUntil) - now;
      if (wait <= 0) return;
      const patient = maxRetries > 0 && wait <= maxRetryAfter && now + wait < deadline;
      if (!patient && wait > SOON_MS) throw new Stop(heldBack(Math.ceil(wait / 1_000)));
      await sleep(wait + SPREAD_MS * Math.random(), signal);
      signal?.throwIfAborted();
    }
  }

  /** The error of a call that would have to wait longer than it may. */
  const heldBack = (retryAfter: number) =>
    new RateLimitedError(`${name} was not sent: a 429 pauses the client for ${retryAfter} more seconds.`, {
      status: 429,
      code: 'rate_limited',
      retryAfter,
      rateLimit: state.rateLimit,
      idempotencyKey,
    });

  /** Learns from every failure when to come back. The rate is the workspace's: a 429 pauses the whole client. */
  function onFailedAttempt({ error }: { error: Error }): void {
    if (!isAPIError(error)) return;
    const now = performance.now();
    const asked = (error.retryAfter ?? 0) * 1_000;
    notBefore = now + asked;
    if (error.status === 429)
      state.pausedUntil = Math.max(state.pausedUntil, now + Math.min(asked || FIRST_MS, LONGEST_PAUSE_MS));
  }

  /** `retryDelay` is p-retry's own wait. */
  function shouldRetry({ error, retryDelay }: { error: Error; retryDelay: number }): boolean {
    const now = performance.now();
    const asked = notBefore - now;
    const wait = Math.max(retryDelay, asked);
    if (!isRetried(error) || asked > maxRetryAfter || now + wait >= deadline) return false;
    log('info', `${name} will be retried`, { operation, wait_ms: Math.round(wait) });
    return true;
  }

  try {
    return await pRetry(attempt, {
      retries: maxRetries,
      minTimeout: jittered(FIRST_MS),
      maxTimeout: CAP_MS,
      signal,
      onFailedAttempt,
      shouldRetry,
    });
  } catch (error) {
    // Whatever it was cut off in, p-retry's waits included.
    throw signal?.aborted ? aborted(name, signal.reason, idempotencyKey) : error;
  }
}
