import type { TransportResponse } from '../core/transport.ts';

/** A response of `fetch`, as a transport gives it. */
export function toTransportResponse({ status, headers, body }: Response): TransportResponse {
  const record: Record<string, string> = {};
  // `forEach` takes half the time of iterating.
  headers.forEach((value, name) => {
    record[name] = value;
  });
  return { status, headers: record, body: body && chunks(body) };
}

/** The chunks of a stream. Not every browser can iterate one. */
async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Not awaited: a stalled source may never settle. A stream that failed rejects with an error that is already known.
    reader.cancel().catch(() => {});
  }
}
