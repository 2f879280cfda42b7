import { byCode, type APIError, type ErrorCode } from './api-error.ts';
import type { AbortError, ConnectionError, InvalidResponseError, TimeoutError } from './errors.ts';
import { BRAND, type HublineError } from './hubline-error.ts';

// Guards rather than `instanceof`: they also know the errors of another copy of the package, such as its CommonJS build.

const isNamed = (error: unknown, name: string): boolean => isHublineError(error) && error.name === name;

/**
 * Whether it is any error of the SDK, from any copy of the package.
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
 * Whether the server answered with an error, from any copy of the package; with `code`, whether it is the class of
 * that code, whatever finer code the server sent. Specification, "Status codes".
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * const workspace = await client.workspaces.get(workspaceId).catch((error: unknown) => {
 *   if (isAPIError(error, 'not_found')) return null;
 *   throw error;
 * });
 * ```
 */
export const isAPIError = (error: unknown, code?: ErrorCode): error is APIError =>
  code ? isNamed(error, byCode[code][1].prototype.name) : isHublineError(error) && 'serverMessage' in error;

/**
 * Whether no complete response came, a timeout included, from any copy of the package.
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
 * Whether the time was up, from any copy of the package.
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
 * Whether the caller's signal ended the call, from any copy of the package.
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
 * Whether a response came that is not one of this API, from any copy of the package.
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
