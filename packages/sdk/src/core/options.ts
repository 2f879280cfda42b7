import type { Operations } from '@hubline/contract/types';
import type { HeaderInput } from '../internal/headers.ts';
import type { Middleware, Transport } from './transport.ts';

/**
 * The part of a Standard Schema (standardschema.dev) that the SDK needs. Schemas of zod, valibot and arktype have it.
 *
 * @example
 * ```ts
 * import type { StandardSchema } from '@hubline/sdk';
 *
 * const hasEmail: StandardSchema = {
 *   '~standard': {
 *     validate: (value) => (JSON.stringify(value).includes('"email":') ? {} : { issues: [{ message: 'must name an email' }] }),
 *   },
 * };
 * await client.me.get({ schema: hasEmail });
 * ```
 */
export interface StandardSchema {
  /** The part that the standard defines; the SDK needs only its validation. */
  readonly '~standard': {
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

/**
 * The verdict of a {@link StandardSchema}: `issues` when a value does not fit.
 *
 * @example
 * ```ts
 * import type { StandardResult } from '@hubline/sdk';
 *
 * const validate = (value: unknown): StandardResult =>
 *   value !== null && typeof value === 'object' ? {} : { issues: [{ message: 'must be an object' }] };
 * await client.me.get({ schema: { '~standard': { validate } } });
 * ```
 */
export interface StandardResult {
  /** Everything that does not fit, with its path; absent when all fits. */
  readonly issues?:
    | readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[]
    | undefined;
}

/**
 * The lowest level that is logged, or `off`. `info` reports retries, `debug` every attempt.
 *
 * @example
 * ```ts
 * import { Hubline, type LogLevel } from '@hubline/sdk';
 *
 * const logLevel: LogLevel = process.argv.includes('--verbose') ? 'debug' : 'warn';
 * const logging = new Hubline({ logLevel });
 * ```
 */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off';

/**
 * The receiver of the log: `console`, or a logger of the same form. It gets no header, body, query or key.
 *
 * @example
 * ```ts
 * import { Hubline, type Logger } from '@hubline/sdk';
 *
 * const write = (message: string, fields: Record<string, unknown>) =>
 *   process.stderr.write(`${JSON.stringify({ message, ...fields })}\n`);
 * const logger: Logger = { debug: write, info: write, warn: write, error: write };
 * const logging = new Hubline({ logger, logLevel: 'debug' });
 * ```
 */
export type Logger = Readonly<
  Record<Exclude<LogLevel, 'off'>, (message: string, fields: Record<string, unknown>) => void>
>;

/**
 * The time that a call may take, and the number of its attempts. All times that you set are in milliseconds; the time that the
 * server asks for (`error.retryAfter`) is in seconds. Specification, "Retry rules" 1 to 3.
 *
 * @example
 * ```ts
 * const me = await client.me.get({ timeout: 5_000, totalTimeout: 20_000, maxRetries: 2 });
 * ```
 */
export interface CallLimits {
  /**
   * Milliseconds that one attempt may take, with the body of its response.
   *
   * @default 30_000
   */
  timeout?: number | undefined;
  /**
   * Milliseconds that the whole call may take: attempts, waits and retries. A wait that would end later does not begin. Each
   * page of a list is a call; to limit a whole list, pass a `signal`.
   *
   * @default Infinity
   */
  totalTimeout?: number | undefined;
  /**
   * Attempts after the first, on 429, 500 and 503 (specification, "Retry rules" 2), and on network failures.
   *
   * @default 4
   */
  maxRetries?: number | undefined;
  /**
   * The longest wait, in milliseconds, that the server may ask for; when it asks for more, the error is thrown at once,
   * and `error.retryAfter` says how long the wait would have been.
   *
   * @default 60_000
   */
  maxRetryAfter?: number | undefined;
}

/**
 * Options of one call. They override the options of the client.
 *
 * @example
 * ```ts
 * const workspace = await client.workspaces.create(
 *   { name: 'Acme', slug: 'acme' },
 *   { idempotencyKey: 'signup-4711', signal: AbortSignal.timeout(60_000) },
 * );
 * ```
 */
export interface RequestOptions extends CallLimits {
  /**
   * Ends the call, its waits included, with an `AbortError`.
   *
   * @default none
   */
  signal?: AbortSignal | undefined;
  /**
   * More headers: an object, a `Headers` or pairs, with names in any case. They override the headers of the client; `undefined` overrides nothing.
   *
   * @default none
   */
  headers?: HeaderInput | undefined;
  /**
   * Key of a write, 1 to 255 visible ASCII characters. Pass the key of an error to finish the write that failed. All attempts
   * carry the same key. Specification, "Limits" 4.
   *
   * @default the header of that name in `headers`, or a new UUID v4 for each write; in a page that did not come over HTTPS, four random numbers
   */
  idempotencyKey?: string | undefined;
  /**
   * Checks the response, which is returned unchanged. A response that does not fit gives an `InvalidResponseError`.
   *
   * @default none, or that of `schemas` in the client's options
   */
  schema?: StandardSchema | undefined;
}

/**
 * Settings of a client.
 *
 * @example
 * ```ts
 * import { Hubline } from '@hubline/sdk';
 *
 * const own = new Hubline({
 *   apiKey: process.env.HUBLINE_API_KEY,
 *   baseURL: 'https://hub.example.com/v1',
 *   maxRetries: 10,
 *   logLevel: 'info',
 * });
 * ```
 */
export interface ClientOptions extends CallLimits {
  /**
   * API key; `null` for none, to accept an invitation. Specification, "Authentication" 1.
   *
   * @default process.env.HUBLINE_API_KEY
   */
  apiKey?: string | null | undefined;
  /**
   * Address of the API, with its version. Specification, "Versioning" 1.
   *
   * @default process.env.HUBLINE_BASE_URL, or http://127.0.0.1:8787/v1
   */
  baseURL?: string | undefined;
  /**
   * Allows `http://` to hosts other than this machine, where the key can be read on the way.
   *
   * @default false
   */
  allowInsecureHttp?: boolean | undefined;
  /**
   * Allows the client in a web page, where every visitor can read the key.
   *
   * @default false
   */
  dangerouslyAllowBrowser?: boolean | undefined;
  // Not `typeof fetch`: Bun adds members to it that a caller's own function lacks.
  /**
   * A `fetch` to send with, such as one that is mocked or traced. On Node, it replaces `node:http`.
   *
   * @default none on Node; elsewhere globalThis.fetch, looked up for each request
   */
  fetch?: ((input: string | URL | Request, init?: RequestInit) => Promise<Response>) | undefined;
  /**
   * The transport. It replaces `fetch`.
   *
   * @default `node:http` on Node; ky over `fetch` elsewhere, or if `fetch` is given
   */
  transport?: Transport | undefined;
  /**
   * Functions between the client and the transport, the first outermost.
   *
   * @default []
   */
  middleware?: readonly Middleware[] | undefined;
  /**
   * Headers of every request: an object, a `Headers` or pairs, with names in any case; `undefined` leaves the default.
   *
   * @default none
   */
  headers?: HeaderInput | undefined;
  /**
   * Bytes of a response body after which the client gives up, so that a broken server cannot fill the memory.
   *
   * @default 134_217_728
   */
  maxResponseBytes?: number | undefined;
  /**
   * Parses the JSON of responses and streams. `JSON.parse` rounds integers beyond 2^53; a parser that keeps all digits goes here.
   * Its `SyntaxError` for invalid JSON becomes an `InvalidResponseError`.
   *
   * @default JSON.parse
   *
   * @example
   * ```ts
   * import { Hubline } from '@hubline/sdk';
   *
   * const client = new Hubline({
   *   parseJSON: (text) =>
   *     JSON.parse(text, (_key, value, { source = '' }: { source?: string } = {}) =>
   *       /^-?\d{16,}$/.test(source) ? BigInt(source) : value,
   *     ),
   * });
   * ```
   */
  parseJSON?: ((text: string) => unknown) | undefined;
  /**
   * Checks the responses of the named methods, for example in tests. They are returned unchanged.
   *
   * @default none
   */
  schemas?: Readonly<Partial<Record<keyof Operations, StandardSchema>>> | undefined;
  /**
   * The receiver of the log.
   *
   * @default console
   */
  logger?: Logger | undefined;
  /**
   * The least severe level that is logged.
   *
   * @default 'warn'
   */
  logLevel?: LogLevel | undefined;
}

/**
 * Options of a stream. `timeout` and `maxRetries` apply to each connection.
 *
 * @example
 * ```ts
 * const stream = client.events.stream(workspaceId, {}, { lastEventId: 'evt_…', idleTimeout: 60_000 });
 * ```
 */
export interface StreamOptions extends Omit<RequestOptions, 'idempotencyKey' | 'totalTimeout'> {
  /**
   * Continues after this event: the `lastEventId` of an earlier stream.
   *
   * @default none: events from now on, or from `since` of the query
   */
  lastEventId?: string | undefined;
  /**
   * Milliseconds of silence after which the connection counts as lost. The server sends a heartbeat every 10 seconds.
   *
   * @default 30_000
   */
  idleTimeout?: number | undefined;
}
