import type { TransportRequest, TransportResponse } from './transport.ts';

/**
 * The call that an attempt belongs to, as a middleware sees it.
 *
 * @example
 * ```ts
 * import { Hubline } from '@hubline/sdk';
 *
 * const retries = new Map<string, number>();
 * const counting = new Hubline({
 *   middleware: [
 *     (request, next, { operation, attempt }) => {
 *       if (attempt > 1) retries.set(operation, (retries.get(operation) ?? 0) + 1);
 *       return next(request);
 *     },
 *   ],
 * });
 * ```
 */
export interface MiddlewareContext {
  /** Name of the method, such as `members.update`; `request` for the escape hatch. A good name for a trace span. */
  readonly operation: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/**
 * Stands between the client and the transport. It runs once for every attempt, inside the retry loop: it sees each
 * request with all its headers and each response of any status, before errors are made of them. It may change the
 * request, answer without calling `next`, or look at the response; it must not read the body unless it returns another
 * one. What it throws is passed to the caller as it is and is not retried, unless it is the `ConnectionError` that
 * `next` rejected with. The first middleware in the list is the outermost.
 *
 * @example
 * ```ts
 * import type { Middleware } from '@hubline/sdk';
 *
 * const timing: Middleware = async (request, next, { operation, attempt }) => {
 *   const start = performance.now();
 *   const response = await next(request);
 *   console.log(operation, attempt, response.status, performance.now() - start);
 *   return response;
 * };
 * ```
 */
export type Middleware = (
  request: TransportRequest,
  next: (request: TransportRequest) => Promise<TransportResponse>,
  context: MiddlewareContext,
) => Promise<TransportResponse>;
