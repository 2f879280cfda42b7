import { classByCode, type APIError, type ErrorCode } from './api-error.ts';
import {
  KIND,
  type AbortError,
  type ConnectionError,
  type ErrorKind,
  type HublineError,
  type InvalidResponseError,
  type TimeoutError,
} from './errors.ts';

// Guards rather than `instanceof`: they also know the errors of another copy of the package, such as its CommonJS build.

const kindOf = (error: unknown): ErrorKind | undefined =>
  (error as { [KIND]?: ErrorKind } | null | undefined)?.[KIND];

/** Whether it is any error of the SDK, from any copy of the package. */
export const isHublineError = (error: unknown): error is HublineError => kindOf(error) !== undefined;

/**
 * Whether the server answered with an error, from any copy of the package; with `code`, whether it is the class of
 * that code, whatever finer code the server sent. Specification, "Status codes".
 *
 * @example
 * ```ts
 * const workspace = await client.workspaces.get(id).catch((error: unknown) => {
 *   if (isAPIError(error, 'not_found')) return null;
 *   throw error;
 * });
 * ```
 */
export const isAPIError = (error: unknown, code?: ErrorCode): error is APIError =>
  kindOf(error) === 'api' && (!code || (error as APIError).name === classByCode[code].prototype.name);

/** Whether no complete response came, a timeout included, from any copy of the package. */
export const isConnectionError = (error: unknown): error is ConnectionError =>
  kindOf(error) === 'connection' || isTimeoutError(error);

/** Whether the time was up, from any copy of the package. */
export const isTimeoutError = (error: unknown): error is TimeoutError => kindOf(error) === 'timeout';

/** Whether the caller's signal ended the call, from any copy of the package. */
export const isAbortError = (error: unknown): error is AbortError => kindOf(error) === 'abort';

/** Whether a response came that is not one of this API, from any copy of the package. */
export const isInvalidResponseError = (error: unknown): error is InvalidResponseError =>
  kindOf(error) === 'invalid_response';
