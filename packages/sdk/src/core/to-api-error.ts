import type { ErrorDetail } from '@hubline/contract/types';
import { parseJSON } from '../internal/parse-json.ts';
import { APIError, byCode, type APIErrorOptions } from './api-error.ts';

const rows = Object.entries(byCode);

/** The row of a status; where the status has none, such as 405 and 413, that of the code. */
const rowOf = (status: number, code: string | null) =>
  rows.find(([, row]) => row[0] === status) ?? rows.find(([known]) => known === code);

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
  const [knownCode, [, ErrorClass = APIError, cure = FOREIGN] = []] = rowOf(status, code) ?? [];
  const fields = details.map(({ field, issue }) => ` ${field}: ${issue}.`).join('');
  const options = {
    ...response,
    code: code ?? knownCode ?? 'unexpected_status',
    serverMessage: message,
    details,
    requestId: response.requestId ?? requestId,
  };
  return new ErrorClass(
    `${request} answered ${status} ${options.code}: ${clip((message ?? 'no message.') + fields)} ${cure}` +
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

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const asString = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function isDetail(value: unknown): value is ErrorDetail {
  const { field, issue } = asObject(value);
  return typeof field === 'string' && typeof issue === 'string';
}

const clip = (text: string) => (text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text);
