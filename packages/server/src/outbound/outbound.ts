/** One request to somebody else's server. */
export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  /** Sent as it is; the caller sets `content-type`. */
  body?: string;
  /**
   * The URL comes from the operator's configuration, such as `HUBLINE_GITHUB_API_URL`, and may point into a private
   * network. Everything that a user can influence must leave this out.
   */
  trusted?: true;
  /** Only the status matters: a body that is cut off or larger than 1 MiB is no error, and its beginning is kept. */
  cutOk?: true;
  /** Deadline for the whole exchange, in milliseconds, if shorter than the default. */
  timeoutMs?: number;
}

/** The response. At most 1 MiB of text is read, and never decompressed. */
export interface OutboundResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/**
 * The only way out for provider calls: no redirects, no private addresses, a deadline, a cap on the body.
 * Throws `OutboundError` when there is no HTTP response.
 */
export type Outbound = (request: OutboundRequest) => Promise<OutboundResponse>;
