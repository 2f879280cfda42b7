import type { ERROR_STATUS, LIMITS } from '@hubline/contract/constants';
import pRetry, { AbortError as Stop } from 'p-retry';
import { type APIError, isAPIError, RateLimitedError } from '../core/api-error.ts';
import type { Prepared } from '../core/call.ts';
import type { Config } from '../core/config.ts';
import { aborted, isConnectionError, isHublineError, TimeoutError } from '../core/errors.ts';
import { Connection, sleep, type Success } from './connection.ts';
import { roundTrip } from './round-trip.ts';

/** Specification, "Retry rules" 2. The numbers of the contract; any others do not compile. */
type Backoff = (typeof LIMITS)['clientBackoffMs'];
const FIRST_MS: Backoff['first'] = 1_000;
const FACTOR: Backoff['factor'] = 2;
const CAP_MS: Backoff['cap'] = 60_000;

/** Adds up to a quarter at random, so that clients that failed together do not retry together. */
const jittered = (ms: number): number => ms * (1 + Math.random() / 4);

/** Milliseconds before retry `retry`, counted from 0. */
export const backoff = (retry: number): number => Math.min(jittered(FIRST_MS) * FACTOR ** retry, CAP_MS);

type Status = typeof ERROR_STATUS;
const RETRIED: readonly number[] = [429, 500, 503] satisfies [
  Status['rate_limited'],
  Status['internal_error'],
  Status['service_unavailable'],
];

/**
 * Statuses by which a proxy says that it got no response from the server, which itself never sends them: those of HTTP, and
 * Cloudflare's 520 to 527 and 530.
 */
const FROM_PROXY = /^5(0[24]|2[0-7]|30)$/;

/**
 * Recognizes an outage: this client, or a proxy on the way, got no response from the server. A stream survives all of them. A call is only
 * retried as the specification says.
 */
export const isOutage = (error: unknown): boolean =>
  isConnectionError(error) || (isAPIError(error) && FROM_PROXY.test(String(error.status)));

/** Decides whether an error is retried: 429, 500 and 503 (specification, "Retry rules" 1 and 2), and failures of the network. */
const isRetried = (error: unknown): boolean =>
  isConnectionError(error) || (isAPIError(error) && RETRIED.includes(error.status));

/** Reads a success, as a part of the attempt: its time counts, and its failure may be retried. */
type Consume<T> = (success: Success) => Promise<T>;

/** Spreads calls that wait for the same time, so that they are not sent in one burst. */
const SPREAD_MS = 250;

/** Every call may wait this long, whatever its options: a caller that waited by its own timer may be this much too early. */
const SOON_MS = 50;

/** The client sends again after an hour at the latest: one absurd header must not stop it forever. */
const LONGEST_PAUSE_MS = 3_600_000;

/**
 * Makes a call: attempts until one succeeds or the specification says to stop. p-retry runs the loop with its schedule and
 * waits. This function adds the rules of the specification: which failures are retried, and how long a server asks to wait.
 */
export async function exchange<T>(config: Config, prepared: Prepared, consume: Consume<T>): Promise<T> {
  const { log, state } = config;
  const { operation, name, idempotencyKey, signal, deadline } = prepared;
  const { timeout, totalTimeout, maxRetries, maxRetryAfter } = prepared.limits;
  /** The earliest time for the next attempt, as the server asks. */
  let notBefore = 0;
  /** The value that the last attempt threw. */
  let thrown: unknown;

  async function attempt(number: number): Promise<T> {
    await waitUntilAllowed();
    const connection = new Connection(signal);
    const left = deadline - performance.now();
    connection.limit(Math.min(timeout, left));
    try {
      const result = await connection.race(roundTrip(config, prepared, { number, connection }).then(consume));
      connection.limit(Infinity);
      return result;
    } catch (error) {
      connection.close();
      thrown = error;
      if (!connection.timedOut) {
        if (isAPIError(error)) pause(error);
        throw error;
      }
      // Decided by the two limits, not by the clock: a timer may fire a little before its time.
      const limit = timeout < left ? `timeout, ${timeout}` : `totalTimeout, ${totalTimeout}`;
      throw new TimeoutError(`${name} got no complete response within its ${limit} ms.`, { idempotencyKey });
    }
  }

  /** Waits until the call may be sent: for as long as the server asked, or while a 429 of another call pauses the client. */
  async function waitUntilAllowed(): Promise<void> {
    for (;;) {
      const now = performance.now();
      const wait = Math.max(notBefore, state.pausedUntil) - now;
      if (wait <= 0) return;
      const patient = maxRetries > 0 && wait <= maxRetryAfter && now + wait < deadline;
      if (!patient && wait > SOON_MS) throw new Stop(pausedError(Math.ceil(wait / 1_000)));
      await sleep(wait + SPREAD_MS * Math.random(), signal);
      signal?.throwIfAborted();
    }
  }

  /** The error of a call that would have to wait longer than it may. */
  const pausedError = (retryAfter: number) =>
    new RateLimitedError(`${name} was not sent: a 429 pauses the client for ${retryAfter} more seconds.`, {
      status: 429,
      code: 'rate_limited',
      retryAfter,
      rateLimit: state.rateLimit,
      idempotencyKey,
    });

  /** Records when to try again. The rate limit is per workspace, so a 429 pauses the whole client. */
  function pause({ status, retryAfter }: APIError): void {
    const now = performance.now();
    const asked = (retryAfter ?? 0) * 1_000;
    notBefore = now + asked;
    if (status === 429)
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
      factor: FACTOR,
      maxTimeout: CAP_MS,
      signal,
      shouldRetry,
    });
  } catch (error) {
    // An abort gives this error wherever it interrupts the call, also in a wait of p-retry.
    if (signal?.aborted) throw aborted(name, signal.reason, idempotencyKey);
    // p-retry replaces what is not an `Error` of this realm: any other value, and in Jest the errors of Node itself.
    throw isHublineError(error) ? error : (thrown ?? error);
  }
}
