import { ProviderUnavailable } from '../../domain/faults/provider-unavailable.ts';
import { oneLine } from '../../domain/events/summary/summary.ts';
import { parseRetryAfter } from '../../outbound/retry-after.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import type { ProviderHttpRequest, ProviderHttpResponse } from '../../outbound/provider-http.ts';
import { parseJson } from './json-body.ts';
import type { ProviderTools } from '../provider.ts';

/** The response of a provider's JSON API. */
export interface ApiResponse {
  /** Below 500 and not 429. 0: the address is one that users may not reach through this server, and nothing was sent. */
  status: number;
  /** The JSON value, or a refusal in words; `null` without a body, as with 202, 204 and some refusals. */
  body: unknown;
  /** The body as it came: numbers may have more digits than a value holds. */
  text: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** A request to a provider's JSON API. */
export interface ApiRequest extends ProviderHttpRequest {
  /** Reports whether a text that is not JSON is still the API's own refusal. Default: none is. */
  isRefusal?: ((status: number, text: string) => boolean) | undefined;
}

// Accepted, and no content: the status says everything.
const BODILESS: ReadonlySet<number> = new Set([202, 204]);
const BLOCKED: ApiResponse = { status: 0, body: null, text: '', headers: {} };

/**
 * Sends one request to a provider's JSON API, which people call `name`. Throws `ProviderUnavailable` for everything but
 * the API's own response: no response, 429, 5xx, and the page of a proxy or the like.
 */
export async function callApi(
  tools: Pick<ProviderTools, 'providerHttp' | 'clock'>,
  name: string,
  { isRefusal, ...request }: ApiRequest,
): Promise<ApiResponse> {
  const response = await call(tools, name, request);
  if (response === null) return BLOCKED;
  const { status, headers } = response;
  if (response.body === '') {
    if (status >= 200 && status < 300 && !BODILESS.has(status))
      throw new ProviderUnavailable(`${name} responded with ${status} and an empty body`);
    return { status, headers, body: null, text: '' };
  }
  const json = parseJson(response.body);
  if (!json.ok && isRefusal?.(status, response.body))
    return { status, headers, body: response.body, text: response.body };
  if (!json.ok) throw new ProviderUnavailable(`${name} responded with ${status} and a body that is not JSON`);
  return { status, headers, body: json.value, text: response.body };
}

/** Like `callApi`, for a response in any format; `null` for an address that users may not reach. */
export async function call(
  { providerHttp, clock }: Pick<ProviderTools, 'providerHttp' | 'clock'>,
  name: string,
  request: ProviderHttpRequest,
): Promise<ProviderHttpResponse | null> {
  let response: ProviderHttpResponse;
  try {
    response = await providerHttp(request);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.kind === 'blocked') return null;
    throw new ProviderUnavailable(`${name} did not respond: ${error.message}`);
  }
  const { status, headers } = response;
  if (status === 429 || status >= 500) {
    throw new ProviderUnavailable(`${name} responded with ${status}`, retryAfterSeconds(headers, clock()));
  }
  return response;
}

/** The wait that a response asks for; `undefined` when it does not say. */
export function retryAfterSeconds(headers: ApiResponse['headers'], now: Date): number | undefined {
  const ms = parseRetryAfter(headers['retry-after'] ?? '', now);
  if (ms !== null) return Math.ceil(ms / 1_000);
  // Of a limit that is used up, GitHub says only when it ends, in Unix seconds.
  const end = headers['x-ratelimit-remaining'] === '0' ? Number(headers['x-ratelimit-reset']) : Number.NaN;
  const seconds = Math.ceil(end - now.getTime() / 1_000);
  return seconds > 0 ? seconds : undefined;
}

/** A provider's own reason as one line without the credential that it was called with, and without a final period. */
export const ownReason = (text: string, credential: string): string =>
  oneLine(credential ? text.replaceAll(credential, '[token]') : text).replace(/\.$/, '');
