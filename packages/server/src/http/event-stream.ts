import { HEADERS } from '@hubline/contract';
import type { EndpointInput } from '@hubline/contract';
import type { WorkspaceContext } from '../context.ts';
import { streamNext, streamStart } from '../services/events.ts';
import { authenticate } from '../services/authenticate.ts';
import { authorize, resolveAccess } from '../services/access.ts';
import type { EventFeed } from '../event-feed.ts';
import type { Exchange, HttpDeps, Input } from './pipeline.ts';
import { proofOf } from './request.ts';
import { endpoints } from '@hubline/contract';

const rule = endpoints['events.stream'].access;

// Often enough that proxies keep the connection, and that a revoked key loses it soon even when nothing happens.
const HEARTBEAT_MS = 10_000;

type Query = EndpointInput<'events.stream'>['query'];

/**
 * Events as they come, as server-sent events. `id:` is the event id: a client that sends it back as `Last-Event-ID` goes
 * on where it was. The key is checked again before anything is sent: removing a member ends the stream.
 */
export function streamEvents(deps: HttpDeps & { feed: EventFeed }) {
  return async (
    context: WorkspaceContext,
    input: Input,
    { incoming, headers }: Exchange,
  ): Promise<Response> => {
    const query = input.query as Query;
    const lastEventId = incoming.headers[HEADERS.lastEventId.toLowerCase()];
    const start = await streamStart(context, query, typeof lastEventId === 'string' ? lastEventId : null);
    const { workspaceId } = context.access;

    async function* messages(signal: AbortSignal): AsyncGenerator<string> {
      let seq = start;
      yield ': connected\nretry: 1000\n\n';
      while (!signal.aborted) {
        // Asked for before the query: an event that comes in between is not slept through.
        const news = deps.feed.next(workspaceId, HEARTBEAT_MS, signal);
        await stillAllowed();
        const events = await streamNext(context, query, seq);
        for (const { seq: position, event } of events) {
          seq = position;
          yield `id: ${event.id}\nevent: event\n${dataLines(event.text)}\n\n`;
        }
        if (events.length === 0) {
          const woken = await news;
          if (!woken && !signal.aborted) yield ': heartbeat\n\n';
        }
      }
    }

    async function stillAllowed(): Promise<void> {
      const actor = await authenticate(deps, proofOf(incoming), deps.clock());
      const access = await resolveAccess(deps, { actor, from: rule.from }, { ...input, body: undefined });
      authorize(rule, actor, access);
    }

    return new Response(toStream(messages, deps.feed.closing), {
      headers: {
        ...headers,
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        // nginx would otherwise collect events until its buffer is full.
        'X-Accel-Buffering': 'no',
      },
    });
  };
}

/** A payload is the text that came in, with its own line breaks: each needs its own `data:`. */
const dataLines = (json: string) => `data: ${json.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}`;

/** A byte stream that pulls one message at a time: a slow reader slows down the queries, not the memory. */
function toStream(
  messages: (signal: AbortSignal) => AsyncGenerator<string>,
  closing: AbortSignal,
): ReadableStream<Uint8Array> {
  const gone = new AbortController();
  const iterator = messages(AbortSignal.any([gone.signal, closing]));
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      // A key that was revoked, or a database that is gone: the client reconnects and is told why.
      const result = await iterator.next().catch(() => ({ done: true as const, value: undefined }));
      if (result.done) controller.close();
      else controller.enqueue(encoder.encode(result.value));
    },
    async cancel() {
      gone.abort();
      await iterator.return(undefined);
    },
  });
}
