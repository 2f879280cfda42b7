/** The reasons why this client itself ends an exchange. Those of the system and of TLS have codes of their own. */
export type TransportErrorCode =
  | 'ERR_BLOCKED_TARGET'
  | 'ERR_CLOSED'
  | 'ERR_CONNECT_TIMEOUT'
  | 'ERR_HEADERS_TOO_LARGE'
  | 'ERR_INVALID_REQUEST'
  | 'ERR_NOT_HTTP'
  | 'ERR_POOL_DESTROYED'
  | 'ERR_PROTOCOL_SWITCH'
  | 'ERR_RESPONSE_TOO_LONG';

/** An exchange that this client ended. `failure.ts` has the words for each code. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly code: TransportErrorCode;

  /** `detail`: for `ERR_NOT_HTTP`, the rule that the response breaks. Never a part of the response. */
  constructor(code: TransportErrorCode, detail = '') {
    super(detail || code);
    this.code = code;
  }
}

/** The error for a response that breaks a rule of HTTP/1.1; `rule` completes "the response is not HTTP/1.1: …". */
export const notHttp = (rule: string) => new TransportError('ERR_NOT_HTTP', rule);
