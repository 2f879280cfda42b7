/** `@hubline/sdk` on Node: the values of index.ts, whose types hold here as well, with another client. */
export {
  APIError,
  ConflictError,
  ForbiddenError,
  InternalServerError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServiceUnavailableError,
  UnauthorizedError,
  UnprocessableEntityError,
  isAPIError,
} from './core/api-error.ts';
export {
  AbortError,
  ConnectionError,
  HublineError,
  InvalidResponseError,
  TimeoutError,
  isAbortError,
  isConnectionError,
  isHublineError,
  isInvalidResponseError,
  isTimeoutError,
} from './core/errors.ts';
export { Hubline } from './hubline.node.ts';
