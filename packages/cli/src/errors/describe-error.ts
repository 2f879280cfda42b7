import { ERROR_STATUS } from '@hubline/contract/constants';
import type { Fault } from '@hubline/server';
import { unreachableIn } from '../client/unreachable.ts';
import { cutLong } from './cut-long.ts';
import { CommandError } from './errors.ts';
import { EXIT_CODES, exitReasonOf } from './exit-codes.ts';
import { explainFileError } from './file-error.ts';

/** An error as it is printed: with `--json`, exactly these fields. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
  readonly request_id: string | null;
  readonly details: readonly { readonly field: string; readonly issue: string }[];
  readonly hint: string | null;
  readonly exit_code: number;
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'Check the key with: hubline auth status',
  403: 'See what this key may do with: hubline whoami',
  429: 'Wait, or allow a longer pause with --max-wait.',
  500: 'Try again. If it happens again, send the request ID to the operator of the server.',
  503: 'Is the server itself unavailable? See: hubline server status',
};

const CHECK_SERVER = 'Try again, and check the server: hubline server status';

/** The hint for a status. A connected tool that limits its callers also leads to 503, so the wait that it asks for comes first. */
function hintFor(status: number, retryAfter: number | null): string | null {
  const hint = HINTS[status] ?? null;
  if (status !== 503) return hint;
  return `Try again in ${retryAfter === null ? 'a moment' : `${retryAfter} s`}. ${hint}`;
}

/** The only map from errors to exit codes. */
export async function describeError(error: unknown): Promise<ErrorReport> {
  const report = (code: string, message: string, rest: Partial<ErrorReport>): ErrorReport => ({
    code,
    message: cutLong(message),
    status: null,
    request_id: null,
    details: [],
    hint: null,
    exit_code: EXIT_CODES.failure.code,
    ...rest,
  });
  if (error instanceof CommandError) {
    return report(error.reason, error.message, { hint: error.hint ?? null, exit_code: error.exitCode });
  }
  const unavailable = (code: string, message: string, hint: string): ErrorReport =>
    report(code, message, { hint, exit_code: EXIT_CODES.unavailable.code });
  const unreachable = unreachableIn(error);
  if (unreachable) return unavailable('connection_error', unreachable.message, unreachable.hint);
  // The code that threw these errors has loaded the SDK already, so this import costs nothing.
  const { isAPIError, isConnectionError, isHublineError, isInvalidResponseError, isTimeoutError } =
    await import('@hubline/sdk');
  if (isAPIError(error)) {
    return report(error.code, error.serverMessage ?? inFlags(error.message, error.retryAfter), {
      status: error.status,
      request_id: error.requestId,
      details: error.details,
      hint: hintFor(error.status, error.retryAfter),
      exit_code: EXIT_CODES[exitReasonOf(error.status)].code,
    });
  }
  const text = error instanceof Error ? error.message : String(error);
  const message = isHublineError(error) ? inFlags(text) : text;
  if (isConnectionError(error)) {
    return isTimeoutError(error)
      ? unavailable(
          'timeout',
          'The server did not respond completely in time.',
          'Allow more time with --timeout.',
        )
      : unavailable(
          'connection_error',
          'The connection was lost before the response was complete.',
          CHECK_SERVER,
        );
  }
  if (isInvalidResponseError(error)) {
    return unavailable('invalid_response', message, 'Check the address: hubline config explain');
  }
  // The server's own errors are recognized by name, because only commands that run a server load its package.
  const name = error instanceof Error ? error.name : '';
  if (isHublineError(error) || name === 'ConfigError') {
    return report('usage', message, { exit_code: EXIT_CODES.usage.code });
  }
  if (name === 'Fault') {
    const { code, details = [] } = error as Fault;
    const status = ERROR_STATUS[code];
    return report(code, message, { status, details, exit_code: EXIT_CODES[exitReasonOf(status)].code });
  }
  const file = explainFileError(error);
  if (file) return report('usage', file.message, { hint: file.hint, exit_code: EXIT_CODES.usage.code });
  return report('internal_error', message, {
    hint: 'This looks like a bug. Run it again with --verbose, and report what it prints.',
  });
}

/** The options of the SDK that its messages name, as they are called here. */
const FLAGS: Readonly<Record<string, string>> = {
  baseURL: '--base-url',
  idempotencyKey: '--idempotency-key',
  maxRetries: '--retries',
  maxRetryAfter: '--max-wait',
};

/** A message of the SDK in the words of the command line. A wait is a number of seconds. */
function inFlags(message: string, retryAfter: number | null = null): string {
  return message
    .replaceAll(/\b(?:baseURL|idempotencyKey|maxRetries|maxRetryAfter)\b/g, (name) => FLAGS[name] ?? name)
    .replace(/\bretryAfter seconds\b/, retryAfter === null ? 'a moment' : `${retryAfter} seconds`)
    .replace(/\bmaxResponseBytes \((\d+)\)/, '$1 bytes');
}

/** Reports whether `text` contains `part`, whatever the punctuation and capitals. */
export const saysAlready = (text: string, part: string): boolean => words(text).includes(words(part));

const words = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, ' ');
