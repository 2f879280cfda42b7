import type { Transport } from '../core/transport.ts';

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
    const response = await ky(url, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
      ...(fetch === undefined ? {} : { fetch }),
      redirect: 'manual',
      retry: 0,
      timeout: false,
      throwHttpErrors: false,
    }).catch(withoutRequest);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: response.body && chunks(response.body),
    };
  };
}

/** ky's network error carries its `Request`, and with it the API key, into every log that prints the cause. */
function withoutRequest(error: unknown): never {
  throw error instanceof Error && 'request' in error ? (error.cause ?? new Error(error.message)) : error;
}

/** Not every browser can iterate a stream. */
async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    ended = true;
  } finally {
    // Not awaited: a stalled source may never confirm. A stream that failed rejects, which is known already.
    if (!ended) reader.cancel().catch(() => {});
  }
}
