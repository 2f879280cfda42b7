import type { LIMITS } from '@hubline/contract/constants';
import type { ErrorDetail } from '@hubline/contract/types';
import { APIError, byCode } from '../core/api-error.ts';
import type { Prepared } from '../core/call.ts';
import type { Config } from '../core/config.ts';
import { invalidResponse } from '../core/errors.ts';
import type { RawResponse, RateLimit, ResponseInfo } from '../core/response.ts';
import type { HeaderName } from '../internal/headers.ts';

/** The value of a JSON text; `undefined`, which is no JSON value, if it cannot be parsed. */
export function parseJSON(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

type Headers = Readonly<Record<string, string>>;

/** Specification, "Limits" 1: the rate limit counts by the minute, so no valid reset is further away. */
const WINDOW_MS: (typeof LIMITS)['windowMs'] = 60_000;

/** A header that holds a whole number, its first 15 digits if it is longer; `null` for anything else, such as `1e9`, `-1` or a date. */
function wholeNumber(headers: Headers, name: HeaderName): number | null {
  const text = headers[name]?.trim() ?? '';
  return /^\d+$/.test(text) ? +text.slice(0, 15) : null;
}

/** The rate limit of a response, or `null` where a header is missing or malformed. */
export function readRateLimit(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = (['limit', 'remaining', 'reset'] as const).map((name) =>
    wholeNumber(headers, `x-ratelimit-${name}`),
  );
  return limit == null || remaining == null || reset == null ? null : { limit, remaining, reset };
}

/** The part of a response that says how long to wait. */
interface ResponseHead {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Headers;
}

/**
 * Whole seconds that the server asks to wait: `Retry-After`, or on 429 the time until `X-RateLimit-Reset`. `null` if it asks for
 * no valid wait. Times are compared with the server's own `Date`, so that a wrong clock on this side does no harm.
 */
export function readRetryAfter({ status, headers }: ResponseHead): number | null {
  const now = (readDate(headers['date']) ?? Date.now()) / 1_000;
  const date = readDate(headers['retry-after' satisfies HeaderName]);
  const reset = status === 429 && wholeNumber(headers, 'x-ratelimit-reset');
  const seconds =
    wholeNumber(headers, 'retry-after') ??
    (date ? date / 1_000 - now : Math.min(Number(reset) - now, WINDOW_MS / 1_000));
  return seconds > 0 ? Math.ceil(seconds) : null;
}

/** Milliseconds of an HTTP date, in each of its three forms (RFC 9110, 5.6.7); the oldest does not say GMT. */
export function readDate(text = ''): number | null {
  return /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text.replace(/( GMT)?$/, ' GMT')) || null : null;
}

/**
 * The data of a response: an object, or `undefined` for a deletion. Anything else, such as the response of a proxy, would pass for
 * typed data and fail far from here. `client.request` accepts any JSON.
 */
export async function parseResponse(
  { parseJSON: parse }: Config,
  { name, operation, schema, request }: Prepared,
  { info, text }: Pick<RawResponse, 'info' | 'text'>,
): Promise<unknown> {
  const any = operation === 'request';
  if (text === '' && (any || request.method === 'DELETE')) return undefined;
  const data = parseJSON(text, parse);
  if (any ? data === undefined : !isObject(data)) {
    throw notFromApi(name, info, any ? 'without JSON' : 'without a JSON object');
  }
  const { issues } = (await schema?.['~standard'].validate(data)) ?? {};
  if (issues) {
    const shown = JSON.stringify(issues.slice(0, 5));
    throw invalidResponse(name, info, `and data that does not fit the schema: ${shown}`);
  }
  return data;
}

/** Refuses a response of another media type, so that the page of a proxy is not read as events or rows. */
export function assertMediaType({ name }: Prepared, info: ResponseInfo, wanted: string): void {
  // Parameters, such as a charset, may follow.
  if (!typeOf(info).toLowerCase().startsWith(wanted)) throw notFromApi(name, info, `without ${wanted}`);
}

const notFromApi = (name: string, info: ResponseInfo, what: string) =>
  invalidResponse(name, info, `${what} (${typeOf(info)}): check baseURL and the proxies in between`);

const typeOf = ({ headers }: ResponseInfo): string => headers['content-type'] ?? 'no content type';

/** An error message is for people: a longer one would bury the rest of a log. */
const LONGEST_MESSAGE = 1_000;

/**
 * The typed error of a response. `body` is in either form of the specification, or anything else: the newer form is
 * `{error: {code, message, details?, request_id}}`, the older one `{error, message, status_code}`. The advice in the message is
 * the server's, except for the options of this client.
 */
export function toAPIError(name: string, info: ResponseInfo, body: string): APIError {
  const { status } = info;
  const flat = fieldsOf(parseJSON(body));
  const nested = fieldsOf(flat['error']);
  const sent = textOf(flat['error']) ?? textOf(nested['code']);
  const message = textOf(nested['message']) ?? textOf(flat['message']);
  const details = Array.isArray(nested['details']) ? nested['details'].filter(isDetail) : [];
  const requestId = info.requestId ?? textOf(nested['request_id']);
  const rows = Object.entries(byCode);
  // A status without a row, such as 405 and 413, takes the row of its code.
  const [known, [, ErrorClass] = [0, APIError]] =
    rows.find(([, row]) => row[0] === status) ?? rows.find(([code]) => code === sent) ?? [];
  const code = sent ?? known ?? 'unexpected_status';

  const parts = [message ?? (known ? 'no message.' : NOT_FROM_API)];
  // Details that the message repeats are left out.
  for (const { field, issue } of details)
    if (!message?.includes(`${field} ${issue}`)) parts.push(`${field}: ${issue}.`);
  if (status === 429) parts.push('Wait retryAfter seconds, or raise maxRetries or maxRetryAfter.');
  const text = parts.join(' ').slice(0, LONGEST_MESSAGE);
  return new ErrorClass(
    `${name} responded with ${status} ${code}: ${text}${requestId ? ` (request ${requestId})` : ''}`,
    { ...info, code, serverMessage: message, details, requestId, retryAfter: readRetryAfter(info) },
  );
}

const NOT_FROM_API = 'this response is not from the API: check baseURL and the proxies in between.';

const fieldsOf = (value: unknown) => Object(value) as Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const isDetail = (value: unknown): value is ErrorDetail =>
  typeof fieldsOf(value)['field'] === 'string' && typeof fieldsOf(value)['issue'] === 'string';

/** Recognizes a JSON object: not `null`, and not an array. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
