/**
 * Methods of the API.
 *
 * @example
 * ```ts
 * import type { Method } from '@hubline/sdk';
 *
 * const send = (method: Method, path: string, body?: unknown) => client.request({ method, path, body });
 * await send('GET', '/me');
 * ```
 */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One HTTP request, as a transport gets it.
 *
 * @example
 * ```ts
 * import { Hubline, type TransportRequest } from '@hubline/sdk';
 * import { fetchTransport } from '@hubline/sdk/fetch';
 *
 * const send = fetchTransport();
 * const printed = ({ method, url }: TransportRequest) => `${method} ${new URL(url).pathname}`;
 * const chatty = new Hubline({ transport: (request) => (console.log(printed(request)), send(request)) });
 * await chatty.me.get(); // GET /v1/me
 * ```
 */
export interface TransportRequest {
  /** `GET`, `POST`, `PUT`, `PATCH` or `DELETE`. */
  readonly method: string;
  /** Absolute URL, below the client's base URL. */
  readonly url: string;
  /** Names in lower case. `authorization` holds the API key: never log it. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * JSON text.
   *
   * @default none
   */
  readonly body?: string | undefined;
  /** Aborts when the caller gives up or the time is up; the connection must end then. */
  readonly signal: AbortSignal;
}

/**
 * One HTTP response, as a transport gives it.
 *
 * @example
 * ```ts
 * import { Hubline, type TransportResponse } from '@hubline/sdk';
 *
 * // Tests your own code without a server.
 * async function* json(value: unknown) {
 *   yield new TextEncoder().encode(JSON.stringify(value));
 * }
 * const response: TransportResponse = { status: 200, headers: {}, body: json({ id: 'ws_1', name: 'Acme' }) };
 * const faked = new Hubline({ transport: async () => response });
 * console.log((await faked.workspaces.get('ws_1')).name); // Acme
 * ```
 */
export interface TransportResponse {
  /** HTTP status; 0 for a redirect that the runtime hides. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded bytes, read once; ending the iteration early ends the connection. `null` for no body. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * Sends one request, once: it neither retries nor follows redirects, resolves for every status, and rejects only when
 * no response came. Retries, errors, idempotency and pages are built on top of it, so they are the same on every transport.
 *
 * @example
 * ```ts
 * import type { Transport, TransportRequest } from '@hubline/sdk';
 *
 * const recorded: TransportRequest[] = [];
 * const transport: Transport = async (request) => {
 *   recorded.push(request);
 *   return { status: 204, headers: {}, body: null };
 * };
 * ```
 */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

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
  /** Name of the method, such as `members.update`; `request` for `client.request`. A good name for a trace span. */
  readonly operation: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
}

/**
 * A function between the client and the transport. It runs once for every attempt, inside the retry loop: it sees each
 * request with all its headers, and each response of any status before it becomes an error. It may change the request,
 * respond without calling `next`, or look at the response; it must not read the body unless it returns another one. An error
 * that it throws reaches the caller unchanged and is not retried, unless it is the `ConnectionError` that `next` rejected
 * with. The first middleware in the list is the outermost.
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
