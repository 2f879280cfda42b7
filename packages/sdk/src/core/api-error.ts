import type { ERROR_STATUS } from '@hubline/contract/constants';
import type { ErrorDetail, Open } from '@hubline/contract/types';
import { HublineError, type HublineErrorOptions, isHublineError } from './errors.ts';
import type { RateLimit } from './response.ts';

/**
 * The codes of the specification, "Status codes" 400 to 503.
 *
 * @example
 * ```ts
 * import { isAPIError, type ErrorCode } from '@hubline/sdk';
 *
 * const harmless: ErrorCode[] = ['not_found', 'conflict'];
 * await client.webhooks.delete('whk_…').catch((error: unknown) => {
 *   if (!harmless.some((code) => isAPIError(error, code))) throw error;
 * });
 * ```
 */
export type ErrorCode = keyof ErrorOf;

/**
 * Details of an {@link APIError}.
 *
 * @example
 * ```ts
 * import { ConflictError, isAPIError } from '@hubline/sdk';
 *
 * // The error that a server would cause, to test your own code.
 * const error = new ConflictError('The slug is taken.', {
 *   status: 409,
 *   code: 'conflict',
 *   details: [{ field: 'slug', issue: 'is taken' }],
 * });
 * console.log(isAPIError(error, 'conflict')); // true
 * ```
 */
export interface APIErrorOptions extends HublineErrorOptions {
  /** HTTP status. */
  readonly status: number;
  /** The reason, for programs. */
  readonly code: Open<ErrorCode>;
  /**
   * The server's own words.
   *
   * @default null
   */
  readonly serverMessage?: string | null | undefined;
  /**
   * Field-level errors.
   *
   * @default []
   */
  readonly details?: readonly ErrorDetail[] | undefined;
  /**
   * ID of the request.
   *
   * @default null
   */
  readonly requestId?: string | null | undefined;
  /**
   * Whole seconds that the server asks to wait.
   *
   * @default null
   */
  readonly retryAfter?: number | null | undefined;
  /**
   * The rate limit that the response reported.
   *
   * @default null
   */
  readonly rateLimit?: RateLimit | null | undefined;
}

/**
 * The server responded with an error. Specification, "Errors". There is one subclass for each code; a response that fits
 * none, such as the 502 of a proxy, is a plain `APIError`.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * try {
 *   await client.workspaces.create({ name: 'Acme', slug: 'acme' });
 * } catch (error) {
 *   if (!isAPIError(error, 'conflict')) throw error;
 *   console.error(`The slug is taken (request ${error.requestId}).`);
 * }
 * ```
 */
export class APIError extends HublineError {
  /** HTTP status. */
  readonly status: number;
  /**
   * The reason, for programs: a code of the specification, or whatever else the server sent, such as
   * `workspace_not_found` in the older body form. `unexpected_status` when the body is not an error of this API.
   */
  readonly code: Open<ErrorCode>;
  /** The server's own words; `null` when the body is not an error of this API. */
  readonly serverMessage: string | null;
  /** Field-level errors; empty when there are none. */
  readonly details: readonly ErrorDetail[];
  /** ID of the request, for logs and support; `null` when the response did not come from the service. */
  readonly requestId: string | null;
  /** Whole seconds that the server asks to wait, from `Retry-After` or `X-RateLimit-Reset`; `null` when it does not. */
  readonly retryAfter: number | null;
  /** The rate limit that this response reported. */
  readonly rateLimit: RateLimit | null;

  constructor(message: string, options: APIErrorOptions) {
    super(message, options);
    ({
      status: this.status,
      code: this.code,
      serverMessage: this.serverMessage = null,
      details: this.details = [],
      requestId: this.requestId = null,
      retryAfter: this.retryAfter = null,
      rateLimit: this.rateLimit = null,
    } = options);
  }

  override get name(): 'APIError' | ErrorOf[ErrorCode]['name'] {
    return 'APIError';
  }
}

/**
 * Specification, "Status codes" 400, `invalid_request`: a malformed request or a missing field; see `details`. Also 405 and 413.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.workspaces.create({ name: '', slug: '?' }).catch((error: unknown) => {
 *   if (!isAPIError(error, 'invalid_request')) throw error;
 *   for (const { field, issue } of error.details) console.error(field, issue);
 * });
 * ```
 */
export class InvalidRequestError extends APIError {
  override get name(): 'InvalidRequestError' {
    return 'InvalidRequestError';
  }
}

/**
 * Specification, "Status codes" 401, `unauthorized`: the API key is missing, invalid or revoked.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.me.get().catch((error: unknown) => {
 *   if (!isAPIError(error, 'unauthorized')) throw error;
 *   console.error('Sign in again.');
 * });
 * ```
 */
export class UnauthorizedError extends APIError {
  override get name(): 'UnauthorizedError' {
    return 'UnauthorizedError';
  }
}

/**
 * Specification, "Status codes" 403, `forbidden`: the key's role or scopes do not allow the request.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.workspaces.delete(workspaceId).catch((error: unknown) => {
 *   if (!isAPIError(error, 'forbidden')) throw error;
 *   console.error('Only an owner can delete a workspace.');
 * });
 * ```
 */
export class ForbiddenError extends APIError {
  override get name(): 'ForbiddenError' {
    return 'ForbiddenError';
  }
}

/**
 * Specification, "Status codes" 404, `not_found`: no such resource in a workspace that the key can see.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.webhooks.delete('whk_…').catch((error: unknown) => {
 *   if (!isAPIError(error, 'not_found')) throw error;
 *   console.log('It is gone already.');
 * });
 * ```
 */
export class NotFoundError extends APIError {
  override get name(): 'NotFoundError' {
    return 'NotFoundError';
  }
}

/**
 * Specification, "Status codes" 409, `conflict`: the request clashes with the current state, such as a slug that is taken.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.workspaces.create({ name: 'Acme', slug: 'acme' }).catch((error: unknown) => {
 *   if (!isAPIError(error, 'conflict')) throw error;
 *   console.error('The slug is taken.');
 * });
 * ```
 */
export class ConflictError extends APIError {
  override get name(): 'ConflictError' {
    return 'ConflictError';
  }
}

/**
 * Specification, "Status codes" 422, `unprocessable_entity`: the request is well-formed but breaks a rule, such as changing
 * the sole owner's role.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.members.remove(workspaceId, 'usr_…').catch((error: unknown) => {
 *   if (!isAPIError(error, 'unprocessable_entity')) throw error;
 *   console.error('Somebody has to own the workspace.');
 * });
 * ```
 */
export class UnprocessableEntityError extends APIError {
  override get name(): 'UnprocessableEntityError' {
    return 'UnprocessableEntityError';
  }
}

/**
 * Specification, "Status codes" 429, `rate_limited`: the rate limit is exceeded, and `maxRetries` or `maxRetryAfter` did not
 * allow another wait.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.me.get({ maxRetries: 0 }).catch((error: unknown) => {
 *   if (!isAPIError(error, 'rate_limited')) throw error;
 *   console.error(`Try again in ${error.retryAfter} seconds.`);
 * });
 * ```
 */
export class RateLimitedError extends APIError {
  override get name(): 'RateLimitedError' {
    return 'RateLimitedError';
  }
}

/**
 * Specification, "Status codes" 500, `internal_error`: an unexpected error of the server, on every attempt.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.webhooks.enable('whk_…').catch((error: unknown) => {
 *   if (!isAPIError(error, 'internal_error')) throw error;
 *   console.error(`Support wants to know: request ${error.requestId}.`);
 * });
 * ```
 */
export class InternalServerError extends APIError {
  override get name(): 'InternalServerError' {
    return 'InternalServerError';
  }
}

/**
 * Specification, "Status codes" 503, `service_unavailable`: temporarily unavailable, on every attempt.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.me.get().catch((error: unknown) => {
 *   if (!isAPIError(error, 'service_unavailable')) throw error;
 *   console.error('Maintenance.');
 * });
 * ```
 */
export class ServiceUnavailableError extends APIError {
  override get name(): 'ServiceUnavailableError' {
    return 'ServiceUnavailableError';
  }
}

interface ErrorOf {
  invalid_request: InvalidRequestError;
  unauthorized: UnauthorizedError;
  forbidden: ForbiddenError;
  not_found: NotFoundError;
  conflict: ConflictError;
  unprocessable_entity: UnprocessableEntityError;
  rate_limited: RateLimitedError;
  internal_error: InternalServerError;
  service_unavailable: ServiceUnavailableError;
}

/** The status and class of each code. Specification, "Status codes" 400 to 503. */
export const byCode: {
  readonly [Code in ErrorCode]: readonly [
    status: (typeof ERROR_STATUS)[Code],
    errorClass: new (message: string, options: APIErrorOptions) => ErrorOf[Code],
  ];
} = {
  invalid_request: [400, InvalidRequestError],
  unauthorized: [401, UnauthorizedError],
  forbidden: [403, ForbiddenError],
  not_found: [404, NotFoundError],
  conflict: [409, ConflictError],
  unprocessable_entity: [422, UnprocessableEntityError],
  rate_limited: [429, RateLimitedError],
  internal_error: [500, InternalServerError],
  service_unavailable: [503, ServiceUnavailableError],
};

/**
 * Recognizes an error that the server responded with, from any copy of the package. With `code`, it recognizes only the class
 * of that code, even if the server sent a finer code. Specification, "Status codes" 400 to 503.
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
export function isAPIError(error: unknown): error is APIError;
export function isAPIError<Code extends ErrorCode>(error: unknown, code: Code): error is ErrorOf[Code];
export function isAPIError(error: unknown, code?: ErrorCode): boolean {
  return (
    isHublineError(error) && (code ? error.name === byCode[code][1].prototype.name : 'serverMessage' in error)
  );
}
