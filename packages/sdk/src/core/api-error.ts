import type { ErrorDetail, Open } from '@hubline/contract/types';
import { HublineError, type HublineErrorOptions } from './hubline-error.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * The codes of the specification, "Status codes".
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
export type ErrorCode = keyof typeof byCode;

/**
 * What an {@link APIError} is made of.
 *
 * @example
 * ```ts
 * import { ConflictError, isAPIError } from '@hubline/sdk';
 *
 * // The error as a server would cause it, for a test of your own code.
 * const error = new ConflictError('The slug is taken.', {
 *   status: 409,
 *   code: 'conflict',
 *   serverMessage: null,
 *   details: [{ field: 'slug', issue: 'is taken' }],
 *   requestId: null,
 *   retryAfter: null,
 *   rateLimit: null,
 * });
 * console.log(isAPIError(error, 'conflict')); // true
 * ```
 */
export interface APIErrorOptions extends HublineErrorOptions {
  /** HTTP status. */
  readonly status: number;
  /** What went wrong, for programs. */
  readonly code: Open<ErrorCode>;
  /** The server's own words, if there are any. */
  readonly serverMessage: string | null;
  /** Field-level errors. */
  readonly details: readonly ErrorDetail[];
  /** Id of the request. */
  readonly requestId: string | null;
  /** Whole seconds that the server asks to wait. */
  readonly retryAfter: number | null;
  /** The rate limit as the response told it. */
  readonly rateLimit: RateLimit | null;
}

/**
 * The server answered with an error. Specification, "Errors". There is one subclass for each code; an answer that fits
 * none, such as the 502 of a proxy, is an `APIError` itself.
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
   * What went wrong, for programs: a code of the specification, or whatever else the server sent, such as
   * `workspace_not_found` in the older body form. `unexpected_status` when the body is not an error of this API.
   */
  readonly code: Open<ErrorCode>;
  /** The server's own words; `null` when the body is not an error of this API. */
  readonly serverMessage: string | null;
  /** Field-level errors; empty when there are none. */
  readonly details: readonly ErrorDetail[];
  /** Id of the request, for logs and support; `null` when the answer did not come from the service. */
  readonly requestId: string | null;
  /** Whole seconds that the server asks to wait, from `Retry-After` or `X-RateLimit-Reset`; `null` when it does not. */
  readonly retryAfter: number | null;
  /** The rate limit as this response told it. */
  readonly rateLimit: RateLimit | null;

  constructor(message: string, options: APIErrorOptions) {
    super(message, options);
    this.status = options.status;
    this.code = options.code;
    this.serverMessage = options.serverMessage;
    this.details = options.details;
    this.requestId = options.requestId;
    this.retryAfter = options.retryAfter;
    this.rateLimit = options.rateLimit;
  }

  override get name(): string {
    return 'APIError';
  }
}

/**
 * Specification, "Status codes", 400 `invalid_request`: a malformed request or a missing field; see `details`. Also 405 and 413.
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
  override get name(): string {
    return 'InvalidRequestError';
  }
}

/**
 * Specification, "Status codes", 401 `unauthorized`: the API key is missing, invalid or revoked.
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
  override get name(): string {
    return 'UnauthorizedError';
  }
}

/**
 * Specification, "Status codes", 403 `forbidden`: the key's role or scopes do not allow it.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.workspaces.delete(workspaceId).catch((error: unknown) => {
 *   if (!isAPIError(error, 'forbidden')) throw error;
 *   console.error('Only owners may.');
 * });
 * ```
 */
export class ForbiddenError extends APIError {
  override get name(): string {
    return 'ForbiddenError';
  }
}

/**
 * Specification, "Status codes", 404 `not_found`: no such resource in a workspace that the key can see.
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
  override get name(): string {
    return 'NotFoundError';
  }
}

/**
 * Specification, "Status codes", 409 `conflict`: it clashes with the current state, such as a slug that is taken.
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
  override get name(): string {
    return 'ConflictError';
  }
}

/**
 * Specification, "Status codes", 422 `unprocessable_entity`: well-formed, but against a rule, such as changing the sole
 * owner's role.
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
  override get name(): string {
    return 'UnprocessableEntityError';
  }
}

/**
 * Specification, "Status codes", 429 `rate_limited`: over the rate limit, and `maxRetries` or `maxRetryAfter` did not allow
 * to wait.
 *
 * @example
 * ```ts
 * import { isAPIError } from '@hubline/sdk';
 *
 * await client.me.get({ maxRetries: 0 }).catch((error: unknown) => {
 *   if (!isAPIError(error, 'rate_limited')) throw error;
 *   console.error(`Again in ${error.retryAfter} seconds.`);
 * });
 * ```
 */
export class RateLimitedError extends APIError {
  override get name(): string {
    return 'RateLimitedError';
  }
}

/**
 * Specification, "Status codes", 500 `internal_error`: an unexpected error of the server, on every attempt.
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
  override get name(): string {
    return 'InternalServerError';
  }
}

/**
 * Specification, "Status codes", 503 `service_unavailable`: temporarily unavailable, on every attempt.
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
  override get name(): string {
    return 'ServiceUnavailableError';
  }
}

/** Specification, "Status codes": the status and class of each code, and what usually helps. */
export const byCode = {
  invalid_request: [400, InvalidRequestError, 'Correct the request; details names the fields.'],
  unauthorized: [
    401,
    UnauthorizedError,
    'Check HUBLINE_API_KEY: the key is missing, mistyped, expired or revoked.',
  ],
  forbidden: [403, ForbiddenError, 'The key lacks the role or scopes: ask an owner or admin.'],
  not_found: [404, NotFoundError, 'Check the id, and that the key can see its workspace.'],
  conflict: [409, ConflictError, 'Read the current state and adapt.'],
  unprocessable_entity: [422, UnprocessableEntityError, 'A rule forbids it: check the state it applies to.'],
  rate_limited: [429, RateLimitedError, 'Wait retryAfter seconds, or raise maxRetries or maxRetryAfter.'],
  internal_error: [500, InternalServerError, 'Try again later with the same idempotencyKey.'],
  service_unavailable: [503, ServiceUnavailableError, 'Try again later with the same idempotencyKey.'],
} as const;
