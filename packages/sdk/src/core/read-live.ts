import { aborted, TimeoutError } from './errors.ts';
import type { Success } from './round-trip.ts';

/** The chunks of a body as they arrive. At most `idleMs` may pass until the next one; the reader's own time is free. */
export async function* readLive(
  { body, connection, lost }: Success,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  const chunks = (body ?? noBytes())[Symbol.asyncIterator]();
  try {
    for (;;) {
      connection.limit(idleMs);
      const next = await connection.race(chunks.next());
      connection.limit(Infinity);
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    if (connection.timedOut) throw new TimeoutError(`The response fell silent for ${idleMs} ms.`);
    if (connection.signal.aborted) throw aborted('The response', connection.reason);
    throw lost(error);
  } finally {
    connection.close();
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array> {}
