/** Marks the SDK's errors across copies of the package, where `instanceof` fails; the guards go on by name. */
export const BRAND = Symbol.for('@hubline/sdk.error');

/**
 * What every error of a call can carry.
 *
 * @example
 * ```ts
 * import { ConnectionError, isConnectionError } from '@hubline/sdk';
 *
 * // The error as the network would cause it, for a test of your own code.
 * const error = new ConnectionError('The connection was lost.', { idempotencyKey: 'signup-4711' });
 * console.log(isConnectionError(error), error.idempotencyKey); // true signup-4711
 * ```
 */
export interface HublineErrorOptions {
  /**
   * What caused it.
   *
   * @default none
   */
  readonly cause?: unknown;
  /**
   * Key of the write that failed.
   *
   * @default null
   */
  readonly idempotencyKey?: string | null;
}

/**
 * The base of every error that the SDK throws; itself it means that nothing was sent: the SDK
 * was used wrongly, or could not be loaded completely.
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

  /**
   * What a log may show: everything the error knows, without stack and cause.
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
    // Neither is an own enumerable property.
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) };
  }
}
