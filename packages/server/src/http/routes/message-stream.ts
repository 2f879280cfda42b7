import { once } from 'node:events';
import type { Outgoing } from '../front/open-requests.ts';
import type { Deps } from '../../context.ts';
import type { JsonPiece } from '../../domain/json/encoded.ts';
import { Fault } from '../../domain/faults/fault.ts';
import type { EventFeed } from '../../services/events/event-feed.ts';
import type { StreamReply } from '../response/reply.ts';
import type { HandledRequest } from '../handled-request.ts';

// Often enough that proxies keep the connection open, and that a revoked key loses it soon even without events.
export const HEARTBEAT_MS = 10_000;

/**
 * Sends a message, or a heartbeat for `null`, and waits if the client reads slowly. Throws when the client has gone.
 */
export type Send = (message: readonly JsonPiece[] | null) => Promise<void>;

/**
 * A response of server-sent events. `follow` sends until the signal aborts: the client has gone, or the server stops.
 * When it throws, the stream ends, and the client reconnects.
 */
export function messageStream(
  { feed, log }: Pick<Deps, 'log'> & { feed: EventFeed },
  { headers, ids }: Pick<HandledRequest, 'headers' | 'ids'>,
  follow: (send: Send, signal: AbortSignal) => Promise<void>,
): StreamReply {
  async function write(outgoing: Outgoing): Promise<void> {
    const gone = new AbortController();
    const { signal } = gone;
    const end = () => gone.abort();
    outgoing.once('close', end);
    // Not `AbortSignal.any`, which looks at both signals whenever it is asked: with 1,000 streams, a tenth of the time
    // of an event (measured).
    feed.closing.addEventListener('abort', end);
    if (feed.closing.aborted) end();
    try {
      await writeTo(outgoing, [': connected\nretry: 1000\n\n'], signal);
      await follow((message) => writeTo(outgoing, message ?? [': heartbeat\n\n'], signal), signal);
    } catch (error) {
      // After a fault, such as a revoked key or a lack of memory, the client reconnects and is told why.
      if (!(error instanceof Fault) && !signal.aborted)
        log.warn({ err: error, ...ids }, 'a stream broke off');
    } finally {
      feed.closing.removeEventListener('abort', end);
      outgoing.end();
    }
  }
  return {
    status: 200,
    headers: {
      ...headers,
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      // nginx would otherwise collect messages until its buffer is full.
      'X-Accel-Buffering': 'no',
    },
    write,
  };
}

/** Writes a message; if the buffer is full, waits until the client has read it. Throws when the client has gone. */
export async function writeTo(
  outgoing: Outgoing,
  message: readonly JsonPiece[],
  signal: AbortSignal,
): Promise<void> {
  let full = false;
  for (const piece of message) full = !outgoing.write(piece);
  if (full) await once(outgoing, 'drain', { signal });
}
