/** Marks the SDK's errors across copies of the package, where `instanceof` fails; the guards go on by name. */
export const BRAND = Symbol.for('@hubline/sdk.error');

/** What every error of a call can carry. */
export interface HublineErrorOptions {
  /** What caused it. */
  readonly cause?: unknown;
  /** Key of the write that failed. */
  readonly idempotencyKey?: string | null;
}

/**
 * The base of every error that the SDK throws; itself it means that the SDK was used wrongly, before any request.
 *
 * @example
 * ```ts
 * import { isHublineError } from '@hubline/sdk';
 *
 * try {
 *   await client.webhooks.delete('whk_…');
 * } catch (error) {
 *   if (isHublineError(error)) console.error(error.message);
 *   else throw error;
 * }
 * ```
 */
export class HublineError extends Error {
  /**
   * The `Idempotency-Key` that all attempts of a failed write carried; `null` for reads. Pass it to the same call again,
   * within 24 hours, to finish the write without doing it twice. Specification, "Limits".
   */
  readonly idempotencyKey: string | null;

  constructor(message: string, { cause, idempotencyKey }: HublineErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.idempotencyKey = idempotencyKey ?? null;
  }

  // On the prototype rather than a field, so that the stack already begins with it.
  override get name(): string {
    return 'HublineError';
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }

  /** What a log may show: everything the error knows, without stack and cause. */
  toJSON(): Record<string, unknown> {
    // Neither is an own enumerable property.
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) };
  }
}

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

/** What an {@link InvalidResponseError} knows about the response. */
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
