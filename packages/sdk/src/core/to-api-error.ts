import type { ErrorDetail } from '@hubline/contract/types';
import { APIError, classByCode, type APIErrorOptions, type ErrorCode } from './api-error.ts';

/** Specification, "Status codes": the code of each status, and what usually helps. */
const known: Readonly<Record<number, readonly [code: ErrorCode, cure: string]>> = {
  400: ['invalid_request', 'Correct the request; details names the fields.'],
  401: ['unauthorized', 'The API key is missing, mistyped, expired or revoked: check HUBLINE_API_KEY.'],
  403: ['forbidden', 'The role or scopes of the key do not allow it: ask an owner or admin.'],
  404: ['not_found', 'Check the id, and that the key can see its workspace.'],
  409: ['conflict', 'Read the current state and adapt.'],
  422: ['unprocessable_entity', 'Well-formed, but against a rule: check the state it applies to.'],
  429: ['rate_limited', 'Wait retryAfter seconds, or raise maxRetries or maxRetryAfter.'],
  500: ['internal_error', 'The server failed: try again later with the same idempotencyKey.'],
  503: [
    'service_unavailable',
    'The server is away for a moment: try again later with the same idempotencyKey.',
  ],
};

/** For statuses that only a code explains, such as 405 and 413; and for those that nothing does. */
const rowOf = (status: number, code: string | null) =>
  known[status] ?? Object.values(known).find((row) => row[0] === code);

const FOREIGN = 'This is not an answer of the API: check baseURL and the proxies in between.';

/** An error message is for people: a longer one would drown the rest of a log. */
const LONGEST_MESSAGE = 1_000;

/** The parts of an error that are known before its body is read, and the request it answers, such as `GET /me`. */
export interface FailedResponse extends Pick<
  APIErrorOptions,
  'status' | 'requestId' | 'retryAfter' | 'rateLimit' | 'idempotencyKey'
> {
  readonly request: string;
}

/** The typed error of a response; `text` is its body, in either form of the specification or anything else. */
export function toAPIError({ request, ...response }: FailedResponse, text: string): APIError {
  const { code, message, details, requestId } = parseErrorBody(text);
  const { status } = response;
  const [knownCode, cure] = rowOf(status, code) ?? [];
  const fields = details.map(({ field, issue }) => ` ${field}: ${issue}.`).join('');
  const options = {
    ...response,
    code: code ?? knownCode ?? 'unexpected_status',
    serverMessage: message,
    details,
    requestId: response.requestId ?? requestId,
  };
  return new (knownCode ? classByCode[knownCode] : APIError)(
    `${request} answered ${status} ${options.code}: ${clip((message ?? 'no message.') + fields)} ${cure ?? FOREIGN}` +
      (options.requestId === null ? '' : ` (request ${options.requestId})`),
    options,
  );
}

interface ErrorParts {
  code: string | null;
  message: string | null;
  details: ErrorDetail[];
  requestId: string | null;
}

/** Both forms: `{error: {code, message, details?, request_id}}` and the older `{error, message, status_code}`. */
function parseErrorBody(text: string): ErrorParts {
  const body = asObject(parseJSON(text));
  const nested = asObject(body['error']);
  const flat = asString(body['error']);
  const details = Array.isArray(nested['details']) ? nested['details'].filter(isDetail) : [];
  return {
    code: flat ?? asString(nested['code']),
    message: asString((flat === null ? nested : body)['message']),
    details,
    requestId: asString(nested['request_id']),
  };
}

function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const asString = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function isDetail(value: unknown): value is ErrorDetail {
  const { field, issue } = asObject(value);
  return typeof field === 'string' && typeof issue === 'string';
}

const clip = (text: string) => (text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text);
