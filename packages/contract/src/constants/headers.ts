/** Every header name of the API, once, in its canonical case. Header names are case-insensitive. */
export const HEADERS = {
  /** Specification, "Authentication" 1: `Authorization: Bearer <API_KEY>`. */
  authorization: 'Authorization',
  /** Specification, "Limits" 4 and 9: a client-generated unique string; the first response is replayed for 24 hours. */
  idempotencyKey: 'Idempotency-Key',
  /** `true` on a response that was stored by an earlier request with the same key. */
  idempotencyReplayed: 'Idempotency-Replayed',
  /** The same ID as `error.request_id`, on every response. */
  requestId: 'X-Request-Id',
  /** Specification, "Rate-limit response headers" 1: maximum requests per minute. */
  rateLimitLimit: 'X-RateLimit-Limit',
  /** Requests left in the current window. */
  rateLimitRemaining: 'X-RateLimit-Remaining',
  /** Unix timestamp in seconds at which the window resets. */
  rateLimitReset: 'X-RateLimit-Reset',
  /** Whole seconds to wait; on 429, on 503, and on the 409 of a request that is still running. */
  retryAfter: 'Retry-After',
  /** `flat` asks for the older error body `{error, message, status_code}`. */
  errorFormat: 'X-Error-Format',
  /** RFC 9110: the authentication scheme that a 401 asks for. */
  wwwAuthenticate: 'WWW-Authenticate',
  /** RFC 6266: the file name of a CSV export. */
  contentDisposition: 'Content-Disposition',
  /** Server-sent events: the ID of the last event that the client has seen. */
  lastEventId: 'Last-Event-ID',
  /** RFC 9745: the time at which the endpoint became deprecated. */
  deprecation: 'Deprecation',
  /** RFC 8594: the earliest time at which the endpoint stops working. */
  sunset: 'Sunset',
} as const;

/** Headers of a webhook call, sent by the delivery engine. Specification, "Delivery" 2, and the Standard Webhooks headers beside it. */
export const DELIVERY_HEADERS = {
  /** Hex HMAC-SHA256 of the raw body, keyed with the webhook's secret. */
  signature: 'X-Service-Signature',
  /** The trigger, for example `event.created`. */
  event: 'X-Service-Event',
  /** The delivery ID, the same on every attempt. */
  delivery: 'X-Service-Delivery',
  /** 1 for the first attempt. */
  attempt: 'X-Service-Attempt',
  /** Standard Webhooks: the delivery ID. */
  standardId: 'webhook-id',
  /** Standard Webhooks: Unix seconds of this attempt. */
  standardTimestamp: 'webhook-timestamp',
  /** Standard Webhooks: `v1,<base64>` over `id.timestamp.body`, one for each valid secret, separated by spaces. */
  standardSignature: 'webhook-signature',
} as const;
