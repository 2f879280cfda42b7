import { ERROR_STATUS, HEADERS } from '@hubline/contract';
import { Fault, type FaultOptions } from '../../domain/faults/fault.ts';
import { type Charge, RateLimited } from '../../limits/rate-limiter.ts';

/** A refusal of HTTP itself, whose status says more than that of its code: 405, 413, 415. */
export class HttpFault extends Fault {
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    message: string,
    { headers = {}, ...options }: FaultOptions & { headers?: Record<string, string> } = {},
  ) {
    super('invalid_request', message, options);
    this.status = status;
    this.headers = headers;
  }
}

/** 415: the body has a form that the server does not read. */
export const unsupported = (header: string, issue: string) =>
  new HttpFault(415, `${header} ${issue}.`, { details: [{ field: header, issue }] });

/** The status of the response to a refused request. */
export const statusOf = (fault: Fault): number =>
  fault instanceof HttpFault ? fault.status : ERROR_STATUS[fault.code];

/** The headers that tell a program what a refusal means. */
export function headersOf(fault: Fault): Record<string, string> {
  return {
    ...(fault.wantsApiKey ? { [HEADERS.wwwAuthenticate]: 'Bearer' } : {}),
    ...(fault.replayed ? { [HEADERS.idempotencyReplayed]: 'true' } : {}),
    ...(fault instanceof RateLimited ? setRateHeaders({}, fault.charge) : {}),
    ...(fault.retryAfterSeconds === undefined
      ? {}
      : { [HEADERS.retryAfter]: String(fault.retryAfterSeconds) }),
    ...(fault instanceof HttpFault ? fault.headers : {}),
  };
}

/** Adds the headers of a response to a charged request. Specification, "Rate-limit response headers" 1 to 5. */
export function setRateHeaders(
  headers: Record<string, string>,
  { limit, remaining, reset }: Charge,
): Record<string, string> {
  headers[HEADERS.rateLimitLimit] = String(limit);
  headers[HEADERS.rateLimitRemaining] = String(remaining);
  headers[HEADERS.rateLimitReset] = String(reset);
  return headers;
}
