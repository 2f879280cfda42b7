import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { endpoints, HEADERS } from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import type { Encoded, JsonPiece } from '../../domain/json/encoded.ts';
import { Fault } from '../../domain/faults/fault.ts';
import type { EventFeed } from '../../event-feed.ts';
import { admit } from '../../services/identity/admit.ts';
import { type EventBatch, EventBatches, type StreamedEvent } from '../../services/events/event-batches.ts';
import { newestPosition, type StreamQuery, streamStart } from '../../services/events/events.ts';
import type { Exchange, HttpDeps } from '../exchange.ts';
import type { Input } from '../pipeline.ts';
import type { StreamReply } from '../answer/reply.ts';
import { proofOf } from '../request/request.ts';

const rule = endpoints['events.stream'].access;

// Often enough that proxies keep the connection, and that a revoked key loses it soon even when nothing happens.
const HEARTBEAT_MS = 10_000;

/**
 * Events as they come, as server-sent events. `id:` is the event id: a client that sends it back as `Last-Event-ID` goes
 * on where it was. The key is checked again before anything is sent: removing a member ends the stream.
 *
 * A stream is a position in the database. It reads on when its reader has taken what it was sent, so that a reader costs one
 * batch of events however far it is behind; one that takes nothing for a while is disconnected, and resumes later.
 */
export function streamEvents(deps: HttpDeps & { feed: EventFeed }) {
  const { feed } = deps;
  const shared = new EventBatches(deps, feed, toMessage);
  return async (
    context: WorkspaceContext,
    input: Input,
    { incoming, headers }: Exchange,
  ): Promise<StreamReply> => {
    const query = input.query as StreamQuery;
    const lastEventId = incoming.headers[HEADERS.lastEventId.toLowerCase()];
    const start = await streamStart(context, query, typeof lastEventId === 'string' ? lastEventId : null);
    const { workspaceId } = context.access;
    const proof = proofOf(incoming);
    const hints = () => ({ ...input, body: undefined });
    const { type, source, since } = query;
    const filters = { type, source, since };

    async function* batches(signal: AbortSignal): AsyncGenerator<EventBatch | null> {
      let seq = start;
      // Missed events are looked for by a query of their own; from the newest event on, all streams read the same and choose from it.
      let live = type === undefined && source === undefined;
      let news: Promise<boolean> | null = null;
      while (!signal.aborted) {
        // Asked for before the query: an event that comes in between is not slept through.
        news ??= feed.next(workspaceId, HEARTBEAT_MS, signal);
        await stillAllowed();
        const newest = live ? 0 : await newestPosition(deps, workspaceId);
        const batch = await (live
          ? shared.nextLive(workspaceId, seq)
          : shared.next({ workspaceId, filters, seq }));
        const last = batch.events.at(-1);
        if (last) {
          seq = last.seq;
          yield batch;
        } else if (live) {
          const woken = await news;
          news = null;
          if (!woken && !signal.aborted) yield null;
        } else {
          seq = Math.max(seq, newest);
          live = true;
        }
      }
    }

    const stillAllowed = (): Promise<void> =>
      feed.share(workspaceId, `access ${proof.authorization ?? ''} ${proof.session ?? ''}`, async () => {
        await admit(deps, rule, { proof, now: deps.clock(), hints });
      });

    const wanted = (event: StreamedEvent): boolean =>
      (type === undefined || event.type === type) &&
      (source === undefined || event.source === source) &&
      (since === undefined || event.createdAt > since);

    async function write(outgoing: ServerResponse): Promise<void> {
      const gone = new AbortController();
      const { signal } = gone;
      const end = () => gone.abort();
      outgoing.once('close', end);
      // Not a signal of the two, which looks at both whenever it is asked: with 1,000 streams a tenth of an event (measured).
      feed.closing.addEventListener('abort', end);
      if (outgoing.closed || feed.closing.aborted) end();
      try {
        await writeTo(outgoing, [': connected\nretry: 1000\n\n'], signal);
        for await (const batch of batches(signal)) {
          if (batch === null) await writeTo(outgoing, [': heartbeat\n\n'], signal);
          else await writeBatch(outgoing, batch, signal);
        }
      } catch (error) {
        // A key that was revoked, a server without memory: the client reconnects and is told why.
        if (!(error instanceof Fault) && !signal.aborted)
          deps.log.warn({ err: error, workspace_id: workspaceId }, 'a stream broke off');
      } finally {
        feed.closing.removeEventListener('abort', end);
        outgoing.end();
      }
    }

    async function writeBatch(
      outgoing: ServerResponse,
      batch: EventBatch,
      signal: AbortSignal,
    ): Promise<void> {
      batch.hold();
      try {
        for (const event of batch.events) if (wanted(event)) await writeTo(outgoing, event.message, signal);
      } finally {
        batch.release();
      }
    }

    return {
      status: 200,
      headers: {
        ...headers,
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        // nginx would otherwise collect events until its buffer is full.
        'X-Accel-Buffering': 'no',
      },
      write,
    };
  };
}

/** Writes, and waits until the reader has taken it where that is much. Throws when the reader has gone. */
async function writeTo(
  outgoing: ServerResponse,
  message: readonly JsonPiece[],
  signal: AbortSignal,
): Promise<void> {
  let full = false;
  for (const piece of message) full = !outgoing.write(piece);
  if (full) await once(outgoing, 'drain', { signal });
}

const LINE_BREAK = /\r\n|\r|\n/g;

/** An event as a message of the stream. All who send it send the same bytes. */
function toMessage(id: string, event: Encoded<unknown>): readonly JsonPiece[] {
  const [first = '', ...others] = event.pieces.map(onDataLines);
  const head = `id: ${id}\nevent: event\ndata: `;
  if (typeof first === 'string' && others.length === 0) return [Buffer.from(`${head}${first}\n\n`)];
  return [head, first, ...others, '\n\n'];
}

/** A payload is the text that came in, with its own line breaks: each needs its own `data:`. */
function onDataLines(piece: JsonPiece): JsonPiece {
  if (typeof piece === 'string') return piece.replaceAll(LINE_BREAK, '\ndata: ');
  if (!piece.includes('\n') && !piece.includes('\r')) return piece;
  return Buffer.from(piece.toString().replaceAll(LINE_BREAK, '\ndata: '));
}
