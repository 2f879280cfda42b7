import type { ClientOptions } from '../core/options.ts';
import type { Transport } from '../core/transport.ts';
import { toTransportResponse } from './web-response.ts';

/**
 * A transport over `fetch` and nothing else, for the smallest bundle.
 *
 * @param fetch - The function that sends; by default `globalThis.fetch`, looked up for each request.
 *
 * @example
 * ```ts
 * import { fetchTransport, Hubline } from '@hubline/sdk/fetch';
 *
 * const send = fetchTransport();
 * const client = new Hubline({
 *   transport: (request) => send({ ...request, url: request.url.replace('hub.example.com', '10.0.0.7') }),
 * });
 * ```
 */
export function fetchTransport(fetch?: ClientOptions['fetch']): Transport {
  return async ({ url, method, headers, body, signal }) => {
    const send = fetch ?? globalThis.fetch;
    const init: RequestInit = { method, headers, signal, redirect: 'manual', body: body ?? null };
    return toTransportResponse(await send(url, init));
  };
}
