/** Every limit of the API, once. Durations are in milliseconds unless the name says otherwise. */
export const LIMITS = {
  /** Specification, "Limits" 1: requests per window and workspace. */
  requestsPerWindow: 1_000,
  /** Specification, "Limits" 1: requests are counted per minute. */
  windowMs: 60_000,
  /** Specification, "Pagination (list endpoints)" 1. */
  pageDefault: 20,
  /** Specification, "Pagination (list endpoints)" 1. */
  pageMax: 100,
  /** Specification, "Limits" 5: workspace name, in characters. */
  nameMax: 100,
  /** Specification, "Limits" 5: workspace slug, in characters. */
  slugMin: 2,
  slugMax: 50,
  /** RFC 5321: the longest address that can be delivered. */
  emailMax: 254,
  /** Specification, "Limits" 4: the response to an `Idempotency-Key` is stored for 24 hours. */
  idempotencyWindowMs: 24 * 60 * 60_000,
  /** The longest `Idempotency-Key`, in visible ASCII characters. */
  idempotencyKeyMax: 255,
  /** The longest wait for an earlier request with the same key, before the later one gets 409. */
  idempotencyWaitMs: 10_000,
  /** JSON request bodies, in bytes. */
  bodyBytes: 1024 * 1024,
  /** A URL that this server calls, in characters. */
  urlMax: 2_048,
  /** Request bodies that need no API key, in bytes: accepting an invitation, logging in, and HTML forms. */
  publicBodyBytes: 16 * 1024,
  /** Provider hooks, in bytes: GitHub sends up to 25 MB. */
  ingestBodyBytes: 25 * 1024 * 1024,
  /** The largest page of a list, and the largest payload in a list, a stream or a delivery, in bytes. */
  pageBytes: 8 * 1024 * 1024,
  /** The number at which statistics stop counting the open deliveries of each status: a larger one would say no more. */
  queueCounted: 10_000,
  /** Attempts that a delivery shows, the last ones. Their total has no bound: each manual retry adds one. */
  attemptsShown: 100,
  /** Nesting of JSON bodies and payloads: `JSON.stringify` overflows the stack between 1,000 and 5,000. */
  jsonDepth: 64,
  /** Members of one object or array in a JSON body, outside of payloads: as many as a batch has events. */
  jsonMembers: 1_000,
  /** Events in one batch. */
  batchMax: 1_000,
  /** Deliveries that one transaction stores with its events; background jobs create the rest. */
  deliveriesAtOnce: 2_000,
  /** Credentials of one integration. */
  credentialsMax: 50,
  /** One credential, in characters: a private key or a service account in JSON. */
  credentialMax: 4_096,
  /** Providers that one workspace defines. */
  providersMax: 50,
  /** A search, in characters. */
  searchMax: 200,
  /** Events that one request examines if no index helps, in all its workspaces. It does so in parts: other requests have their turn in between. */
  searchedEvents: 5_000,
  /** Events whose payloads one request searches, in all its workspaces. It reads at most 64 MiB, and usually a few megabytes. */
  searchedPayloads: 1_000,
  /** Values of one filter. */
  filterMax: 100,
  /** Conditions: nesting, number of comparisons, and size as JSON. */
  conditionDepthMax: 5,
  conditionLeavesMax: 50,
  conditionBytes: 16 * 1024,
  /** The path of a condition, and its value or pattern, in characters. */
  conditionFieldMax: 200,
  conditionValueMax: 1_024,
  /** Automations of a workspace; actions of one, and their size as JSON; characters of a template; the longest wait. */
  automationsMax: 10_000,
  actionsMax: 20,
  actionsBytes: 64 * 1024,
  templateMax: 16_384,
  waitMaxSeconds: 30 * 24 * 60 * 60,
  /** Automations that may start each other in a row. */
  automationDepthMax: 5,
  /** Events that automations may publish because of one event, directly or through other automations. */
  automationEventsMax: 100,
  /** Notification rules of one workspace. */
  rulesMax: 10_000,
  /** Destinations of one notification rule, and users that one of them names. */
  destinationsMax: 20,
  /** The shortest window of a digest, and the longest of a digest or of deduplication. */
  digestMinSeconds: 60,
  windowMaxSeconds: 31 * 24 * 60 * 60,
  /** Items that a digest lists one by one. */
  digestItemsMax: 100,
  /** Field-level errors in one error body. */
  detailsMax: 20,
  /** Specification, "Delivery" 3: the receiver responds within 30 seconds; the deadline covers the whole attempt. */
  attemptTimeoutMs: 30_000,
  /** Specification, "Delivery" 4: the delay before each attempt, counted from the end of the attempt before it. */
  retryDelaysMs: [0, 5_000, 25_000, 120_000, 600_000],
  /** A receiver's own `Retry-After` may move an attempt later, by at most this. */
  retryAfterMaxMs: 60 * 60_000,
  /** The highest rate limit of one webhook, in calls per second: faster than one process sends. */
  webhookRateMax: 1_000,
  /** A webhook whose every attempt has failed for this long is disabled. */
  failingMaxMs: 5 * 24 * 60 * 60_000,
  /**
   * Owners and admins are notified of a webhook whose every attempt has failed for this long. A single delivery is
   * retried for longer: about 13 minutes.
   */
  failingNotifiedMs: 10 * 60_000,
  /** Bytes of a receiver's response body that are read before the connection is dropped. */
  responseReadBytes: 64 * 1024,
  /** Bytes of the response body that are kept with the attempt. */
  responseKeepBytes: 4 * 1024,
  /** An invitation can be accepted for 7 days. */
  invitationMs: 7 * 24 * 60 * 60_000,
  /** A secret that signs calls, in characters. */
  secretMax: 255,
  /** Shorter secrets are accepted, because the specification sets no minimum, but clients warn of them: one signed call is enough to guess them. */
  secretAdvisedMin: 16,
  /** Passwords of the dashboard, in characters. */
  passwordMin: 12,
  passwordMax: 256,
  /** A session of the dashboard lasts 30 days. */
  sessionMs: 30 * 24 * 60 * 60_000,
  /** Logins per minute from one IP address; for one user, three times as many from all addresses together. */
  loginsPerWindow: 10,
  /** A rotated secret or key stays valid beside the new one for at most 7 days. */
  overlapMaxSeconds: 7 * 24 * 60 * 60,
  /** Specification, "Retry rules" 2: the backoff of clients. */
  clientBackoffMs: { first: 1_000, factor: 2, cap: 60_000 },
} as const;
