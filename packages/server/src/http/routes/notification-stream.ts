import { endpoints, HEADERS } from '@hubline/contract';
import type { UserContext } from '../../context.ts';
import type { EventFeed } from '../../services/events/event-feed.ts';
import { admit } from '../../services/identity/admit.ts';
import {
  INBOX_BYTES,
  type InboxPosition,
  type InboxStreamQuery,
  inboxStart,
  readInbox,
} from '../../services/notifications/inbox/inbox-stream.ts';
import type { StreamReply } from '../response/reply.ts';
import type { HandledRequest, HttpDeps } from '../handled-request.ts';
import type { Input } from '../pipeline.ts';
import { proofOf } from '../request/request.ts';
import { HEARTBEAT_MS, messageStream } from './message-stream.ts';

const rule = endpoints['notifications.stream'].access;

/**
 * The notifications of a user as server-sent events, each with the number of unread ones. `id:` is the ID of the
 * notification; otherwise the rules of the event stream apply.
 */
export function streamNotifications(deps: HttpDeps & { feed: EventFeed }) {
  const { feed, budgets } = deps;
  return async (context: UserContext, input: Input, handled: HandledRequest): Promise<StreamReply> => {
    const { incoming } = handled;
    const { userId } = context.actor;
    const query = input.query as InboxStreamQuery;
    const lastEventId = incoming.headers[HEADERS.lastEventId.toLowerCase()];
    const { store } = deps;
    const startedAt = deps.clock().toISOString();
    let timeline = store.timeline?.();
    let lastId = typeof lastEventId === 'string' ? lastEventId : null;
    let position: InboxPosition = await inboxStart(context, query, lastId);
    const proof = proofOf(deps, incoming);
    const hints = () => ({
      params: input.params,
      queried: () => input.query['workspace_id'],
      body: undefined,
    });

    return messageStream(deps, handled, async (send, signal) => {
      let announcement: Promise<boolean> | null = null;
      while (!signal.aborted) {
        // Subscribed before the query: a notification that comes in between wakes the stream.
        announcement ??= feed.next(userId, HEARTBEAT_MS, signal);
        const { actor } = await admit(deps, rule, { proof, now: deps.clock(), hints });
        if (!actor) return;
        if (store.timeline?.() !== timeline) {
          timeline = store.timeline?.();
          position = await inboxStart(
            { ...context, actor },
            { ...query, since: query.since ?? startedAt },
            lastId,
          );
        }
        const room = await budgets.streams.reserve(userId, INBOX_BYTES);
        try {
          const read = await readInbox({ ...context, actor }, query, position);
          position = read.position;
          for (const { id, change } of read.messages) {
            lastId = id ?? lastId;
            const head = id === null ? '' : `id: ${id}\n`;
            await send([`${head}event: notification\ndata: ${JSON.stringify(change)}\n\n`]);
          }
          if (read.messages.length > 0) continue;
        } finally {
          room.release();
        }
        const woken = await announcement;
        announcement = null;
        if (!woken && !signal.aborted) await send(null);
      }
    });
  };
}
