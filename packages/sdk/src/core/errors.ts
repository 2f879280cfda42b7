/** Marks the SDK's errors across copies of the package, where `instanceof` fails. The guards then compare the name. */
const BRAND = Symbol.for('@hubline/sdk.error');

/**
 * Details that every error of a call can carry.
 *
 * @example
 * ```ts
 * import { ConnectionError, isConnectionError } from '@hubline/sdk';
 *
 * // The error that the network would cause, to test your own code.
 * const error = new ConnectionError('The connection was lost.', { idempotencyKey: 'signup-4711' });
 * console.log(isConnectionError(error), error.idempotencyKey); // true signup-4711
 * ```
 */
export interface HublineErrorOptions {
  /**
   * The error or reason behind this one.
   *
   * @default none
   */
  readonly cause?: unknown;
  /**
   * `Idempotency-Key` of the write that failed.
   *
   * @default null
   */
  readonly idempotencyKey?: string | null | undefined;
}

/**
 * The base class of every error that the SDK throws. A plain `HublineError` means that nothing was sent: the SDK was used
 * wrongly, or could not be loaded completely.
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
   * within 24 hours, to finish the write without doing it twice. Specification, "Limits" 4.
   */
  readonly idempotencyKey: string | null;

  constructor(message: string, options: HublineErrorOptions = {}) {
    super(message, options);
    this.idempotencyKey = options.idempotencyKey ?? null;
  }

  // On the prototype rather than in a field, so that the stack begins with the name. Each class types its name as a literal:
  // otherwise the compiler treats classes with the same fields as one, and narrows to `never` when a guard returns false.
  override get name(): string {
    return 'HublineError';
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }

  /**
   * An object for logs: the name, the message and all fields, without stack and cause.
   *
   * @example
   * ```ts
   * import { isHublineError } from '@hubline/sdk';
   *
   * await client.webhooks.delete('whk_…').catch((error: unknown) => {
   *   console.error(isHublineError(error) ? JSON.stringify(error) : error);
   * });
   * ```
   */
  toJSON(): Record<string, unknown> {
    // `name` and `message` are not own enumerable properties.
    return { name: this.name, message: this.message, ...(this as object as Record<string, unknown>) };
  }
}

/**
 * No complete response came: DNS, connection or TLS failed, or the connection was lost on the way. Such an attempt is retried.
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
  override get name(): 'ConnectionError' | 'TimeoutError' {
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
  override get name(): 'TimeoutError' {
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
  override get name(): 'AbortError' {
    return 'AbortError';
  }
}

/** Makes the error for something that the caller's signal has ended. */
export const aborted = (what: string, cause: unknown, idempotencyKey?: string | null): AbortError =>
  new AbortError(`${what} was aborted by its signal.`, { cause, idempotencyKey });

/**
 * Details of the response behind an {@link InvalidResponseError}.
 *
 * @example
 * ```ts
 * import { InvalidResponseError, isInvalidResponseError } from '@hubline/sdk';
 *
 * // The error that a wrong base URL would cause, to test your own code.
 * const error = new InvalidResponseError('The response is a page of HTML.', { status: 200, requestId: null });
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
 * `maxResponseBytes`, a list that would never end, or data that fails the given schema. It is not retried.
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

  override get name(): 'InvalidResponseError' {
    return 'InvalidResponseError';
  }
}

/** The error of a call whose response is not from this API. */
export const invalidResponse = (
  name: string,
  info: InvalidResponseErrorOptions,
  what: string,
): InvalidResponseError => new InvalidResponseError(`${name} responded with ${info.status} ${what}.`, info);

// Guards rather than `instanceof`: they also recognize errors of another copy of the package, such as its CommonJS build.

const isNamed = (error: unknown, name: string): boolean => isHublineError(error) && error.name === name;

/**
 * Recognizes every error of the SDK, from any copy of the package.
 *
 * @example
 * ```ts
 * import { isHublineError } from '@hubline/sdk';
 *
 * await client.me.get().catch((error: unknown) => {
 *   console.error(isHublineError(error) ? error.message : error);
 * });
 * ```
 */
export const isHublineError = (error: unknown): error is HublineError =>
  (error as { [BRAND]?: true } | null | undefined)?.[BRAND] === true;

/**
 * Recognizes a missing or incomplete response, timeouts included, from any copy of the package.
 *
 * @example
 * ```ts
 * import { isConnectionError } from '@hubline/sdk';
 *
 * const me = await client.me.get().catch((error: unknown) => {
 *   if (isConnectionError(error)) return null;
 *   throw error;
 * });
 * ```
 */
export const isConnectionError = (error: unknown): error is ConnectionError =>
  isNamed(error, 'ConnectionError') || isTimeoutError(error);

/**
 * Recognizes a timeout, from any copy of the package.
 *
 * @example
 * ```ts
 * import { isTimeoutError } from '@hubline/sdk';
 *
 * const me = await client.me.get({ totalTimeout: 1_000 }).catch((error: unknown) => {
 *   if (isTimeoutError(error)) return null;
 *   throw error;
 * });
 * ```
 */
export const isTimeoutError = (error: unknown): error is TimeoutError => isNamed(error, 'TimeoutError');

/**
 * Recognizes a call that its signal ended, from any copy of the package.
 *
 * @example
 * ```ts
 * import { isAbortError } from '@hubline/sdk';
 *
 * const me = await client.me.get({ signal: AbortSignal.timeout(1_000) }).catch((error: unknown) => {
 *   if (isAbortError(error)) return null;
 *   throw error;
 * });
 * ```
 */
export const isAbortError = (error: unknown): error is AbortError => isNamed(error, 'AbortError');

/**
 * Recognizes a response that is not one of this API, from any copy of the package.
 *
 * @example
 * ```ts
 * import { isInvalidResponseError } from '@hubline/sdk';
 *
 * const me = await client.me.get().catch((error: unknown) => {
 *   if (isInvalidResponseError(error)) return null;
 *   throw error;
 * });
 * ```
 */
export const isInvalidResponseError = (error: unknown): error is InvalidResponseError =>
  isNamed(error, 'InvalidResponseError');
