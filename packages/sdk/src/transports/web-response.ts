import type { TransportResponse } from '../core/transport.ts';

/** A response of `fetch`, as a transport gives it. */
export function toTransportResponse({ status, headers, body }: Response): TransportResponse {
  const record: Record<string, string> = {};
  // Half the time that iterating them takes.
  headers.forEach((value, name) => {
    record[name] = value;
  });
  return { status, headers: record, body: body && chunks(body) };
}

/** Not every browser can iterate a stream. */
async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a stalled source may never confirm. A stream that failed rejects, which is known already.
    reader.cancel().catch(() => {});
  }
}
