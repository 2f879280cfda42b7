import type { TransportResponse } from '../core/transport.ts';

/** A response of `fetch`, as a transport gives it. */
export function toTransportResponse(response: Response): TransportResponse {
  return {
    status: response.status,
    headers: headersOf(response),
    body: response.body && chunks(response.body),
  };
}

/** The headers of a request or response, names in lower case. */
export function headersOf({ headers }: Request | Response): Record<string, string> {
  const record: Record<string, string> = {};
  // Half the time that iterating them takes.
  headers.forEach((value, name) => {
    record[name] = value;
  });
  return record;
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
