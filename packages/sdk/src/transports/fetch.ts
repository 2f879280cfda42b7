import type { Transport } from '../core/transport.ts';
import { toTransportResponse } from './web-response.ts';

/**
 * A transport over `fetch` and nothing else: for programs that make so many requests that their CPU time counts. What ky
 * adds to each is in docs/decisions/sdk-transport.md; on Node, `nodeTransport` of `@hubline/sdk/node` is leaner still.
 *
 * @param fetch - `globalThis.fetch` of the moment when a request is sent, unless given.
 *
 * @example
 * ```ts
 * import { fetchTransport, Hubline } from '@hubline/sdk';
 *
 * const lean = new Hubline({ transport: fetchTransport() });
 * ```
 */
export function fetchTransport(fetch?: typeof globalThis.fetch): Transport {
  return async ({ url, method, headers, body, signal }) => {
    const send = fetch ?? globalThis.fetch;
    const init: RequestInit = { method, headers, signal, redirect: 'manual', body: body ?? null };
    return toTransportResponse(await send(url, init));
  };
}
