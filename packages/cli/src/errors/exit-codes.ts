/** Every exit code of `hubline`, once: the error map, `hubline help exit-codes` and the README read this table. */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'success (an empty list counts as success)' },
  failure: { code: 1, meaning: 'unexpected failure: a bug' },
  usage: { code: 2, meaning: 'usage: bad flag, missing input, or a confirmation that needs --yes' },
  denied: { code: 3, meaning: 'not authenticated, or not allowed (401, 403)' },
  not_found: { code: 4, meaning: 'not found (404)' },
  conflict: { code: 5, meaning: 'conflict, or a rule forbids it (409, 422)' },
  invalid: { code: 6, meaning: 'the server rejects the request as invalid (400)' },
  unavailable: { code: 7, meaning: 'network, timeout or server failure, after retries (500, 503)' },
  rate_limited: { code: 8, meaning: 'rate limited for longer than --max-wait (429)' },
  check_failed: { code: 9, meaning: 'a check failed: bad signature, test not delivered' },
  partial: { code: 10, meaning: 'partly done: the output says what failed, line by line' },
  hung_up: { code: 129, meaning: 'stopped because the terminal was closed (SIGHUP)' },
  interrupted: { code: 130, meaning: 'stopped by Ctrl-C' },
  closed_pipe: { code: 141, meaning: 'the reader of the output went away' },
  terminated: { code: 143, meaning: 'stopped by SIGTERM' },
} as const;

/** The reason why a command ended. */
export type ExitReason = keyof typeof EXIT_CODES;

/** The reason for each status of the specification; see {@link exitReasonOf}. */
const BY_STATUS: Readonly<Record<number, ExitReason>> = {
  401: 'denied',
  403: 'denied',
  404: 'not_found',
  409: 'conflict',
  422: 'conflict',
  429: 'rate_limited',
};

/** The exit reason of an HTTP status that is not a success. */
export function exitReasonOf(status: number): ExitReason {
  return BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'invalid');
}
