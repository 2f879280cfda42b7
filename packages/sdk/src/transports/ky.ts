import type { Transport } from '../core/transport.ts';
import { toTransportResponse } from './web-response.ts';

/**
 * The default transport: ky over `fetch`, reduced to sending. ky's own retries, time limits and errors are off, because
 * they would live below the seam: see docs/decisions/sdk-retries.md. ky is loaded at the first request, since loading it
 * takes longer than everything else in this package together.
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
    const { default: ky } = await import('ky');
    const send = fetch ?? globalThis.fetch;
    const response = await ky(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // Beside the request rather than in it: ky would join it to a signal of its own, which takes 30 µs in Node.
      fetch: (request) => send(request, { signal }),
      redirect: 'manual',
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
    }).catch(withoutRequest);
    return toTransportResponse(response);
  };
}

/** ky's network error carries its `Request`, and with it the API key, into every log that prints the cause. */
function withoutRequest(error: unknown): never {
  throw error instanceof Error && 'request' in error ? (error.cause ?? new Error(error.message)) : error;
}
