import type { ErrorDetail } from '@hubline/contract/types';
import { APIError, byCode } from '../core/api-error.ts';
import type { ResponseInfo } from '../core/response.ts';
import { parseJSON } from './parse-json.ts';
import { readRetryAfter } from './response-headers.ts';

/** An error message is for people: a longer one would drown the rest of a log. */
const LONGEST_MESSAGE = 1_000;

/**
 * The typed error of a response; `body` is in either form of the specification, `{error: {code, message, details?, request_id}}` or the
 * older `{error, message, status_code}`, or anything else. The server says what helps; what is added is about this client.
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
  // A status without a row, such as 405 and 413, has that of its code.
  const [known, [, ErrorClass] = [0, APIError]] =
    rows.find(([, row]) => row[0] === status) ?? rows.find(([code]) => code === sent) ?? [];
  const code = sent ?? known ?? 'unexpected_status';

  const told = [message ?? (known ? 'no message.' : FOREIGN)];
  // What the message tells already is not told again.
  for (const { field, issue } of details)
    if (!message?.includes(`${field} ${issue}`)) told.push(`${field}: ${issue}.`);
  if (status === 429) told.push('Wait retryAfter seconds, or raise maxRetries or maxRetryAfter.');
  const text = told.join(' ').slice(0, LONGEST_MESSAGE);
  return new ErrorClass(
    `${name} answered ${status} ${code}: ${text}${requestId ? ` (request ${requestId})` : ''}`,
    { ...info, code, serverMessage: message, details, requestId, retryAfter: readRetryAfter(info) },
  );
}

const FOREIGN = 'this is no answer of the API: check baseURL and the proxies in between.';

const fieldsOf = (value: unknown) => Object(value) as Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const isDetail = (value: unknown): value is ErrorDetail =>
  typeof fieldsOf(value)['field'] === 'string' && typeof fieldsOf(value)['issue'] === 'string';
