import type { Options } from 'ky';
import { HublineError } from '../core/errors.ts';
import type { ClientOptions } from '../core/options.ts';
import type { Transport } from '../core/transport.ts';
import { loadOnce } from '../internal/runtime.ts';
import { toTransportResponse } from './web-response.ts';

/**
 * Settings of {@link kyTransport}: options of `fetch` that the client does not decide itself, such as `credentials`, `cache`, or those
 * of one runtime (`next`, `cf`, `dispatcher`, `proxy`), and hooks.
 *
 * @example
 * ```ts
 * import { Hubline, kyTransport, type KyTransportOptions } from '@hubline/sdk/ky';
 *
 * const options: KyTransportOptions = {
 *   credentials: 'include',
 *   hooks: { beforeRequest: [({ request }) => request.headers.set('x-sent-at', new Date().toISOString())] },
 * };
 * const client = new Hubline({ transport: kyTransport(options) });
 * ```
 */
export interface KyTransportOptions extends Omit<
  RequestInit,
  'body' | 'headers' | 'method' | 'redirect' | 'signal' | 'window'
> {
  /**
   * The function that sends the request.
   *
   * @default globalThis.fetch, looked up for each request
   */
  readonly fetch?: ClientOptions['fetch'];
  /**
   * ky's hooks. They see the `Request` of each attempt, and its `Response`, whatever the status.
   *
   * @default none
   */
  readonly hooks?:
    | {
        readonly beforeRequest?: ((state: { readonly request: Request }) => Hooked<Request | Response>)[];
        readonly afterResponse?: ((state: {
          readonly request: Request;
          readonly response: Response;
        }) => Hooked<Response>)[];
      }
    | undefined;
  /** Options that only one runtime's `fetch` knows. */
  readonly [option: string]: unknown;
}

/** The result of a hook: nothing, or a request or response to use instead. */
type Hooked<T> = T | void | Promise<T | void>;

const loadKy = loadOnce(() => import('ky'));

/**
 * The default transport outside Node (browsers, edge, Bun, Deno), and wherever a `fetch` is given. ky builds the request, runs
 * hooks, passes on the options that only one runtime knows, and combines signals. Its own retries and time limits stay off, since
 * those of the client are the same on every transport. ky is loaded at the first request.
 *
 * @param options - A `fetch`, options for it, and hooks.
 *
 * @example
 * ```ts
 * import { Hubline, kyTransport } from '@hubline/sdk/ky';
 *
 * const client = new Hubline({ transport: kyTransport({ cache: 'no-store' }) });
 * ```
 */
export function kyTransport(options: KyTransportOptions = {}): Transport {
  const load = loadOnce(async () => {
    const { default: ky, isNetworkError } = await loadKy();
    const send = ky.create({
      ...(options as Options),
      redirect: 'manual',
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
    });
    return { send, isNetworkError };
  });
  return async ({ method, url, headers, body, signal }) => {
    if (!(options.fetch ?? globalThis.fetch) || !globalThis.Request) {
      throw new HublineError('This runtime has no fetch: use @hubline/sdk/node, or set transport.');
    }
    const { send, isNetworkError } = await load();
    try {
      return toTransportResponse(await send(url, { method, headers, body: body ?? null, signal }));
    } catch (error) {
      // ky's own error carries its `Request`, and with it the API key, into every log that prints the cause.
      throw isNetworkError(error) ? error.cause : error;
    }
  };
}
