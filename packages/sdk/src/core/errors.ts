import { HublineError, type HublineErrorOptions } from './hubline-error.ts';

/**
 * No response came: DNS, connection, TLS, or a connection lost on the way. It is retried.
 *
 * @example
 * ```ts
 * import { isConnectionError } from '@hubline/sdk';
 *
 * await client.me.get().catch((error: unknown) => {
 *   if (!isConnectionError(error)) throw error;
 *   console.error('Offline?', error.message);
 * });
 * ```
 */
export class ConnectionError extends HublineError {
  override get name(): string {
    return 'ConnectionError';
  }
}

/**
 * No complete response came in time: `timeout` of an attempt, which is retried, or `totalTimeout`, which is not.
 *
 * @example
 * ```ts
 * import { isTimeoutError } from '@hubline/sdk';
 *
 * await client.me.get({ timeout: 2_000, totalTimeout: 5_000 }).catch((error: unknown) => {
 *   if (!isTimeoutError(error)) throw error;
 *   console.error('Too slow.');
 * });
 * ```
 */
export class TimeoutError extends ConnectionError {
  override get name(): string {
    return 'TimeoutError';
  }
}

/**
 * The caller's `signal` ended the call; `cause` is its reason. A write may have happened all the same.
 *
 * @example
 * ```ts
 * import { isAbortError } from '@hubline/sdk';
 *
 * const controller = new AbortController();
 * process.once('SIGINT', () => controller.abort());
 * await client.me.get({ signal: controller.signal }).catch((error: unknown) => {
 *   if (!isAbortError(error)) throw error;
 * });
 * ```
 */
export class AbortError extends HublineError {
  override get name(): string {
    return 'AbortError';
  }
}

/** What to throw when the caller's signal has ended something. */
export const aborted = (what: string, cause: unknown, idempotencyKey: string | null = null): AbortError =>
  new AbortError(`${what} was aborted by its signal.`, { cause, idempotencyKey });

/**
 * What an {@link InvalidResponseError} knows about the response.
 *
 * @example
 * ```ts
 * import { InvalidResponseError, isInvalidResponseError } from '@hubline/sdk';
 *
 * // The error as a wrong base URL would cause it, for a test of your own code.
 * const error = new InvalidResponseError('A page of HTML answered.', { status: 200, requestId: null });
 * console.log(isInvalidResponseError(error)); // true
 * ```
 */
export interface InvalidResponseErrorOptions extends HublineErrorOptions {
  /** HTTP status. */
  readonly status: number;
  /** `X-Request-Id`, if there is one. */
  readonly requestId: string | null;
}

/**
 * A response came that is not one of this API: a redirect, a success without valid JSON, a body larger than
 * `maxResponseBytes`, a page that does not follow on the last, or one that fails the given schema. It is not retried.
 *
 * @example
 * ```ts
 * import { isInvalidResponseError } from '@hubline/sdk';
 *
 * await client.me.get().catch((error: unknown) => {
 *   if (!isInvalidResponseError(error)) throw error;
 *   console.error('Is baseURL right?', error.status, error.message);
 * });
 * ```
 */
export class InvalidResponseError extends HublineError {
  /** HTTP status. */
  readonly status: number;
  /** `X-Request-Id`, if the response had one. */
  readonly requestId: string | null;

  constructor(message: string, options: InvalidResponseErrorOptions) {
    super(message, options);
    this.status = options.status;
    this.requestId = options.requestId;
  }

  override get name(): string {
    return 'InvalidResponseError';
  }
}
