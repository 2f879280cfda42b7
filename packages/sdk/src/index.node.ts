/** `@hubline/sdk` on Node: the values of index.ts, with the client for Node. The types are those of index.ts. */
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
