import type { HttpClient } from './http-client.ts';
import { exchange } from './exchange.ts';
import { refusal } from './failures/failure.ts';
import { OutboundError } from './outbound-error.ts';

/** One request to somebody else's server. */
export interface ProviderHttpRequest {
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
export interface ProviderHttpResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/**
 * The only way out for calls of providers' APIs, of an automation's URL, and of the authority for certificates: no redirects, no private
 * addresses, a deadline, a cap on the body.
 * Throws `OutboundError` when there is no HTTP response.
 */
export type ProviderHttp = (request: ProviderHttpRequest) => Promise<ProviderHttpResponse>;

const TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 1024 * 1024;

interface ProviderHttpOptions {
  /** For URLs that users name. */
  guarded: HttpClient;
  /** For URLs from the operator's configuration. */
  trusted: HttpClient;
  /** Sent with every request: GitHub refuses those without one. */
  userAgent: string;
  /** The longest that one request may take, in milliseconds. Default 10,000. */
  timeoutMs?: number | undefined;
}

/** Makes the function that calls providers. */
export function createProviderHttp(options: ProviderHttpOptions): ProviderHttp {
  const { guarded, trusted, userAgent, timeoutMs = TIMEOUT_MS } = options;
  return async (request) => {
    const client = request.trusted ? trusted : guarded;
    // A stored URL may have been allowed under an earlier setting: it is refused here, and the other side is not at
    // fault.
    const target = client.check(request.url);
    if (!target.ok) throw new OutboundError('blocked', refusal(target.kind).message);
    const result = await exchange(client, {
      method: request.method,
      url: request.url,
      headers: { 'user-agent': userAgent, ...request.headers },
      body: request.body === undefined ? null : Buffer.from(request.body),
      timeoutMs: Math.min(timeoutMs, request.timeoutMs ?? timeoutMs),
      readBytes: MAX_BODY_BYTES,
      keepBytes: MAX_BODY_BYTES,
    });
    if ('failure' in result) throw new OutboundError(result.failure.kind, result.failure.message);
    const { status, headers, body, complete } = result.response;
    if (!complete && !request.cutOk)
      throw new OutboundError('protocol', 'the response was cut off or is larger than 1 MiB');
    return { status, headers: joinHeaders(headers), body: body.toString('utf8') };
  };
}

/** Headers by name, those of the same name joined. */
function joinHeaders(headers: readonly string[]): Record<string, string> {
  const joined = new Map<string, string>();
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(joined);
}
