import { sendBesideFetch } from '#runtime';
import type { Transport, TransportResponse } from '../core/transport.ts';
import { loadOnce } from '../internal/load-once.ts';
import { toTransportResponse } from './web-response.ts';

const loadKy = loadOnce(() => import('ky'));

/**
 * The default transport: ky, reduced to sending. ky's own retries, time limits and errors are off, because they would live
 * below the seam: see docs/decisions/sdk-retries.md. ky is loaded at the first request, since loading it takes longer
 * than everything else in this package together. On Node it sends over `node:http`, as long as nobody has changed what
 * `fetch` does there: see docs/decisions/sdk-transport.md.
 *
 * @param fetch - `globalThis.fetch` of the moment when a request is sent, or `node:http`, unless given.
 *
 * @example
 * ```ts
 * import { Hubline, kyTransport } from '@hubline/sdk';
 *
 * const plain = kyTransport();
 * const client = new Hubline({
 *   transport: (request) => plain({ ...request, url: request.url.replace('hub.example.com', '10.0.0.7') }),
 * });
 * ```
 */
export function kyTransport(fetch?: typeof globalThis.fetch): Transport {
  return async ({ method, url, headers, body, signal }) => {
    const { default: ky } = await loadKy();
    let direct: TransportResponse | undefined;
    const response = await ky(url, {
      method,
      headers,
      body: body ?? null,
      fetch: async (request) => {
        direct = fetch ? undefined : await sendBesideFetch(request, { body, signal });
        // ky has no say in what becomes of it, and a body that is a web stream costs as much as ky itself.
        if (direct) return new Response();
        // Beside the request rather than in it: ky would join it to a signal of its own, which takes 30 µs in Node.
        return (fetch ?? globalThis.fetch)(request, { signal });
      },
      redirect: 'manual',
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
    }).catch(withoutRequest);
    return direct ?? toTransportResponse(response);
  };
}

/** ky's network error carries its `Request`, and with it the API key, into every log that prints the cause. */
function withoutRequest(error: unknown): never {
  throw error instanceof Error && 'request' in error ? (error.cause ?? new Error(error.message)) : error;
}
