import type { TransportResponse } from '../core/transport.ts';

/** A response of `fetch`, as a transport gives it. */
export function toTransportResponse(response: Response): TransportResponse {
  const headers: Record<string, string> = {};
  // Half the time that iterating them takes.
  response.headers.forEach((value, name) => {
    headers[name] = value;
  });
  return { status: response.status, headers, body: response.body && chunks(response.body) };
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
