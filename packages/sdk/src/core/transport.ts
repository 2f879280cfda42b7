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
 * // A test of your own code, without a server.
 * async function* json(value: unknown) {
 *   yield new TextEncoder().encode(JSON.stringify(value));
 * }
 * const answer: TransportResponse = { status: 200, headers: {}, body: json({ id: 'ws_1', name: 'Acme' }) };
 * const faked = new Hubline({ transport: async () => answer });
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
 * no response came. Retries, errors, idempotency and pages are built above it, so they are the same on every transport.
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
