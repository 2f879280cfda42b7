import { endpoints, HEADERS } from '@hubline/contract';
import type { WorkspaceContext } from '../../context.ts';
import type { Encoded, JsonPiece } from '../../domain/json/encoded.ts';
import type { EventFeed } from '../../services/events/event-feed.ts';
import { admit } from '../../services/identity/admit.ts';
import { type EventBatch, EventBatches, type StreamedEvent } from '../../services/events/event-batches.ts';
import { newestPosition, type StreamQuery, streamStart } from '../../services/events/stream-start.ts';
import type { HandledRequest, HttpDeps } from '../handled-request.ts';
import type { Input } from '../pipeline.ts';
import type { StreamReply } from '../response/reply.ts';
import { proofOf } from '../request/request.ts';
import { HEARTBEAT_MS, messageStream } from './message-stream.ts';

const rule = endpoints['events.stream'].access;

/**
 * Events as they come, as server-sent events. `id:` is the event ID: a client that sends it back as `Last-Event-ID`
 * resumes after it. The key is checked again before anything is sent: removing a member ends the stream.
 *
 * A stream is a position in the database. It reads on when the client has read the last batch, so a client costs one
 * batch of events however far it is behind; one that reads nothing for a while is disconnected, and resumes later.
 */
export function streamEvents(deps: HttpDeps & { feed: EventFeed }) {
  const { feed } = deps;
  const shared = new EventBatches(deps, feed, toMessage);
  return async (context: WorkspaceContext, input: Input, handled: HandledRequest): Promise<StreamReply> => {
    const { incoming } = handled;
    const query = input.query as StreamQuery;
    const lastEventId = incoming.headers[HEADERS.lastEventId.toLowerCase()];
    const { store } = deps;
    const startedAt = deps.clock().toISOString();
    const startedOn = store.timeline?.();
    let lastId = typeof lastEventId === 'string' ? lastEventId : null;
    const start = await streamStart(context, query, lastId);
    const { workspaceId } = context.access;
    const proof = proofOf(deps, incoming);
    const hints = () => ({
      params: input.params,
      queried: () => input.query['workspace_id'],
      body: undefined,
    });
    const { type, source } = query;
    const isWhole = type === undefined && source === undefined;
    const bare = query.omit === 'payload';
    let { since } = query;

    async function* batches(signal: AbortSignal): AsyncGenerator<EventBatch | null> {
      let seq = start;
      let timeline = startedOn;
      // Missed events are read with a query of this stream. From the newest event on, all streams share one
      // query and filter its events.
      let live = isWhole;
      let announcement: Promise<boolean> | null = null;
      while (!signal.aborted) {
        // Subscribed before the query: an event that comes in between wakes the stream.
        announcement ??= feed.next(workspaceId, HEARTBEAT_MS, signal);
        await stillAllowed();
        if (store.timeline?.() !== timeline) {
          timeline = store.timeline?.();
          // A position that follows from a time is an hour too early: the stream sends nothing from before its beginning.
          if (lastId === null) since ??= startedAt;
          seq = await streamStart(context, { ...query, since }, lastId);
          live = isWhole;
        }
        const newest = live ? 0 : await newestPosition(deps, workspaceId);
        const batch = await (live
          ? shared.nextLive({ workspaceId, seq, bare })
          : shared.next({ workspaceId, filters: { type, source, since }, seq, bare }));
        const last = batch.events.at(-1);
        if (last) {
          seq = last.seq;
          lastId = last.id;
          yield batch;
        } else if (live) {
          const woken = await announcement;
          announcement = null;
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

    return messageStream(deps, handled, async (send, signal) => {
      for await (const batch of batches(signal)) {
        if (batch === null) {
          await send(null);
          continue;
        }
        batch.hold();
        try {
          for (const event of batch.events) if (wanted(event)) await send(event.message);
        } finally {
          batch.release();
        }
      }
    });
  };
}

const LINE_BREAK = /\r\n|\r|\n/g;

/** An event as a message of the stream. All streams send the same bytes. */
function toMessage(id: string, event: Encoded<unknown>): readonly JsonPiece[] {
  const [first = '', ...others] = event.pieces.map(onDataLines);
  const head = `id: ${id}\nevent: event\ndata: `;
  if (typeof first === 'string' && others.length === 0) return [Buffer.from(`${head}${first}\n\n`)];
  return [head, first, ...others, '\n\n'];
}

/** A payload keeps the line breaks of the text that came in: each line needs its own `data:`. */
function onDataLines(piece: JsonPiece): JsonPiece {
  if (typeof piece === 'string') return piece.replaceAll(LINE_BREAK, '\ndata: ');
  if (!piece.includes('\n') && !piece.includes('\r')) return piece;
  return Buffer.from(piece.toString().replaceAll(LINE_BREAK, '\ndata: '));
}
