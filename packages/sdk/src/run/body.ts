import type { Prepared } from '../core/call.ts';
import { TimeoutError } from '../core/errors.ts';
import type { Success } from './connection.ts';

/** The text of a body, in pieces as they arrive. */
export async function* textOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    if (text) yield text;
  }
  // A body that ends inside a character ends with U+FFFD.
  const rest = decoder.decode();
  if (rest) yield rest;
}

/** The text of a whole body; `null` if it is larger than `maxBytes`, and then the rest is dropped. */
export async function readText(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  decoder = new TextDecoder(),
): Promise<string | null> {
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop ends the iterator, and with it the connection.
    if (bytes > maxBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * The chunks of a body as they arrive, until the deadline of the call. At most `idleMs` may pass until the next one; the time of the
 * reader counts only for the deadline.
 */
export async function* readLive(
  { body, connection, lost }: Success,
  idleMs: number,
  { name, deadline }: Pick<Prepared, 'name' | 'deadline'>,
): AsyncGenerator<Uint8Array> {
  const chunks = body?.[Symbol.asyncIterator]();
  let left = Infinity;
  try {
    for (;;) {
      left = deadline - performance.now();
      connection.limit(Math.min(idleMs, left));
      const next = chunks && (await connection.race(chunks.next()));
      connection.limit(Infinity);
      if (!next || next.done) return;
      yield next.value;
    }
  } catch (error) {
    if (!connection.timedOut) throw lost(error);
    // Decided by the two limits, not by the clock: a timer may fire a little before its time.
    const why = idleMs < left ? `nothing came for ${idleMs} ms` : 'its totalTimeout is over';
    throw new TimeoutError(`${name} got no complete response: ${why}.`);
  } finally {
    connection.close();
  }
}
