import type { ClientOptions } from '../src/core/options.ts';
import type { Step } from './scripted-server.ts';

/** One row of the conformance suite, and of docs/reference/retries.md, which is generated from it. */
export interface RetryCase {
  /** The behavior of the server, and the options that are set. */
  readonly given: string;
  /** One response for each request in turn; the last is repeated. */
  readonly steps: readonly Step[];
  readonly options?: Pick<ClientOptions, 'maxRetries' | 'maxRetryAfter' | 'totalTimeout'>;
  /** The random number, from 0 to 1. Default 0. */
  readonly chance?: number;
  readonly requests: number;
  /** The waits between the requests, in milliseconds. */
  readonly waits: readonly number[];
  /** The name of the error; `null` if the call succeeds. */
  readonly error: string | null;
  /** `error.retryAfter`, in seconds. */
  readonly retryAfter?: number;
}

const DATE = Date.UTC(2031, 5, 1);
const ok: Step = { status: 200, body: { id: 'ws_1' } };
const failing = (status: number, headers: Record<string, string> = {}, code = 'any'): Step => ({
  status,
  headers,
  body: { error: { code, message: 'Because.', request_id: 'req_1' } },
});
const resetIn = (seconds: number): Record<string, string> => ({
  'x-ratelimit-reset': String(DATE / 1_000 + seconds),
  date: new Date(DATE).toUTCString(),
});

/** `Retry-After` as a date: the time at which the wait ends. */
const dated = (seconds: number): Record<string, string> => ({
  'retry-after': new Date(DATE + seconds * 1_000).toUTCString(),
  date: new Date(DATE).toUTCString(),
});

const retried = (status: number): RetryCase => ({
  given: `${status}, then success`,
  steps: [failing(status), ok],
  requests: 2,
  waits: [1_000],
  error: null,
});

const final = (status: number, error: string): RetryCase => ({
  given: `${status}`,
  steps: [failing(status), ok],
  requests: 1,
  waits: [],
  error,
});

/** Section of the page → its rows. */
export const retryCases: Readonly<Record<string, readonly RetryCase[]>> = {
  'What is retried': [
    ...[429, 500, 503].map(retried),
    {
      ...retried(0),
      given: 'the connection is closed without a response, then success',
      steps: ['reset', ok],
    },
    {
      given: 'a response whose body is cut short, then success',
      steps: [
        (response) => {
          response.writeHead(200, { 'content-length': '1000' });
          response.write('{"id":', () => response.destroy());
        },
        ok,
      ],
      requests: 2,
      waits: [1_000],
      error: null,
    },
  ],
  'What is not retried': [
    final(400, 'InvalidRequestError'),
    final(401, 'UnauthorizedError'),
    final(403, 'ForbiddenError'),
    final(404, 'NotFoundError'),
    final(409, 'ConflictError'),
    {
      ...final(409, 'ConflictError'),
      given: '409 with `Retry-After: 3`: the first request with this idempotency key is still running',
      steps: [failing(409, { 'retry-after': '3' }), ok],
      retryAfter: 3,
    },
    final(422, 'UnprocessableEntityError'),
    // The server sends these two with the code of a 400.
    ...[405, 413].map((status) => ({
      ...final(status, 'InvalidRequestError'),
      steps: [failing(status, {}, 'invalid_request'), ok],
    })),
    ...[408, 410, 425, 501, 502, 504].map((status) => final(status, 'APIError')),
    { ...final(0, 'InvalidResponseError'), given: 'a redirect', steps: [{ status: 307 }, ok] },
    ...['{"id":', '<html>', 'null', '[]', '5', ''].map((body) => ({
      ...final(0, 'InvalidResponseError'),
      given: body ? `200 with \`${body}\`, which is not a JSON object` : '200 without a body',
      steps: [{ status: 200, body }, ok],
    })),
  ],
  'How long it waits': [
    {
      given: '503 every time, `maxRetries: 8`',
      steps: [failing(503)],
      options: { maxRetries: 8 },
      requests: 9,
      waits: [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000],
      error: 'ServiceUnavailableError',
    },
    {
      given: '503 every time, with maximum jitter',
      steps: [failing(503)],
      chance: 1,
      requests: 5,
      waits: [1_250, 2_500, 5_000, 10_000],
      error: 'ServiceUnavailableError',
    },
    {
      given: '500 every time, `maxRetries: 0`',
      steps: [failing(500)],
      options: { maxRetries: 0 },
      requests: 1,
      waits: [],
      error: 'InternalServerError',
    },
    {
      given: '503 every time, `totalTimeout: 5_000`: a wait that would end later does not begin',
      steps: [failing(503)],
      options: { totalTimeout: 5_000 },
      requests: 3,
      waits: [1_000, 2_000],
      error: 'ServiceUnavailableError',
    },
  ],
  'What the server asks for': [
    {
      given: '503 with `Retry-After: 7`',
      steps: [failing(503, { 'retry-after': '7' }), ok],
      requests: 2,
      waits: [7_000],
      error: null,
    },
    {
      given: '503 with `Retry-After: 7`, with maximum jitter: it only lengthens the wait',
      steps: [failing(503, { 'retry-after': '7' }), ok],
      chance: 1,
      requests: 2,
      waits: [7_250],
      error: null,
    },
    {
      given: '429 with `Retry-After: 7` and `X-RateLimit-Reset` in 23 s',
      steps: [failing(429, { 'retry-after': '7', ...resetIn(23) }), ok],
      requests: 2,
      waits: [7_000],
      error: null,
    },
    {
      given: '429 with `X-RateLimit-Reset` in 23 s, by the `Date` of the server',
      steps: [failing(429, resetIn(23)), ok],
      requests: 2,
      waits: [23_000],
      error: null,
    },
    {
      given:
        '429 with `X-RateLimit-Reset` in an hour: the wait is capped at one minute, the length of a window',
      steps: [failing(429, resetIn(3_600)), ok],
      requests: 2,
      waits: [60_000],
      error: null,
    },
    {
      given: '503 with `X-RateLimit-Reset` in 23 s: the header is used only on 429',
      steps: [failing(503, resetIn(23)), ok],
      requests: 2,
      waits: [1_000],
      error: null,
    },
    {
      given: '503 with `Retry-After` as a date, 40 s after the `Date` of the server',
      steps: [failing(503, dated(40)), ok],
      requests: 2,
      waits: [40_000],
      error: null,
    },
    {
      given: '503 with `Retry-After` as a date that has passed',
      steps: [failing(503, dated(-40)), ok],
      requests: 2,
      waits: [1_000],
      error: null,
    },
    {
      given: '429 with `Retry-After` as a date, in an hour',
      steps: [failing(429, dated(3_600)), ok],
      requests: 1,
      waits: [],
      error: 'RateLimitedError',
      retryAfter: 3_600,
    },
    ...['0', '-1', '1.5', '1e9', 'soon', '2032-12-31T23:59:59Z'].map((value): RetryCase => ({
      given: `503 with \`Retry-After: ${value}\`, which is neither whole seconds from 1 nor an HTTP date`,
      steps: [failing(503, { 'retry-after': value }), ok],
      requests: 2,
      waits: [1_000],
      error: null,
    })),
    {
      given: '429 with `Retry-After: 61`, which is more than `maxRetryAfter`',
      steps: [failing(429, { 'retry-after': '61' }), ok],
      requests: 1,
      waits: [],
      error: 'RateLimitedError',
      retryAfter: 61,
    },
    {
      given: '429 with `Retry-After: 61`, `maxRetryAfter: 120_000`',
      steps: [failing(429, { 'retry-after': '61' }), ok],
      options: { maxRetryAfter: 120_000 },
      requests: 2,
      waits: [61_000],
      error: null,
    },
  ],
};
