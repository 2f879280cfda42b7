import type { ErrorDetail } from '@hubline/contract/types';
import { APIError, classByCode, type APIErrorOptions, type ErrorCode } from './api-error.ts';

/** Specification, "Status codes". */
const codeByStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'unprocessable_entity',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'service_unavailable',
};

/** What usually causes each error, and what helps. */
const cure = {
  invalid_request: 'Correct the request; `details` names the fields.',
  unauthorized: 'The API key is missing, mistyped, expired or revoked: check apiKey or HUBLINE_API_KEY.',
  forbidden: 'The role or the scopes of the key do not allow it: use another key, or ask an owner or admin.',
  not_found: 'Ids belong to one workspace: check the id, and that the key can see its workspace.',
  conflict: 'Read the current state and adapt; to repeat a write safely, pass its idempotencyKey again.',
  unprocessable_entity: 'The request is well-formed but against a rule: check the state it applies to.',
  rate_limited: 'Wait retryAfter seconds, or raise maxRetries or maxRetryAfter to have the client wait.',
  internal_error:
    'The server failed: try again later with the same idempotencyKey, and report the request id.',
  service_unavailable: 'The server is down for a moment: try again later with the same idempotencyKey.',
} as const satisfies Record<ErrorCode, string>;

const FOREIGN =
  'The answer is not one of this API: a proxy may stand in between, or baseURL may point elsewhere.';

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
  const { code: sentCode, message, details, requestId } = parseErrorBody(text);
  const { status } = response;
  const known = codeByStatus[status] ?? (isErrorCode(sentCode) ? sentCode : undefined);
  const code = sentCode ?? known ?? 'unexpected_status';
  const says = message ?? (sentCode ? 'no message' : 'no error body');
  const fields = details.map(({ field, issue }) => ` ${field}: ${issue}.`).join('');
  const id = response.requestId ?? requestId;
  const Class = known ? classByCode[known] : APIError;
  return new Class(
    `${request} answered ${status} ${code}: ${clip(says)}${clip(fields)} ${known ? cure[known] : FOREIGN}` +
      (id ? ` (request ${id})` : ''),
    { ...response, code, serverMessage: message, details, requestId: id },
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

const isErrorCode = (code: string | null): code is ErrorCode =>
  code !== null && Object.hasOwn(classByCode, code);

function isDetail(value: unknown): value is ErrorDetail {
  const { field, issue } = asObject(value);
  return typeof field === 'string' && typeof issue === 'string';
}

const clip = (text: string) => (text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text);
