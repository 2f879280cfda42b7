/** Specification, "Status codes" 400 to 503: the status of each code, unless a more exact one applies, such as 413. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unprocessable_entity: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;

/** The `code` of an error body. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** All codes, for schemas and exhaustive tables. */
export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[];
